import type { DataType } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'

const int = (bits: 8 | 16 | 32 | 64, signed = true): DataType => ({ kind: 'int', bits, signed })

/** Columns that generated expressions compute from. */
export const EXPRESSION_COLUMNS: Readonly<Record<string, DataType>> = {
  i8: int(8),
  i16: int(16),
  i32: int(32),
  i64: int(64),
  u8: int(8, false),
  u16: int(16, false),
  u32: int(32, false),
  u64: int(64, false),
  f32: { kind: 'float', bits: 32 },
  f64: { kind: 'float', bits: 64 },
  price: { kind: 'decimal', bits: 128, precision: 9, scale: 2 },
  flag: { kind: 'bool' },
  name: { kind: 'utf8' },
  day: { kind: 'date', unit: 'day' },
  time: { kind: 'timestamp', unit: 'microsecond', zone: null },
  time_s: { kind: 'timestamp', unit: 'second', zone: null },
  time_ms: { kind: 'timestamp', unit: 'millisecond', zone: null },
  time_ns: { kind: 'timestamp', unit: 'nanosecond', zone: null },
  zoned: { kind: 'timestamp', unit: 'microsecond', zone: 'UTC' },
  zoned_ns: { kind: 'timestamp', unit: 'nanosecond', zone: 'UTC' },
  'Odd n': int(32),
  year: int(16),
}

const DAY_SECONDS = 86_400

/** Seconds since 1970 at which the calendar is odd: ends of years, leap days, and dates before 1900 and before the year 1. */
const MOMENTS = [
  '2000-02-29T23:59:59',
  '2019-12-30T00:00:00',
  '2023-12-31T23:59:59',
  '2024-01-01T00:00:00',
  '2024-02-29T12:34:56',
  '2024-03-01T00:00:00',
  '1969-12-31T23:59:59',
  '1899-12-31T23:59:59',
  '1900-03-01T00:00:00',
  '1700-01-01T00:00:00',
  '2261-12-31T06:00:00',
].map((text) => BigInt(Date.parse(`${text}Z`)) / 1000n)

const FAR = [
  '0001-01-01T00:00:00',
  '0000-12-31T23:00:00',
  '-000099-02-28T00:00:01',
  '9999-12-31T23:59:59',
].map((text) => BigInt(Date.parse(`${text}Z`)) / 1000n)

/** Dates and times whose fields often go wrong. Empty: the type has none. */
export function oddTimes(type: DataType): readonly bigint[] {
  if (type.kind === 'date')
    return [...MOMENTS, ...FAR].map((seconds) => BigInt(Math.floor(Number(seconds) / DAY_SECONDS)))
  if (type.kind !== 'timestamp') return []
  const unit = { second: 1n, millisecond: 10n ** 3n, microsecond: 10n ** 6n, nanosecond: 10n ** 9n }[
    type.unit
  ]
  const times = type.unit === 'nanosecond' ? MOMENTS : [...MOMENTS, ...FAR]
  return times.flatMap((seconds) => [seconds * unit, seconds * unit + (unit * 3n) / 4n])
}

