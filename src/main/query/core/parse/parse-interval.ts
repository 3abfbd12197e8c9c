import type { TokenReader } from '../../../sql/text/token-reader.ts'
import { wordOf } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'
import type { Literal } from '../../bind/expressions/literal.ts'

/** Units of intervals that DuckDB's grammar has, by the functions that it calls, with the types to which it casts their number. */
const UNITS: readonly (readonly [name: string, casts: Casts, words: readonly string[]])[] = [
  ['to_millennia', 'INTEGER', ['MILLENNIUM', 'MILLENNIA', 'MILLENNIUMS']],
  ['to_centuries', 'INTEGER', ['CENTURY', 'CENTURIES']],
  ['to_decades', 'INTEGER', ['DECADE', 'DECADES']],
  ['to_years', 'INTEGER', ['YEAR', 'YEARS']],
  ['to_quarters', 'INTEGER', ['QUARTER', 'QUARTERS']],
  ['to_months', 'INTEGER', ['MONTH', 'MONTHS']],
  ['to_weeks', 'INTEGER', ['WEEK', 'WEEKS']],
  ['to_days', 'INTEGER', ['DAY', 'DAYS']],
  ['to_hours', 'BIGINT', ['HOUR', 'HOURS']],
  ['to_minutes', 'BIGINT', ['MINUTE', 'MINUTES']],
  ['to_seconds', 'DOUBLE', ['SECOND', 'SECONDS']],
  ['to_milliseconds', 'DOUBLE', ['MILLISECOND', 'MILLISECONDS']],
  ['to_microseconds', 'BIGINT', ['MICROSECOND', 'MICROSECONDS']],
]

type Casts = 'INTEGER' | 'BIGINT' | 'DOUBLE'

const BY_WORD = new Map(
  UNITS.flatMap(([name, casts, words]) => words.map((word) => [word, { name, casts }] as const)),
)

/** Parses `INTERVAL 3 MONTH` or `INTERVAL '3' MONTH`. Null: something else comes next, such as `INTERVAL '3 months'`. */
export function parseIntervalWithUnit(reader: TokenReader): Literal | null {
  const at = reader.at()
  const [amount, unit] = [reader.peek(1), wordOf(reader.peek(2))]
  if (!reader.isWord('INTERVAL') || (amount?.kind !== 'number' && amount?.kind !== 'string')) return null
  const of = BY_WORD.get(unit ?? '')
  if (of === undefined) return amount.kind === 'string' ? null : decline('an interval without a unit', at)
  const [, count] = /^'?(?<count>-?\d{1,9})'?$/.exec(amount.text) ?? []
  if (count === undefined || wordOf(reader.peek(3)) === 'TO')
    return decline('an interval that is no whole number', at)
  for (let tokens = 0; tokens < 3; tokens++) reader.next()
  const double = `CAST(${amount.text} AS DOUBLE)`
  const call = `${of.name}(${of.casts === 'DOUBLE' ? double : `CAST(trunc(${double}) AS ${of.casts})`})`
  return { kind: 'literal', form: 'interval', text: `${count} ${unit?.toLowerCase()}`, call, at }
}
