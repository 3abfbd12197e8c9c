import { foldSqlName } from '../../../../plan/statement/statement.ts'
import { parseList } from '../../../sql/text/parse-list.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import { writtenKey } from '../print/written-key.ts'
import type { FirstsOfSelect, Item, OrderItem, Ordinal, RowNumber, Select, SqlExpression } from './ast.ts'
import { parseExpression } from './parse-expression.ts'
import { expectCount } from './parse-from.ts'

/** What is parsed elsewhere. */
export interface Parsers {
  parsePlace(reader: TokenReader, parseInner: () => Select): SqlExpression | Ordinal
  parseOrderItem(reader: TokenReader, parseInner: () => Select): OrderItem
}

/** Parses `ON (…)` behind DISTINCT. Null: something else comes next. */
export function parseDistinctOn(
  reader: TokenReader,
  { parsePlace }: Pick<Parsers, 'parsePlace'>,
): FirstsOfSelect | null {
  const at = reader.at()
  if (!reader.isWord('ON') || !isSign(reader.peek(1), '(')) return null
  reader.takeWords('ON')
  reader.expectSign('(')
  const on = parseList(reader, () => parsePlace(reader, () => noSubquery(at)))
  reader.expectSign(')')
  return { kind: 'distinct_on', on, at }
}

/** Parses `row_number() OVER (PARTITION BY … ORDER BY …)`. Null: something else comes next. */
export function parseRowNumber(
  reader: TokenReader,
  { parseOrderItem }: Pick<Parsers, 'parseOrderItem'>,
): RowNumber | null {
  const at = reader.at()
  if (!reader.isWord('ROW_NUMBER') || !isSign(reader.peek(1), '(')) return null
  reader.takeWords('ROW_NUMBER')
  reader.expectSign('(')
  reader.expectSign(')')
  if (!reader.takeWords('OVER')) reader.unexpected()
  reader.expectSign('(')
  const parseInner = (): Select => noSubquery(at)
  const partitionBy = reader.takeWords('PARTITION', 'BY')
    ? parseList(reader, () => parseExpression(reader, parseInner))
    : []
  const orderBy = reader.takeWords('ORDER', 'BY')
    ? parseList(reader, () => parseOrderItem(reader, parseInner))
    : []
  reader.expectSign(')')
  return { partitionBy, orderBy, at }
}

/** Statements put the values of subqueries in their places in other clauses alone. */
function noSubquery(at: number): never {
  return decline('a subquery in DISTINCT ON or OVER', at)
}

/** Parses what follows QUALIFY: a number of rows, or the name of one in the list, that is compared with a constant. */
export function parseQualify(reader: TokenReader, parsers: Parsers, items: readonly Item[]): FirstsOfSelect {
  const at = reader.at()
  const listed = numberIn(items)
  const window = parseRowNumber(reader, parsers) ?? windowIn(reader, items, at)
  if (listed !== null && writtenKey(listed) !== writtenKey(window))
    decline('QUALIFY by another window than that of the list', at)
  return { kind: 'row_number', window, most: parseMost(reader) }
}

/** The window of the list that the name which comes next belongs to. */
function windowIn(reader: TokenReader, items: readonly Item[], at: number): RowNumber {
  const name = reader.expectName()
  const item = items.find(
    (each) => each.kind === 'row_number' && foldSqlName(each.alias) === foldSqlName(name),
  )
  return item?.kind === 'row_number' ? item.window : decline(`QUALIFY by "${name}"`, at)
}

/** The most rows that `= 1`, `<= 3` or `< 4` leaves of each group. */
function parseMost(reader: TokenReader): number {
  const at = reader.at()
  const isLess = reader.takeSign('<')
  const isEqual = reader.takeSign('=')
  if (!isLess && !isEqual) return reader.unexpected()
  const count = expectCount(reader)
  return mostOf(isLess ? (isEqual ? '<=' : '<') : '=', count, at)
}

/** The most rows of each group whose numbers compare so with a constant. Declines comparisons that leave none, or others than the first. */
export function mostOf(comparison: string, count: number, at: number): number {
  const most = comparison === '<' ? count - 1 : count
  const isFirsts = comparison === '<' || comparison === '<=' || (comparison === '=' && count === 1)
  return isFirsts && most > 0 ? most : decline('a number of rows that does not choose the first ones', at)
}

/** The window of the list of a SELECT. Null: it has none. Declines several that differ. */
export function numberIn(items: readonly Item[]): RowNumber | null {
  const windows = items.flatMap((item) => (item.kind === 'row_number' ? [item.window] : []))
  const [first = null, ...others] = windows
  if (first !== null && others.some((other) => writtenKey(other) !== writtenKey(first)))
    decline('several windows', first.at)
  return first
}
