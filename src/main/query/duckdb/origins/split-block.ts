import { isSign, type Token } from '../../../sql/text/tokens.ts'

/** A SELECT without its brackets, as tokens. */
export interface SelectBlock {
  /** The common tables before it, each with the tokens of its query. */
  readonly commonTables: readonly { readonly name: string; readonly query: readonly Token[] }[]
  readonly items: readonly (readonly Token[])[]
  /** What stands between FROM and the next clause. Empty: there is none. */
  readonly from: readonly Token[]
}

/** Keywords that end a select list, and those that end what stands behind FROM. */
const AFTER_LIST = new Set(['WHERE', 'GROUP', 'HAVING', 'WINDOW', 'QUALIFY', 'ORDER', 'LIMIT', 'OFFSET'])
const SETS = new Set(['UNION', 'EXCEPT', 'INTERSECT'])

/** Splits a query into the parts of its SELECT. Null: it is of another form, such as several with UNION. */
export function splitBlock(tokens: readonly Token[]): SelectBlock | null {
  const inside = withoutBrackets(tokens)
  const withs = inside[0]?.word === 'WITH' ? splitCommonTables(inside) : { commonTables: [], rest: inside }
  if (withs === null) return null
  const { commonTables, rest } = withs
  if (rest[0]?.word !== 'SELECT') return null
  const clauses = outside(rest)
  if (clauses.some(({ token }) => SETS.has(token.word ?? ''))) return null
  const isAfterDistinct = (at: number): boolean => rest[at - 1]?.word === 'DISTINCT'
  const from = clauses.find(({ token, at }) => token.word === 'FROM' && !isAfterDistinct(at))?.at
  const end = clauses.find(({ token, at }) => AFTER_LIST.has(token.word ?? '') && at > (from ?? 0))?.at
  const list = listOf(rest.slice(1, from ?? end))
  if (list === null) return null
  const items = splitBy(list, (token) => isSign(token, ','))
  return { commonTables, items, from: from === undefined ? [] : rest.slice(from + 1, end) }
}

/** The select list behind `ALL` or `DISTINCT`. Null: it is of another form. */
function listOf(tokens: readonly Token[]): readonly Token[] | null {
  const [first, second] = tokens
  if (first?.word === 'ALL') return tokens.slice(1)
  if (first?.word !== 'DISTINCT') return tokens
  if (second?.word !== 'ON') return tokens.slice(1)
  const end = isSign(tokens[2], '(') ? indexOfClosing(tokens, 2) : null
  return end === null ? null : tokens.slice(end + 1)
}

function splitCommonTables(
  tokens: readonly Token[],
): { readonly commonTables: SelectBlock['commonTables']; readonly rest: readonly Token[] } | null {
  const commonTables: { name: string; query: readonly Token[] }[] = []
  for (let at = 1; ; at++) {
    const name = tokens[at]
    if (name === undefined || name.word === 'RECURSIVE' || (name.kind !== 'word' && name.kind !== 'quoted'))
      return null
    if (tokens[at + 1]?.word !== 'AS') return null
    at += 2
    if (tokens[at]?.word === 'NOT') at++
    if (tokens[at]?.word === 'MATERIALIZED') at++
    const end = isSign(tokens[at], '(') ? indexOfClosing(tokens, at) : null
    if (end === null) return null
    commonTables.push({ name: name.text, query: tokens.slice(at + 1, end) })
    at = end + 1
    if (!isSign(tokens[at], ',')) return { commonTables, rest: tokens.slice(at) }
  }
}

/** A query without brackets around all of it. */
function withoutBrackets(tokens: readonly Token[]): readonly Token[] {
  let inside = tokens
  while (isSign(inside[0], '(') && indexOfClosing(inside, 0) === inside.length - 1)
    inside = inside.slice(1, -1)
  return inside
}

/** The index of the bracket that closes the one at an index. Null: there is none. */
export function indexOfClosing(tokens: readonly Token[], open: number): number | null {
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    depth += depthOf(tokens[at])
    if (depth === 0) return at
  }
  return null
}

function depthOf(token: Token | undefined): number {
  if (token?.kind !== 'sign') return 0
  return '([{'.includes(token.text) ? 1 : ')]}'.includes(token.text) ? -1 : 0
}

/** The tokens that are in no brackets, with their indexes. Brackets themselves are left out. */
function outside(tokens: readonly Token[]): readonly { readonly token: Token; readonly at: number }[] {
  let depth = 0
  return tokens.flatMap((token, at) => {
    const change = depthOf(token)
    depth += change
    return depth === 0 && change === 0 ? [{ token, at }] : []
  })
}

/** The parts of a list between tokens that are in no brackets. */
export function splitBy(
  tokens: readonly Token[],
  isBetween: (token: Token) => boolean,
): readonly (readonly Token[])[] {
  const between = outside(tokens).flatMap(({ token, at }) => (isBetween(token) ? [at] : []))
  return [-1, ...between].map((at, index) => tokens.slice(at + 1, between[index]))
}
