import t from 'tap'
import { testEngine } from '../../sql/engine.ts'

const { run } = await testEngine()

/** Expressions, and their values as text with the type in DuckDB. */
const KNOWN: readonly (readonly [expression: string, value: string | null, type: string])[] = [
  // Texts in ISO 8601
  ["to_timestamp('2024-02-29')", '2024-02-29 00:00:00', 'TIMESTAMP'],
  ["to_timestamp('2024-02-29T12:30:00Z')", '2024-02-29 12:30:00', 'TIMESTAMP'],
  ["to_timestamp('2024-02-29 12:30:00.123456+05:30')", '2024-02-29 07:00:00.123456', 'TIMESTAMP'],
  ["to_timestamp('2024-02-29T12:30:00.123456000Z')", '2024-02-29 12:30:00.123456', 'TIMESTAMP'],
  ["to_timestamp('0000-01-01')", '0001-01-01 (BC) 00:00:00', 'TIMESTAMP'],
  ["to_timestamp('1500-01-01')", '1500-01-01 00:00:00', 'TIMESTAMP'],
  ["to_timestamp('9999-12-31T23:59:59.999999')", '9999-12-31 23:59:59.999999', 'TIMESTAMP'],
  ["to_timestamp('infinity')", 'infinity', 'TIMESTAMP'],
  ["to_timestamp('-infinity')", '-infinity', 'TIMESTAMP'],
  ['to_timestamp(NULL::VARCHAR)', null, 'TIMESTAMP'],
  ["to_timestamp_seconds('2024-02-29T12:30:00.9+02:00')", '2024-02-29 10:30:00', 'TIMESTAMP_S'],
  ["to_timestamp_seconds('1969-12-31T23:59:59.9')", '1969-12-31 23:59:59', 'TIMESTAMP_S'],
  ["to_timestamp_millis('2024-02-29T12:30:00.9999')", '2024-02-29 12:30:00.999', 'TIMESTAMP_MS'],
  ["to_timestamp_micros('2024-02-29T12:30:00.123456789')", '2024-02-29 12:30:00.123456', 'TIMESTAMP'],
  ["to_timestamp_nanos('1969-12-31T23:59:59.999999999')", '1969-12-31 23:59:59.999999999', 'TIMESTAMP_NS'],
  ["to_date('2024-02-29T23:59:59')", '2024-02-29', 'DATE'],
  ["to_date('0000-02-29')", '0001-02-29 (BC)', 'DATE'],
  ["to_time('12:30:01.5')", '12:30:01.5', 'TIME'],
  ["to_unixtime('2024-02-29T12:30:00+02:00')", '1709202600', 'BIGINT'],
  ["to_unixtime('1969-12-31T23:59:59.5')", '-1', 'BIGINT'],
  // Texts in formats
  ["to_timestamp('29.02.2024 12:30', '%d.%m.%Y %H:%M')", '2024-02-29 12:30:00', 'TIMESTAMP'],
  ["to_timestamp('29.02.2024 12:30:05.25', '%d.%m.%Y %T%.f')", '2024-02-29 12:30:05.25', 'TIMESTAMP'],
  ["to_timestamp('29.02.2024 12:30:05', '%d.%m.%Y %T%.f')", '2024-02-29 12:30:05', 'TIMESTAMP'],
  ["to_timestamp('2024-02-29T12:30:05+02:00', '%+')", '2024-02-29 10:30:05', 'TIMESTAMP'],
  ["to_timestamp('Thu Feb 29 12:30:05 2024', '%c')", '2024-02-29 12:30:05', 'TIMESTAMP'],
  ["to_timestamp('2024-02-29 %F', '%F %%F')", '2024-02-29 00:00:00', 'TIMESTAMP'],
  ["to_timestamp('02/29/24', '%F', '%v', '%D')", '2024-02-29 00:00:00', 'TIMESTAMP'],
  ["to_timestamp('2024-02-29T12:30:05.5Z', '%+')", '2024-02-29 12:30:05.5', 'TIMESTAMP'],
  ["to_timestamp_nanos('2024-02-29T12:30:05.5+02:00', '%+')", '2024-02-29 10:30:05.5', 'TIMESTAMP_NS'],
  [
    "to_timestamp_nanos('03:59:00.123456789 05-17-2023', '%c', '%+', '%H:%M:%S%.f %m-%d-%Y')",
    '2023-05-17 03:59:00.123456789',
    'TIMESTAMP_NS',
  ],
  ["to_timestamp('2024', NULL)", null, 'TIMESTAMP'],
  ["to_timestamp(NULL, '%Y')", null, 'TIMESTAMP'],
  [
    "to_timestamp_nanos('03:59:00.123456789 05-17-2023', '%c', '%H:%M:%S%.f %m-%d-%Y')",
    '2023-05-17 03:59:00.123456789',
    'TIMESTAMP_NS',
  ],
  ["to_timestamp_seconds('2024', '%Y')", '2024-01-01 00:00:00', 'TIMESTAMP_S'],
  ["to_timestamp_millis('2024', '%Y')", '2024-01-01 00:00:00', 'TIMESTAMP_MS'],
  ["to_timestamp_micros('2024', '%Y')", '2024-01-01 00:00:00', 'TIMESTAMP'],
  ["to_date('29 Feb 2024', '%d.%m.%Y', '%d %b %Y')", '2024-02-29', 'DATE'],
  ["to_time('pm 12.30', '%P %I.%M')", '12:30:00', 'TIME'],
  ["to_unixtime('29.02.2024', '%d.%m.%Y')", '1709164800', 'BIGINT'],
  // Numbers
  ['to_timestamp(1.5)', '1970-01-01 00:00:01.5+00', 'TIMESTAMP WITH TIME ZONE'],
  ['to_timestamp(5)', '1970-01-01 00:00:05+00', 'TIMESTAMP WITH TIME ZONE'],
  ['to_timestamp_seconds(-62167219200)', '0001-01-01 (BC) 00:00:00', 'TIMESTAMP_S'],
  ['to_timestamp_seconds(253402300799)', '9999-12-31 23:59:59', 'TIMESTAMP_S'],
  ['to_timestamp_seconds(-1.5)', '1969-12-31 23:59:58', 'TIMESTAMP_S'],
  ['to_timestamp_millis(-1)', '1969-12-31 23:59:59.999', 'TIMESTAMP_MS'],
  ['to_timestamp_millis(5::UBIGINT)', '1970-01-01 00:00:00.005', 'TIMESTAMP_MS'],
  ['to_timestamp_micros(-1)', '1969-12-31 23:59:59.999999', 'TIMESTAMP'],
  ['to_timestamp_nanos(-1)', '1969-12-31 23:59:59.999999999', 'TIMESTAMP_NS'],
  ['to_timestamp_nanos(9223372036854775806)', '2262-04-11 23:47:16.854775806', 'TIMESTAMP_NS'],
  ['to_timestamp_nanos(5::HUGEINT)', '1970-01-01 00:00:00.000000005', 'TIMESTAMP_NS'],
  ['from_unixtime(1709209800)', '2024-02-29 12:30:00', 'TIMESTAMP_S'],
  ['from_unixtime(-0.5)', '1969-12-31 23:59:59', 'TIMESTAMP_S'],
  ["from_unixtime(1709209800, 'America/New_York')", '2024-02-29 12:30:00+00', 'TIMESTAMP WITH TIME ZONE'],
  ["from_unixtime(-0.5, '+02:00')", '1969-12-31 23:59:59+00', 'TIMESTAMP WITH TIME ZONE'],
  ['from_unixtime(5, NULL)', null, 'TIMESTAMP WITH TIME ZONE'],
  ['to_date(-0.5)', '1969-12-31', 'DATE'],
  ['to_date(19782)', '2024-02-29', 'DATE'],
  ['to_unixtime(5)', '5', 'BIGINT'],
  ['to_unixtime(-0.5)', '-1', 'BIGINT'],
  // Times
  ['(SELECT to_timestamp(max(range)) FROM range(5))', '1970-01-01 00:00:04+00', 'TIMESTAMP WITH TIME ZONE'],
  ["(SELECT to_timestamp(min(t)) FROM (VALUES ('2024-02-29')) AS x(t))", '2024-02-29 00:00:00', 'TIMESTAMP'],
  ["to_timestamp(DATE '2024-02-29')", '2024-02-29 00:00:00', 'TIMESTAMP'],
  ["to_timestamp(TIMESTAMPTZ '2024-02-29 02:00:00+02')", '2024-02-29 00:00:00', 'TIMESTAMP'],
  [
    "to_timestamp(TIMESTAMP_NS '2024-02-29 00:00:00.000000001')",
    '2024-02-29 00:00:00.000000001',
    'TIMESTAMP_NS',
  ],
  ["to_timestamp_seconds(TIMESTAMP '1969-12-31 23:59:59.9')", '1969-12-31 23:59:59', 'TIMESTAMP_S'],
  ["to_timestamp_seconds(DATE '9999-01-01')", '9999-01-01 00:00:00', 'TIMESTAMP_S'],
  ["to_timestamp_nanos(TIMESTAMP_S '2200-01-01')", '2200-01-01 00:00:00', 'TIMESTAMP_NS'],
  ["to_date(TIMESTAMPTZ '2024-02-29 01:00:00+02')", '2024-02-28', 'DATE'],
  ["to_time(TIMESTAMPTZ '2024-02-29 01:00:00+02')", '23:00:00', 'TIME'],
  ["to_unixtime(TIMESTAMP '1969-12-31 23:59:59.5')", '-1', 'BIGINT'],
  ["to_unixtime(TIMESTAMP '9999-12-31 23:59:59.999999')", '253402300799', 'BIGINT'],
  ["to_unixtime(TIMESTAMP 'infinity')", null, 'BIGINT'],
  ["to_local_time(TIMESTAMPTZ '2024-02-29 12:30:00+02:00')", '2024-02-29 10:30:00', 'TIMESTAMP'],
  ["to_local_time(TIMESTAMP_S '2024-02-29 12:30:00')", '2024-02-29 12:30:00', 'TIMESTAMP_S'],
  ["to_time(TIMESTAMP_NS '2024-02-29 12:30:00.000001')", '12:30:00.000001', 'TIME'],
  // Nanoseconds with a zone
  [
    "to_timestamp('1969-12-31 23:59:59.999999999Z'::TIMESTAMPTZ_NS)",
    '1969-12-31 23:59:59.999999999',
    'TIMESTAMP_NS',
  ],
  [
    "to_timestamp_nanos('1969-12-31 23:59:59.999999999Z'::TIMESTAMPTZ_NS)",
    '1969-12-31 23:59:59.999999999',
    'TIMESTAMP_NS',
  ],
  [
    "to_timestamp_millis('1969-12-31 23:59:59.999999999Z'::TIMESTAMPTZ_NS)",
    '1969-12-31 23:59:59.999',
    'TIMESTAMP_MS',
  ],
  ["to_unixtime('1969-12-31 23:59:59.999999999Z'::TIMESTAMPTZ_NS)", '-1', 'BIGINT'],
  ["to_date('1969-12-31 23:59:59.999999999Z'::TIMESTAMPTZ_NS)", '1969-12-31', 'DATE'],
  [
    "to_local_time('1969-12-31 23:59:59.999999999Z'::TIMESTAMPTZ_NS)",
    '1969-12-31 23:59:59.999999999',
    'TIMESTAMP_NS',
  ],
  [
    "date_bin(INTERVAL 1 HOUR, '1969-12-31 23:59:59.999999999Z'::TIMESTAMPTZ_NS)",
    '1969-12-31 23:00:00+00',
    'TIMESTAMPTZ_NS',
  ],
  // Intervals from an origin
  ["date_bin(INTERVAL 15 MINUTE, TIMESTAMP '1969-12-31 23:59:59')", '1969-12-31 23:45:00', 'TIMESTAMP'],
  ["date_bin('15 minutes', '2024-02-29T12:31:00')", '2024-02-29 12:30:00', 'TIMESTAMP'],
  ["date_bin(INTERVAL 6 HOUR, DATE '2024-02-29')", '2024-02-29 00:00:00', 'TIMESTAMP'],
  ["date_bin(INTERVAL 7 DAY, DATE '2024-02-29')", '2024-02-29 00:00:00', 'TIMESTAMP'],
  ["date_bin(INTERVAL 1 MONTH, TIMESTAMP '0000-02-29 12:31:00')", '0001-02-01 (BC) 00:00:00', 'TIMESTAMP'],
  [
    "date_bin(INTERVAL 15 MINUTE, TIMESTAMPTZ '2024-02-29 12:31:00+00')",
    '2024-02-29 12:30:00+00',
    'TIMESTAMP WITH TIME ZONE',
  ],
  [
    "date_bin(INTERVAL 15 MINUTE, TIMESTAMP_NS '2024-02-29 12:31:00.123456789')",
    '2024-02-29 12:30:00',
    'TIMESTAMP_NS',
  ],
  [
    "date_bin(INTERVAL 1 DAY, TIMESTAMP '2024-02-29 05:00', '2024-01-01 06:00')",
    '2024-02-28 06:00:00',
    'TIMESTAMP',
  ],
  ["date_bin(INTERVAL 1 DAY, TIMESTAMP 'infinity')", 'infinity', 'TIMESTAMP'],
]

