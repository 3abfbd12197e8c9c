import { isSign, type Token } from './tokens.ts'

/** A column by which rows are ordered with DESC and without NULLS, before a LIMIT keeps the first of them. */
export interface DescendingColumn {
  readonly name: string
  /** The item as it is written, such as `t.temp DESC`. */
  readonly written: string
}

/** What ends the items of ORDER BY, and what ends a condition. */
const AFTER_ORDER: ReadonlySet<string | null> = new Set([
  'LIMIT',
  'OFFSET',
  'FETCH',
  'UNION',
  'EXCEPT',
  'INTERSECT',
])
const AFTER_WHERE: ReadonlySet<string | null> = new Set(['GROUP', 'HAVING', 'QUALIFY', 'WINDOW', 'ORDER'])

/**
 * The columns after which a statement, or a query in it, orders rows with DESC and without NULLS FIRST or LAST and keeps some: nulls come
 * first then. Left out are expressions and names of expressions, and columns of which a condition of the same block lets no null pass.
 */
export function findDescendingLimits(text: string, tokens: readonly Token[]): readonly DescendingColumn[] {
  return blocksOf(tokens).flatMap((block) => findDescendingIn(text, block))
}

/** The tokens of each pair of brackets, and those outside of all, each without what stands in further brackets but with these brackets. */
function blocksOf(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const blocks: Token[][] = [[]]
  const open: Token[][] = [...blocks]
  for (const token of tokens) {
    if (isSign(token, ')') && open.length > 1) open.pop()
    open.at(-1)?.push(token)
    if (!isSign(token, '(')) continue
    const block: Token[] = []
    blocks.push(block)
    open.push(block)
  }
  return blocks
}

function findDescendingIn(text: string, block: readonly Token[]): readonly DescendingColumn[] {
  const columns: DescendingColumn[] = []
  for (let at = 0; at < block.length; at++) {
    if (block[at]?.word !== 'ORDER' || block[at + 1]?.word !== 'BY') continue
    const rest = block.slice(at + 2)
    const end = rest.findIndex(({ word }) => AFTER_ORDER.has(word))
    const keeps = rest.slice(Math.max(0, end)).some(({ word }) => word === 'LIMIT' || word === 'FETCH')
    if (end < 0 || !keeps) continue
    for (const item of split(rest.slice(0, end))) {
      const name = nameOfDescending(item)
      const [first, last] = [item[0], item.at(-1)]
      if (name === null || first === undefined || last === undefined) continue
      const column = columnOf(name, block.slice(0, at))
      if (column === null || isTested(column, block.slice(0, at + 1))) continue
      columns.push({ name: column, written: text.slice(first.start, last.end) })
    }
  }
  return columns
}

/** The parts of a list between its commas. */
function split(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const items: Token[][] = [[]]
  for (const token of tokens) {
    if (isSign(token, ',')) items.push([])
    else items.at(-1)?.push(token)
  }
  return items
}

/** The name of an item that is a column, maybe behind names and dots, and DESC. Null: it is something else. */
function nameOfDescending(item: readonly Token[]): string | null {
  if (item.length < 2 || item.length % 2 !== 0 || item.at(-1)?.word !== 'DESC') return null
  const names = item.slice(0, -1)
  const isPath = names.every((token, place) => (place % 2 === 0 ? isName(token) : isSign(token, '.')))
  return isPath ? (names.at(-1)?.text ?? null) : null
}

/** The column that a name means where the list before it may give the name to something else. Null: it is an expression. */
function columnOf(name: string, before: readonly Token[]): string | null {
  const at = before.findIndex((token, place) => isSame(token, name) && isAlias(before, place))
  if (at < 0) return name
  const [of, start] = [before[at - 2], before[at - 3]]
  const isColumn =
    isName(of) && (isSign(start, ',') || start?.word === 'SELECT' || start?.word === 'DISTINCT')
  return isColumn ? of.text : null
}

/** Whether the token at a place names what stands before it: behind AS, or behind an expression. */
function isAlias(tokens: readonly Token[], place: number): boolean {
  const [before, after] = [tokens[place - 1], tokens[place + 1]]
  const endsItem = after === undefined || isSign(after, ',') || after.word === 'FROM'
  return endsItem && (before?.word === 'AS' || isSign(before, ')') || before?.kind === 'number')
}

/** Whether the condition of the block lets no null of the column pass: it compares the column, and has no OR. */
function isTested(name: string, block: readonly Token[]): boolean {
  const from = block.findIndex(({ word }) => word === 'WHERE')
  if (from < 0) return false
  const rest = block.slice(from + 1)
  const end = rest.findIndex(({ word }) => AFTER_WHERE.has(word))
  const condition = rest.slice(0, end < 0 ? rest.length : end)
  if (condition.some(({ word }) => word === 'OR')) return false
  return condition.some((token, place) => {
    if (!isSame(token, name)) return false
    const [one, two, three] = condition.slice(place + 1)
    const compares = one?.kind === 'sign' && /^[<>=!]$/.test(one.text)
    const isIn = ['BETWEEN', 'IN', 'LIKE'].includes((one?.word === 'NOT' ? two?.word : one?.word) ?? '')
    return compares || isIn || (one?.word === 'IS' && two?.word === 'NOT' && three?.word === 'NULL')
  })
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'quoted'
}

function isSame(token: Token, name: string): boolean {
  return isName(token) && token.text.toLowerCase() === name.toLowerCase()
}
