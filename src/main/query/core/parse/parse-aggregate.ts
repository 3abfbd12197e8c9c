import type { Share } from '../../../../plan/task/finish.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { decline } from '../../bind/declined.ts'
import type { AggregateCall, SqlExpression } from './ast.ts'

/** Aggregates of an argument. */
type OfArgument = Exclude<AggregateCall['aggregate'], 'count_rows'>

const AGGREGATES: ReadonlyMap<string, OfArgument> = new Map([
  ['count', 'count'],
  ['sum', 'sum'],
  ['min', 'min'],
  ['max', 'max'],
  ['avg', 'avg'],
  ['mean', 'avg'],
  ['stddev', 'stddev_samp'],
  ['stddev_samp', 'stddev_samp'],
  ['stddev_pop', 'stddev_pop'],
  ['var', 'var_samp'],
  ['variance', 'var_samp'],
  ['var_samp', 'var_samp'],
  ['var_pop', 'var_pop'],
  ['median', 'median'],
  ['quantile', 'quantile_disc'],
  ['quantile_disc', 'quantile_disc'],
  ['quantile_cont', 'quantile_cont'],
  ...['arg_max', 'argmax', 'max_by'].map((name) => [name, 'arg_max'] as const),
  ...['arg_min', 'argmin', 'min_by'].map((name) => [name, 'arg_min'] as const),
])

/** Parses an aggregate. Null: something else comes next. `parseArgument` parses its argument. */
export function parseAggregate(
  reader: TokenReader,
  parseArgument: () => SqlExpression,
): AggregateCall | null {
  const at = reader.at()
  const token = reader.peek()
  const name = token?.kind === 'word' ? token.text.toLowerCase() : ''
  const aggregate = AGGREGATES.get(name)
  if (aggregate === undefined) return null
  reader.next()
  reader.expectSign('(')
  const parsed =
    name === 'count'
      ? parseCount(reader, at, parseArgument)
      : parseArguments(reader, { name, at, aggregate }, parseArgument)
  reader.expectSign(')')
  const filtered = reader.isWord('FILTER')
    ? { ...parsed, filter: parseFilter(reader, parseArgument) }
    : parsed
  for (const word of ['OVER', 'WITHIN', 'IGNORE', 'RESPECT'])
    if (reader.isWord(word)) decline(word === 'OVER' ? 'a window function' : word, reader.at())
  return filtered
}

interface Call {
  readonly name: string
  readonly aggregate: OfArgument
  readonly at: number
}

/** Parses what is in the brackets of an aggregate other than `count`. */
function parseArguments(
  reader: TokenReader,
  { name, at, aggregate }: Call,
  parseArgument: () => SqlExpression,
): AggregateCall {
  const isQuantile = aggregate === 'median' || aggregate === 'quantile_cont' || aggregate === 'quantile_disc'
  const isDistinct = isQuantile && reader.takeWords('DISTINCT')
  const call = { kind: 'aggregate', name, aggregate, argument: parseArgument(), rows: '', at } as const
  const nextArgument = (): SqlExpression => {
    reader.expectSign(',')
    return parseArgument()
  }
  if (aggregate === 'arg_max' || aggregate === 'arg_min') return { ...call, by: nextArgument() }
  if (!isQuantile) return call
  const share = aggregate === 'median' ? {} : { share: shareOf(nextArgument()) }
  return { ...call, ...share, isDistinct }
}

/** A share from 0 to 1 of at most nine digits behind the point, which is computed with exactly. Declines anything else. */
function shareOf(argument: SqlExpression): NonNullable<AggregateCall['share']> {
  const isNumber = argument.kind === 'literal' && (argument.form === 'integer' || argument.form === 'decimal')
  const [, whole = '', part = ''] = (isNumber && /^([01])(?:\.(\d{1,9}))?$/.exec(argument.text)) || []
  const value: Share = { digits: Number(`${whole}${part}`), scale: part.length }
  if (!isNumber || whole === '' || value.digits > 10 ** value.scale)
    return decline('a quantile of what is no constant from 0 to 1', argument.at)
  return { value, literal: argument }
}

/** `FILTER (WHERE condition)`. */
function parseFilter(reader: TokenReader, parseCondition: () => SqlExpression): SqlExpression {
  reader.next()
  reader.expectSign('(')
  // DuckDB needs no WHERE.
  reader.takeWords('WHERE')
  const condition = parseCondition()
  reader.expectSign(')')
  return condition
}

/** Parses what `count` counts: `count()`, `count(*)`, `count(1)`, `count(c)` or `count(DISTINCT c)`. */
function parseCount(reader: TokenReader, at: number, parseArgument: () => SqlExpression): AggregateCall {
  const one = { kind: 'aggregate', name: 'count', rows: '', at } as const
  const rows = { ...one, aggregate: 'count_rows', argument: null } as const
  if (reader.isSign(')') || reader.takeSign('*')) return rows
  if (reader.takeWords('DISTINCT')) return { ...one, aggregate: 'count_distinct', argument: parseArgument() }
  const argument = parseArgument()
  // A constant that is not null is there in each row.
  const isNumber =
    argument.kind === 'literal' && argument.form === 'integer' && /^\d{1,9}$/.test(argument.text)
  return isNumber
    ? { ...rows, rows: String(Number(argument.text)) }
    : { ...one, aggregate: 'count', argument }
}