t.test('of constants', async (t) => {
  for (const [expression, value, type] of KNOWN) t.same(shown(expression), { value, type }, expression)
})

t.test('of columns, whatever their names are', async (t) => {
  for (const name of ['x', 't', 'each', 'format', 'format2', 'origin', 'width']) {
    const from = `(VALUES ('29.02.2024'), (NULL)) texts("${name}")`
    const sql = `SELECT to_timestamp("${name}", '%Y', '%d.%m.%Y')::VARCHAR AS v FROM ${from}`
    t.same([...(run(sql).getChild('v') ?? [])], ['2024-02-29 00:00:00', null], name)
  }
  const swapped = `SELECT date_bin(t, width, origin)::VARCHAR AS v
    FROM (VALUES (INTERVAL 1 DAY, TIMESTAMP '2024-02-09 13:00', TIMESTAMP '2024-02-01 12:00')) swapped(t, width, origin)`
  t.same([...(run(swapped).getChild('v') ?? [])], ['2024-02-09 12:00:00'])
})

/** Calls that are errors, and what the message has to name. */
const REFUSED: readonly (readonly [expression: string, ...parts: readonly string[]])[] = [
  ["to_timestamp('abc')", '"abc"'],
  ["to_timestamp('2024-02-30')", '2024-02-30'],
  ["to_timestamp('2024-02-29 12:30:00.123456789')", '.123456789', 'to_timestamp_nanos'],
  ["to_timestamp_nanos('2024-02-29T12:30:05.1234567+02:00', '%+')", '.1234567+02:00'],
  ["to_timestamp('x', '%F')", '"x"', '%Y-%m-%d'],
  ["to_timestamp('x', '%Q')", '%Q'],
  ["to_timestamp('x', '')", 'Empty format'],
  ["to_timestamp('2024', range::VARCHAR) FROM range(2)", 'constant'],
  ['to_timestamp(true)', 'to_timestamp', 'VARCHAR'],
  ["to_timestamp('nan'::DOUBLE)", 'out of range'],
  ['to_timestamp_seconds(99999999999999999)', '100000000000000000'],
  ["to_timestamp_seconds('nan'::DOUBLE)", 'nan'],
  ["to_timestamp_millis('-inf'::DOUBLE)", '-inf'],
  ['to_timestamp_millis(9223372036854775807)', '9223372036854775807'],
  ['to_timestamp_millis(18446744073709551615)', '18446744073709551615'],
  ['to_timestamp_nanos(1e300)', '1e+300'],
  ["to_timestamp_nanos('1600-01-01')", '1600-01-01'],
  ["to_timestamp_nanos('2300-01-01')", '2300-01-01'],
  ["to_timestamp_nanos(TIMESTAMP '2300-01-01')", '2300-01-01'],
  ["to_timestamp_nanos(DATE '1600-01-01')", '1600-01-01'],
  ["from_unixtime(5, 'Mars/Phobos')", '"Mars/Phobos"'],
  ["to_timestamp('Thu', '%q')", '%q'],
  ["to_date('2024-13-01')", '2024-13-01'],
  ['to_date(5000000000)', '5000000000'],
  ["to_time('25:00')", '25:00'],
  ["to_time('12:30:00.1234567')", '12:30:00.1234567', 'microseconds'],
  ["to_time(TIMESTAMP_NS '2024-02-29 12:30:00.000000001')", '12:30:00.000000001"', 'below microseconds'],
  ["to_timestamp('2024-2-9 1:2:3.1234567')", '.1234567', 'to_timestamp_nanos'],
  ["date_bin(INTERVAL 0 DAY, DATE '2024-01-01')", 'greater than 0'],
  ["date_bin(INTERVAL '1 month 1 day', DATE '2024-01-01')", 'Month intervals'],
]

t.test('what does not fit is named', async (t) => {
  for (const [expression, ...parts] of REFUSED) {
    const message = messageOf(expression)
    for (const part of parts) t.match(message, part, expression)
  }
})

function shown(expression: string): { value: string | null; type: string } {
  const row = run(`SELECT v::VARCHAR AS value, typeof(v) AS type FROM (SELECT ${expression} AS v)`).get(0)
  return { value: row?.value ?? null, type: row?.type }
}

function messageOf(expression: string): string {
  try {
    return `${expression} is ${shown(expression).value}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
