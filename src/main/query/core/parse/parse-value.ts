import type { AggregateKind } from '../../../../plan/task/finish.ts'
import { printIdentifier } from '../../../sql/text/keywords.ts'
import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { isSign } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { AggregateCall, ColumnName, Value } from './ast.ts'

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

/** Parses a column, with or without the name of its table before a dot, or an aggregate. */
export function parseValue(reader: TokenReader): Value {
  const token = reader.peek()
  if (token?.kind === 'word' && isSign(reader.peek(1), '(')) return parseAggregate(reader)
  return parseColumn(reader)
}

export function parseColumn(reader: TokenReader): ColumnName {
  const at = reader.at()
  const first = reader.expectName()
  if (reader.isSign('(')) decline(`the function "${first}"`, at)
  if (!reader.takeSign('.')) return { kind: 'column', table: null, name: first, at }
  const { kind, text } = reader.peek() ?? reader.unexpected()
  if (kind !== 'word' && kind !== 'quoted') reader.unexpected()
  reader.next()
  if (reader.isSign('.') || reader.isSign('(')) decline(`what follows "${first}"."${text}"`, reader.at())
  return { kind: 'column', table: first, name: text, at }
}

function parseAggregate(reader: TokenReader): AggregateCall {
  const at = reader.at()
  const name = reader.next().text.toLowerCase()
  const kind = AGGREGATES.get(name)
  if (kind === undefined) decline(`the function ${name}`, at)
  reader.expectSign('(')
  const call = kind === 'count' ? parseCount(reader, at) : parseOne(reader, name, kind, at)
  reader.expectSign(')')
  for (const word of ['FILTER', 'OVER', 'WITHIN', 'IGNORE', 'RESPECT'])
    if (reader.isWord(word)) decline(word === 'OVER' ? 'a window function' : word, reader.at())
  return call
}

/** Parses the argument of a count: `count()`, `count(*)`, `count(1)`, `count(c)` or `count(DISTINCT c)`. */
function parseCount(reader: TokenReader, at: number): AggregateCall {
  const rows = { kind: 'aggregate', name: 'count', aggregate: 'count_rows', argument: null, at } as const
  if (reader.isSign(')') || reader.takeSign('*')) return { ...rows, label: 'count_star()' }
  const token = reader.peek()
  if (token?.kind === 'number' && /^\d{1,9}$/.test(token.text)) {
    reader.next()
    return { ...rows, label: `count(${Number(token.text)})` }
  }
  if (!reader.takeWords('DISTINCT')) return parseOne(reader, 'count', 'count', at)
  const argument = parseColumn(reader)
  const label = `count(DISTINCT ${printColumn(argument)})`
  return { kind: 'aggregate', name: 'count', aggregate: 'count_distinct', argument, label, at }
}

function parseOne(reader: TokenReader, name: string, aggregate: AggregateKind, at: number): AggregateCall {
  const argument = parseColumn(reader)
  return { kind: 'aggregate', name, aggregate, argument, label: `${name}(${printColumn(argument)})`, at }
}

/** The name of a column as DuckDB prints it in a label. */
function printColumn({ table, name }: ColumnName): string {
  return table === null ? printIdentifier(name) : `${printIdentifier(table)}.${printIdentifier(name)}`
}