const column = fc.constantFrom(
  ...['i8', 'i16', 'i32', 'i64', 'u8', 'u16', 'u32', 'u64', 'f32', 'F64', 'f64', 'price', 'flag', 'name'],
  ...['day', 'time', '"Odd n"', '"year"'],
)
const literal = fc.constantFrom(
  ...['0', '1', '-1', '2', '100', '200', '300', '-129', '40000', '70000', '3000000000', '-2147483648'],
  ...['1.8', '-0.5', '22.25', '1e0', '1.5e3', "'a'", "'it''s'", 'TRUE', 'false', 'NULL', '007', '.5'],
)
const unary = fc.constantFrom(
  ...['floor', 'ceil', 'CEILING', 'round', 'trunc', 'abs', 'sign', 'sqrt', 'isnan', '-', 'exp', 'ln', 'log'],
)
const type = fc.constantFrom(
  ...[
    'INTEGER',
    'int',
    'BIGINT',
    'int8',
    'DOUBLE',
    'REAL',
    'float',
    'UTINYINT',
    'uint64',
    'BOOLEAN',
    'TINYINT',
  ],
)
const sign = fc.constantFrom('+', '-', '*', '/', '//', '%')
const field = fc.constantFrom(
  ...['year', 'month', 'day', 'DAYOFMONTH', 'quarter', 'dayofyear', 'dayofweek', 'weekday', 'isodow', 'week'],
  ...['weekofyear', 'isoyear', 'yearweek', 'decade', 'century', 'millennium', 'era'],
  ...['hour', 'minute', 'second', 'millisecond', 'microsecond'],
)
const part = fc.constantFrom(
  ...[
    'year',
    'month',
    'DAY',
    'decade',
    'century',
    'millennium',
    'quarter',
    'week',
    'hour',
    'minute',
    'second',
  ],
  ...[
    'mon',
    'yr',
    'years',
    'd',
    'dow',
    'doy',
    'h',
    'mins',
    'secs',
    'isodow',
    'weeks',
    'era',
    'yearweek',
    'epoch',
  ],
)
const interval = fc.constantFrom(
  ...[
    'INTERVAL 1 DAY',
    "INTERVAL '1 month'",
    'INTERVAL 6 HOURS',
    "INTERVAL '13' MONTH",
    'interval 90 minute',
  ],
  ...["INTERVAL '1 year 2 days 3 hours'", "INTERVAL '-5 days'", 'INTERVAL 1 week', "'2 mons'::INTERVAL"],
  ...['INTERVAL 3 second', 'INTERVAL 2 MILLISECONDS', 'INTERVAL 1 QUARTER', "CAST('1 h' AS INTERVAL)"],
)
const width = fc.constantFrom(
  ...['INTERVAL 1 DAY', "INTERVAL '1 month'", 'INTERVAL 6 HOURS', "INTERVAL '7' MONTH", "'15 minutes'"],
  ...["'1 week'", 'INTERVAL 10 YEAR', "INTERVAL '1 day 12 hours'", "'3 mons'", 'INTERVAL 3 second'],
)
const format = fc.constantFrom(
  "'%Y-%m'",
  "'%d.%m.%Y %H:%M:%S'",
  "'%j'",
  "'%a %-d %b %y'",
  "'%c'",
  "'%H%f'",
  "'%G-W%V %U %x %T%z'",
)
const anyTime = fc.constantFrom(
  ...['time', 'day', 'time_s', 'time_ms', 'time_ns', 'time', 'day', 'zoned', 'zoned', 'zoned_ns'],
  ...['to_timestamp(i32)', 'to_timestamp(f32)', 'to_timestamp(u32 * 1.25e0)', 'to_timestamp(price)'],
)
const zone = fc.constantFrom("'Europe/Paris'", "'America/New_York'", "'UTC'", "'+05:30'", "'Nowhere'", 'name')
/** Texts that are times, in some or in all rows. */
const timeText = fc.constantFrom(
  ...['day::VARCHAR', 'time::VARCHAR', "strftime(time, '%Y-%m-%dT%H:%M:%SZ')", "strftime(day, '%Y/%m/%d')"],
  ...["concat(day, ' 12:30:00+02')", "left(time::VARCHAR, 7) || '-01'", 'time_ns::VARCHAR', 'name'],
)
const pattern = fc.constantFrom(
  "'a%'",
  "'%a'",
  "'%a%'",
  "'_'",
  "'a'",
  "''",
  "'%'",
  "'a_%'",
  "'é%'",
  "'1_'",
  "'%so%'",
)
const set = fc.constantFrom("' '", "'a'", "'é1'", "''", "'so'", "'0'")
const position = fc.constantFrom('0', '1', '2', '3', '-1', '-2', '9')
const moment = fc.constantFrom(
  ...["'2020-01-01'", "DATE '2020-01-01'", "TIMESTAMP '2020-01-01 00:00:00'", "'1900-03-01'", "'0001-01-01'"],
  ...[
    'zoned',
    'zoned_ns',
    "TIMESTAMPTZ '2024-02-29 12:30:00+02'",
    "'1969-12-31'::TIMESTAMPTZ",
    'to_timestamp(0)',
  ],
  ...["'2024-02-29'::DATE", "CAST('2024-01-01' AS TIMESTAMP)", "TIMESTAMP '1969-12-31 23:59:59.5'", 'day'],
)
const comparison = fc.constantFrom('=', '<>', '!=', '<', '<=', '>', '>=')
const not = fc.constantFrom('', 'NOT ')

