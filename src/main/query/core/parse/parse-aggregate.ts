import type { AggregateKind } from '../../../../plan/task/finish.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { decline } from '../../bind/declined.ts'
import type { AggregateCall, SqlExpression } from './ast.ts'

const AGGREGATES: ReadonlyMap<string, AggregateKind> = new Map([
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
  const parsed: AggregateCall =
    name === 'count'
      ? parseCount(reader, at, parseArgument)
      : { kind: 'aggregate', name, aggregate, argument: parseArgument(), rows: '', at }
  reader.expectSign(')')
  const filtered = reader.isWord('FILTER')
    ? { ...parsed, filter: parseFilter(reader, parseArgument) }
    : parsed
  for (const word of ['OVER', 'WITHIN', 'IGNORE', 'RESPECT'])
    if (reader.isWord(word)) decline(word === 'OVER' ? 'a window function' : word, reader.at())
  return filtered
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
