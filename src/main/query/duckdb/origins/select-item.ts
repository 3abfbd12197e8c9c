import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { isName } from '../../../sql/text/keywords.ts'
import { isSign, type Token } from '../../../sql/text/tokens.ts'
import { indexOfClosing, splitBy } from './split-block.ts'

/** A column by its name, with the name of its relation before it if that is written. */
export interface WrittenColumn {
  readonly table: string | null
  readonly name: string
}

/** An item of a select list. */
export type SelectItem =
  | { readonly kind: 'star'; readonly table: string | null; readonly excluded: readonly string[] }
  /** A column, or an aggregate of one that is in its units. `name`: that of the answer; null: DuckDB makes one with brackets. */
  | { readonly kind: 'column'; readonly column: WrittenColumn; readonly name: string | null }
  /** Something else. `name`: null if it is not known. That of a call without an alias has brackets. */
  | { readonly kind: 'other'; readonly name: string | null; readonly isCall: boolean }
  /** It may be several columns. */
  | { readonly kind: 'unknown' }

/** Aggregates whose values are such as those of their first argument, in its units. */
const KEEPING = new Set(
  `min max avg mean median first last any_value arbitrary first_value last_value
  quantile quantile_cont quantile_disc approx_quantile approx_percentile_cont`.split(/\s+/),
)

/** The same, of the column by which they order. */
const ORDERED = new Set(['percentile_cont', 'percentile_disc', 'quantile_cont', 'quantile_disc'])

export function readItem(tokens: readonly Token[]): SelectItem {
  const star = starOf(tokens)
  if (star !== null) return star
  if (tokens.some(({ word }) => word === 'COLUMNS' || word === 'UNNEST' || word === 'UNPACK'))
    return { kind: 'unknown' }
  // DuckDB also has `alias: value`.
  if (tokens.length === 0 || isSign(tokens[1], ':') || isSign(tokens[0], '*')) return { kind: 'unknown' }
  const { value, alias } = withoutAlias(tokens)
  const column = columnOf(value)
  if (column !== null) return { kind: 'column', column, name: alias ?? column.name }
  const argument = argumentOf(value)
  if (argument !== null) return { kind: 'column', column: argument, name: alias }
  const isCall =
    value[0]?.kind === 'word' && isSign(value[1], '(') && indexOfClosing(value, 1) === value.length - 1
  return { kind: 'other', name: alias, isCall }
}

/** `*`, `t.*`, and with `EXCLUDE`. Null: it is something else. */
function starOf(tokens: readonly Token[]): SelectItem | null {
  const isOfTable = isSign(tokens[1], '.') && isSign(tokens[2], '*')
  if (!isOfTable && !isSign(tokens[0], '*')) return null
  const rest = tokens.slice(isOfTable ? 3 : 1)
  const table = isOfTable ? (tokens[0]?.text ?? null) : null
  if (rest.length === 0) return { kind: 'star', table, excluded: [] }
  if (rest[0]?.word !== 'EXCLUDE') return { kind: 'unknown' }
  const list =
    isSign(rest[1], '(') && indexOfClosing(rest, 1) === rest.length - 1 ? rest.slice(2, -1) : rest.slice(1)
  const names = splitBy(list, (token) => isSign(token, ',')).map(columnOf)
  const excluded = names.flatMap((each) =>
    each !== null && each.table === null ? [foldSqlName(each.name)] : [],
  )
  return excluded.length < names.length ? { kind: 'unknown' } : { kind: 'star', table, excluded }
}

function withoutAlias(tokens: readonly Token[]): { value: readonly Token[]; alias: string | null } {
  const last = tokens.at(-1)
  const before = tokens.at(-2)
  if (last === undefined || before === undefined) return { value: tokens, alias: null }
  const isText = last.kind === 'word' || last.kind === 'quoted'
  if (isText && before.word === 'AS') return { value: tokens.slice(0, -2), alias: last.text }
  const isAfterValue =
    isSign(before, ')') || before.kind === 'quoted' || (before.kind === 'word' && isName(before.text))
  const isAlias = last.kind === 'quoted' || (last.kind === 'word' && isName(last.text))
  return isAlias && isAfterValue
    ? { value: tokens.slice(0, -1), alias: last.text }
    : { value: tokens, alias: null }
}

/** A column. Null: the tokens are something else. */
function columnOf(tokens: readonly Token[]): WrittenColumn | null {
  const [first, dot, second, ...others] = tokens
  if (first === undefined || others.length > 0) return null
  if (dot === undefined) return isColumnName(first) ? { table: null, name: first.text } : null
  if (!isSign(dot, '.') || second === undefined || !isColumnName(first)) return null
  const isMember = second.kind === 'word' || second.kind === 'quoted'
  return isMember ? { table: first.text, name: second.text } : null
}

/** Whether a token is a name, and no function that is called without brackets, such as `current_date`. */
function isColumnName({ kind, text }: Token): boolean {
  return (
    kind === 'quoted' ||
    (kind === 'word' && isName(text) && !/^(?:current_|local|session_user|user$)/i.test(text))
  )
}

/** The column of which an aggregate is, in its units. Null: the tokens are something else. */
function argumentOf(tokens: readonly Token[]): WrittenColumn | null {
  const [name, open] = tokens
  const end = isSign(open, '(') ? indexOfClosing(tokens, 1) : null
  if (name?.kind !== 'word' || end === null) return null
  const called = name.text.toLowerCase()
  const rest = behindCall(tokens.slice(end + 1))
  if (rest === null) return null
  const inside = tokens.slice(2, end)
  if (rest.ordered !== null) return ORDERED.has(called) ? columnOf(rest.ordered) : null
  if (!KEEPING.has(called)) return null
  const [first = []] = splitBy(inside, (token) => isSign(token, ','))
  const order = first.findIndex(({ word }) => word === 'ORDER')
  const argument = order === -1 ? first : first.slice(0, order)
  const isDistinct = argument[0]?.word === 'DISTINCT' || argument[0]?.word === 'ALL'
  return columnOf(isDistinct ? argument.slice(1) : argument)
}

/**
 * What follows a call: `FILTER (…)`, `OVER …`, and `WITHIN GROUP (ORDER BY …)`, of which it returns what is ordered. Null: something
 * else follows.
 */
function behindCall(tokens: readonly Token[]): { readonly ordered: readonly Token[] | null } | null {
  let ordered: readonly Token[] | null = null
  let rest = tokens
  while (rest.length > 0) {
    const isWithin = rest[0]?.word === 'WITHIN' && rest[1]?.word === 'GROUP'
    const open = isWithin ? 2 : 1
    const isNamedWindow = rest[0]?.word === 'OVER' && !isSign(rest[1], '(') && rest[1] !== undefined
    const end = isNamedWindow ? 1 : isSign(rest[open], '(') ? indexOfClosing(rest, open) : null
    if (end === null) return null
    if (isWithin) {
      const inside = rest.slice(open + 1, end)
      if (inside[0]?.word !== 'ORDER' || inside[1]?.word !== 'BY') return null
      const last = inside.at(-1)?.word
      ordered = inside.slice(2, last === 'ASC' || last === 'DESC' ? -1 : undefined)
    } else if (rest[0]?.word !== 'FILTER' && rest[0]?.word !== 'OVER') return null
    rest = rest.slice(end + 1)
  }
  return { ordered }
}