// An interface has no index signature, which `letrec` needs.
type Generated = Readonly<
  Record<'expression' | 'number' | 'condition' | 'any' | 'time' | 'text' | 'field', string>
>

const weighted = (arbitrary: fc.Arbitrary<string>, weight: number) => ({ arbitrary, weight })

const SMALL: fc.OneOfConstraints = { depthSize: 'small', withCrossShrink: true }

const generated = fc.letrec<Generated>((tie) => ({
  expression: fc.oneof<fc.MaybeWeightedArbitrary<string>[]>(
    SMALL,
    column,
    weighted(tie('number'), 8),
    weighted(tie('field'), 4),
    weighted(tie('time'), 2),
    weighted(tie('text'), 3),
    fc
      .tuple(tie('condition'), tie('number'), tie('number'))
      .map(([test, a, b]) => `CASE WHEN ${test} THEN ${a} ELSE ${b} END`),
    fc
      .tuple(fc.constantFrom('coalesce', 'greatest', 'LEAST', 'nullif'), tie('number'), tie('number'))
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc
      .tuple(tie('any'), sign, tie('any'))
      .chain(([a, by, b]) => fc.constantFrom(`${a} ${by} ${b}`, `(${a}${by}(${b}))`)),
    fc.tuple(unary, tie('any')).map(([name, arg]) => `${name}(${arg})`),
    fc
      .tuple(tie('condition'), tie('any'), tie('any'))
      .map(([test, a, b]) => `CASE WHEN ${test} THEN ${a} ELSE ${b} END`),
    fc
      .tuple(column, literal, tie('any'))
      .map(([value, one, then]) => `case ${value} when ${one} then ${then} end`),
    fc
      .tuple(
        fc.constantFrom('coalesce', 'greatest', 'LEAST', 'nullif', 'ifnull', 'pow', 'mod'),
        tie('any'),
        tie('any'),
      )
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
    fc.tuple(tie('any'), type).map(([arg, to]) => `(${arg})::${to}`),
    fc
      .tuple(fc.constantFrom('CAST', 'try_cast'), tie('any'), type)
      .map(([name, arg, to]) => `${name}(${arg} AS ${to})`),
    tie('condition').map((test) => `(${test})`),
  ),
  time: fc.oneof<fc.MaybeWeightedArbitrary<string>[]>(
    SMALL,
    weighted(anyTime, 4),
    fc
      .tuple(fc.constantFrom('date_trunc', 'datetrunc'), part, tie('time'))
      .map(([name, of, arg]) => `${name}('${of}', ${arg})`),
    fc
      .tuple(tie('time'), fc.constantFrom('DATE', 'date', 'TIMESTAMPTZ'))
      .map(([arg, to]) => `(${arg})::${to}`),
    fc
      .tuple(
        fc.constantFrom('day', 'time::DATE'),
        fc.constantFrom('+', '-'),
        fc.constantFrom('1', '30', 'i8'),
      )
      .map((parts) => `(${parts.join(' ')})`),
    fc
      .tuple(tie('time'), fc.constantFrom('+', '-'), interval)
      .chain((parts) => fc.constantFrom(`(${parts.join(' ')})`, `date_add(${parts[0]}, ${parts[2]})`)),
    weighted(
      fc
        .tuple(fc.constantFrom('time_bucket', 'date_bin'), width, anyTime)
        .map(([name, of, arg]) => `${name}(${of}, ${arg})`),
      2,
    ),
    fc
      .tuple(
        fc.constantFrom('time_bucket', 'date_bin'),
        width,
        fc.constantFrom('time', 'time_s', 'day', 'zoned'),
      )
      .map(([name, of, arg]) => `${name}(${of}, ${arg}, TIMESTAMP '2021-02-03 04:05:06')`),
    fc
      .tuple(width, fc.constantFrom('time', 'time_s', 'day', 'zoned', 'time_ns'), interval)
      .map(([of, arg, by]) => `time_bucket(${of}, ${arg}, ${by})`),
    fc
      .constantFrom('time_s', 'time_ms', 'time_ns', 'day', 'zoned', 'zoned_ns')
      .map((arg) => `${arg}::TIMESTAMP`),
    tie('time').map((arg) => `to_timestamp(${arg})`),
    fc
      .tuple(
        fc.constantFrom('CAST', 'TRY_CAST', 'TRY_CAST'),
        timeText,
        fc.constantFrom('DATE', 'TIMESTAMP', 'TIMESTAMPTZ', 'TIMESTAMP_NS'),
      )
      .map(([name, arg, to]) => `${name}(${arg} AS ${to})`),
    weighted(
      fc
        .tuple(tie('time'), zone)
        .chain(([arg, of]) => fc.constantFrom(`(${arg} AT TIME ZONE ${of})`, `timezone(${of}, ${arg})`)),
      2,
    ),
    fc.constantFrom(
      "DATE '2024-01-31' + INTERVAL 1 MONTH",
      "TIMESTAMP '2020-01-01 12:00:00' - INTERVAL '1 day'",
    ),
    fc
      .tuple(fc.constantFrom('coalesce', 'greatest'), anyTime, moment)
      .map(([name, a, b]) => `${name}(${a}, ${b})`),
  ),
  text: fc.oneof<fc.MaybeWeightedArbitrary<string>[]>(
    SMALL,
    weighted(fc.constant('name'), 2),
    fc
      .tuple(fc.constantFrom('lower', 'UPPER', 'lcase', 'ucase', 'trim', 'ltrim', 'rtrim'), tie('text'))
      .map(([name, arg]) => `${name}(${arg})`),
    fc
      .tuple(fc.constantFrom('both', 'LEADING', 'trailing', ''), set, tie('text'))
      .map(([side, characters, arg]) => `trim(${side} ${characters} FROM ${arg})`),
    fc
      .tuple(fc.constantFrom('both', 'leading', ''), tie('text'))
      .map(([side, arg]) => `trim(${side} FROM ${arg})`),
    fc
      .tuple(tie('text'), position, fc.constantFrom('', ' FOR 1', ' for 2'))
      .map(([arg, at, count]) => `substring(${arg} FROM ${at}${count})`),
    fc
      .tuple(fc.constantFrom('trim', 'ltrim', 'rtrim'), tie('text'), set)
      .map(([name, arg, characters]) => `${name}(${arg}, ${characters})`),
    fc
      .tuple(fc.constantFrom('left', 'right', 'substring', 'substr'), tie('text'), position)
      .map(([name, arg, at]) => `${name}(${arg}, ${at})`),
    fc
      .tuple(fc.constantFrom('substring', 'SUBSTR'), tie('text'), position, position)
      .map(([name, arg, at, count]) => `${name}(${arg}, ${at}, ${count})`),
    fc.tuple(tie('time'), format).map(([arg, of]) => `strftime(${arg}, ${of})`),
    fc
      .tuple(tie('time'), fc.constantFrom('VARCHAR', 'text'))
      .chain(([arg, to]) => fc.constantFrom(`(${arg})::${to}`, `TRY_CAST(${arg} AS ${to})`)),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `${a} || ${b}`),
    fc.tuple(tie('text'), fc.constantFrom("'-'", 'name', 'NULL')).map(([a, b]) => `concat(${a}, ${b}, 'é')`),
    fc.tuple(tie('text'), set, fc.constantFrom("'xy'", "''")).map((args) => `replace(${args.join(', ')})`),
    // DuckDB binds each argument of this macro several times, and those inside of it too.
    fc
      .tuple(fc.constantFrom('name', 'lower(name)'), set, position)
      .map((args) => `split_part(${args.join(', ')})`),
  ),
  /** Integers that are computed of times and texts. */
  field: fc.oneof<fc.MaybeWeightedArbitrary<string>[]>(
    SMALL,
    weighted(
      fc.tuple(field, tie('time')).map(([name, arg]) => `${name}(${arg})`),
      3,
    ),
    fc.tuple(part, tie('time')).map(([name, arg]) => `date_part('${name}', ${arg})`),
    fc.tuple(part, tie('time')).map(([name, arg]) => `extract(${name} FROM ${arg})`),
    fc
      .tuple(fc.constantFrom('date_diff', 'datediff'), part, tie('time'), tie('time'))
      .map(([name, of, a, b]) => `${name}('${of}', ${a}, ${b})`),
    fc
      .tuple(fc.constantFrom('epoch', 'epoch_ms', 'EPOCH_US', 'epoch_ns'), tie('time'))
      .map(([name, arg]) => `${name}(${arg})`),
    fc.constantFrom("day - DATE '2020-01-01'", 'day - time::DATE', 'day - day'),
    fc
      .tuple(fc.constantFrom('length', 'len', 'char_length', 'LENGTH'), tie('text'))
      .map(([name, arg]) => `${name}(${arg})`),
    fc.tuple(set, tie('text')).map(([part, arg]) => `position(${part} IN ${arg})`),
    fc
      .tuple(fc.constantFrom('strpos', 'instr'), tie('text'), set)
      .map(([name, arg, part]) => `${name}(${arg}, ${part})`),
  ),
  /** Expressions as they are often written, of numbers. */
  number: fc.oneof<fc.MaybeWeightedArbitrary<string>[]>(
    SMALL,
    fc
      .tuple(
        fc.constantFrom('f32', 'f64', 'i8', 'i32', 'i64', 'u16'),
        sign,
        fc.constantFrom('1', '2', '5', '-1', '3e0'),
      )
      .map((parts) => parts.join(' ')),
    fc.constantFrom(
      'f64 * 1.8 + 32',
      'floor(f64 / 5) * 5',
      'round(f32, 1)',
      'round(f64, -1)',
      'i32 // 7',
      'i32 % 7',
      'f32 * f64',
    ),
    fc
      .tuple(fc.constantFrom('f32', 'f64', 'i8', 'i64'), fc.constantFrom('0', '1', 'i8', 'i64', '-1'))
      .map(([arg, digits]) => `round(${arg}, ${digits})`),
    fc.tuple(tie('number'), sign, tie('number')).map(([a, by, b]) => `(${a}) ${by} (${b})`),
    fc.tuple(unary, tie('number')).map(([name, arg]) => `${name}(${arg})`),
    tie('field'),
    fc.tuple(tie('number'), type).map(([arg, to]) => `TRY_CAST(${arg} AS ${to})`),
  ),
  condition: fc.oneof<fc.MaybeWeightedArbitrary<string>[]>(
    SMALL,
    fc.constant('flag'),
    weighted(
      fc
        .tuple(
          tie('field'),
          comparison,
          fc.constantFrom('2020', '1', '2', '2024', '12', '-1', '20', '0', '2019.5'),
        )
        .map((parts) => parts.join(' ')),
      3,
    ),
    weighted(
      fc.tuple(tie('time'), comparison, moment).map((parts) => parts.join(' ')),
      2,
    ),
    fc
      .tuple(
        timeText,
        comparison,
        fc.constantFrom(
          "DATE '2024-02-29'",
          "TIMESTAMP '2020-01-01 12:00:00'",
          'zoned',
          'day',
          "TIME '12:00:00'",
        ),
      )
      .map((parts) => parts.join(' ')),
    fc
      .tuple(
        fc.constantFrom(
          ...["strftime(time, '%Y-%m')", "strftime(day, '%Y')", "strftime(time_ns, '%Y-%m-%d')"],
          "strftime(zoned, '%Y-%m')",
        ),
        fc.constantFrom(
          ...["= '2024-02'", "<> '2024'", "= '1970-01-01'", "IN ('2024-02', '2024-03', '2024')"],
          ...["= '2024-13'", "= '2024'", "= '2024-02-29'", ">= '2024-02'"],
        ),
      )
      .map((parts) => parts.join(' ')),
    fc.constantFrom(
      "TRY_CAST(right(time::VARCHAR, 8) AS TIME) < TIME '12:00:00'",
      "strftime(day, '%Y-%m-%d') IN (DATE '2024-02-29', DATE '2024-01-01')",
    ),
    fc
      .tuple(tie('field'), not, fc.constantFrom('(2020, 2024)', '(1, 2, 12)', '(1969)'))
      .map(([a, word, list]) => `${a} ${word}IN ${list}`),
    fc.tuple(tie('field'), not).map(([a, word]) => `${a} ${word}BETWEEN 2 AND 2020`),
    weighted(
      fc
        .tuple(fc.constantFrom('name', 'upper(name)'), not, fc.constantFrom('LIKE', 'ILIKE', 'like'), pattern)
        .map((parts) => parts.join(' ')),
      2,
    ),
    fc
      .tuple(
        tie('text'),
        not,
        fc.constantFrom('LIKE', 'ilike'),
        fc.constantFrom("name || '%'", "'%' || name", 'lower(name)'),
      )
      .map((parts) => parts.join(' ')),
    fc.tuple(tie('text'), tie('text')).map(([a, b]) => `contains(${a}, ${b})`),
    fc.tuple(tie('text'), comparison, fc.constantFrom("'a'", "'É'", 'name')).map((parts) => parts.join(' ')),
    fc
      .tuple(
        fc.constantFrom('contains', 'starts_with', 'ends_with', 'prefix', 'suffix'),
        fc.constantFrom("'a'", "''", "'é'", 'name', "'10'"),
      )
      .map(([name, arg]) => `${name}(name, ${arg})`),
    fc.constantFrom(
      "name ^@ 'a'",
      'f64 < 1.5::DOUBLE',
      'f32 <= 0.1::DOUBLE',
      'i32 IN (1::BIGINT, 2::BIGINT)',
      'i8 BETWEEN 0::INT AND 1::INT',
    ),
    fc.tuple(column, comparison, literal).map((parts) => parts.join(' ')),
    {
      arbitrary: fc.tuple(tie('number'), comparison, tie('number')).map((parts) => parts.join(' ')),
      weight: 4,
    },
    {
      arbitrary: fc
        .tuple(tie('number'), comparison, fc.constantFrom('0', '1', '2.5', '-3e0'))
        .map((parts) => parts.join(' ')),
      weight: 4,
    },
    fc.tuple(tie('any'), comparison, tie('any')).map((parts) => parts.join(' ')),
    fc.tuple(column, not, literal, literal).map(([a, word, b, c]) => `${a} ${word}IN (${b}, ${c})`),
    fc
      .tuple(tie('number'), not, tie('number'), literal)
      .map(([a, word, b, c]) => `${a} ${word}IN (${b}, ${c})`),
    fc.tuple(column, not, tie('any'), literal).map(([a, word, b, c]) => `${a} ${word}BETWEEN ${b} AND ${c}`),
    fc
      .tuple(tie('any'), fc.constantFrom('IS NULL', 'IS NOT NULL', 'IS DISTINCT FROM i32'))
      .map((parts) => parts.join(' ')),
    tie('condition').map((test) => `NOT (${test})`),
    fc
      .tuple(tie('condition'), fc.constantFrom('AND', 'OR'), tie('condition'))
      .map((parts) => parts.join(' ')),
  ),
  any: fc.oneof(weighted(tie('expression'), 3), literal),
}))

/** Expressions in SQL over `EXPRESSION_COLUMNS`. */
export const sqlExpressions: fc.Arbitrary<string> = generated.expression

/** Conditions in SQL over `EXPRESSION_COLUMNS`. */
export const sqlConditions: fc.Arbitrary<string> = generated.condition

/** Expressions of numbers. */
export const sqlNumbers: fc.Arbitrary<string> = generated.number
