import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { numbers, testEngine } from '../sql/engine.ts'

const MEMORY_BYTES = 64 << 20
/** What DuckDB may use beyond what it counts. */
const UNCOUNTED_BYTES = 256 << 20

const { engine, run } = await testEngine({ memoryBytes: MEMORY_BYTES })

const ZONED = "TIMESTAMPTZ '2024-01-01 00:00:00+00'"

function repeated(count: number, term: (index: number) => string, separator: string): string {
  return Array.from({ length: count }, (_, index) => term(index)).join(separator)
}

/** The answer as text, or the code of the error. Throws what is no error of the service. */
function outcome(expression: string): string {
  const from = /\bn\b/.test(expression) ? ' FROM _rows(0)' : ''
  try {
    return String(run(`SELECT (${expression})::VARCHAR AS x${from}`, [numbers(1000)]).get(0)?.['x'] ?? null)
  } catch (error) {
    if (!isServiceError(error)) throw error
    return error.message.length < 5000 ? error.code : 'a message that nobody can read'
  }
}

const HOSTILE: readonly (readonly [expression: string, expected: string])[] = [
  // Sizes and positions.
  ["length(rpad('a', 9223372036854775807))", 'invalid_sql'],
  ["length(repeat('a', 9000000000))", 'invalid_sql'],
  ["overlay('abc' PLACING 'x' FROM 9223372036854775807)", 'abcx'],
  ["length(substr_index(repeat('a.', 100000), '.', -9223372036854775808))", '200000'],
  ["regexp_count('a', 'a', 9223372036854775807)", '0'],
  ["regexp_instr('a', 'a', 1, 9223372036854775807, '', 9223372036854775807)", '0'],
  ['approx_percentile_cont(n, 2)', 'invalid_sql'],
  // Long texts.
  ["octet_length(decode(repeat('ff', 2000000), 'hex'))", '2000000'],
  ["octet_length(decode(repeat('zz', 2000000), 'hex'))", 'invalid_sql'],
  ["octet_length(decode(repeat('AAAA', 1000000), 'base64'))", '3000000'],
  ["encode('a', repeat('x', 1000000))", 'invalid_sql'],
  [`length(strftime(${ZONED}, repeat('%Y', 100000)))`, '400000'],
  ["to_timestamp('2024', repeat('%Y', 10000))", 'invalid_sql'],
  ["arrow_cast(1, repeat('(', 100000))", 'invalid_sql'],
  [`arrow_cast(1, '${'List('.repeat(500)}Int8${')'.repeat(500)}')`, 'invalid_sql'],
  ["arrow_cast(1, 'Int8''); SELECT 1; --')", 'invalid_sql'],
  ["arrow_cast([1], 'FixedSizeList(2147483647, Int8)')", 'invalid_sql'],
  // Regular expressions that would take other libraries for ever, or all memory.
  ["regexp_count(repeat('a', 10000), '(a*)*b')", '0'],
  ["regexp_count('a', '((a{1,1000}){1,1000}){1,1000}')", 'invalid_sql'],
  ["regexp_count('a', repeat('a|', 500000))", 'invalid_sql'],
  ["regexp_match('a', repeat('(a)', 10000))", 'null'],
  ["regexp_count('a', 'a', 1, repeat('i', 100000))", '1'],
  ["regexp_count('a' || chr(0) || 'b', chr(0))", '1'],
  ["sum(regexp_count('abc' || n, n::VARCHAR))", '1000'],
  // Times that are infinite, or beyond what the type has.
  ["to_timestamp('infinity'::DOUBLE)", 'invalid_sql'],
  ["to_timestamp('nan'::DOUBLE)", 'invalid_sql'],
  ['to_timestamp(1e300)', 'invalid_sql'],
  ['to_timestamp_millis(9223372036854775807)', 'invalid_sql'],
  ['to_timestamp_seconds(-9223372036854775808)', 'invalid_sql'],
  ['from_unixtime(9223372036854775807)', 'invalid_sql'],
  ["year('infinity'::TIMESTAMPTZ)", 'null'],
  ["date_trunc('month', 'infinity'::TIMESTAMPTZ)", 'infinity'],
  ["'-infinity'::TIMESTAMPTZ + INTERVAL 1 DAY", '-infinity'],
  [`${ZONED} + INTERVAL 2147483647 YEAR`, 'invalid_sql'],
  ["date_bin(INTERVAL '-1' DAY, TIMESTAMP '2024-01-01')", 'not_supported'],
  ['make_date(9223372036854775807, 1, 1)', 'invalid_sql'],
]

t.test('sizes, positions, long texts, infinite values', async (t) => {
  for (const [expression, expected] of HOSTILE)
    t.equal(outcome(expression), expected, expression.slice(0, 100))
})

t.test('names of zones', async (t) => {
  const paris = "AT TIME ZONE 'Europe/Paris'"
  for (const [zone, expected] of [
    ["'Europe' || chr(0) || '/Paris'", 'invalid_sql'],
    ["repeat('a', 1000000)", 'invalid_sql'],
    ["'__proto__'", 'invalid_sql'],
    ["'../../etc/localtime'", 'invalid_sql'],
    ["'+99:99'", 'invalid_sql'],
    ["'Zone' || n", 'invalid_sql'],
  ] as const)
    t.equal(outcome(`count(${ZONED} AT TIME ZONE (${zone}))`), expected, zone)
  const offset = "'+' || lpad((n % 15)::VARCHAR, 2, '0') || ':' || lpad((n % 60)::VARCHAR, 2, '0')"
  t.equal(outcome(`count(${ZONED} AT TIME ZONE (${offset}))`), '1000')
  t.equal(outcome(`count(TRY(${ZONED} AT TIME ZONE ('Zone' || n)))`), '0')
  t.equal(outcome(`'infinity'::TIMESTAMPTZ ${paris}`), 'infinity')
  t.match(outcome(`TIMESTAMPTZ '290000-01-01 00:00:00+00' ${paris}`), /^290000-01-01 01:00:00/)
  t.not(outcome(`max(${'('.repeat(99)}to_timestamp(n)${` ${paris})`.repeat(99)})`), 'invalid_sql')
})

t.test('many and nested calls', async (t) => {
  const day = "date_trunc('day', "
  t.equal(outcome(repeated(500, (i) => `${day}to_timestamp(n + ${i})) > ${ZONED}`, ' OR ')), 'false')
  t.equal(outcome(`len([${repeated(500, (i) => `${day}now() - INTERVAL ${i} DAY)`, ', ')}])`), '500')
  t.equal(outcome(`max(${day.repeat(100)}to_timestamp(n)${')'.repeat(100)})`), '1970-01-01 00:00:00+00')
  t.equal(outcome(`${'nvl('.repeat(40)}NULL${', 1)'.repeat(40)}`), '1')
  t.equal(outcome(`${'nvl('.repeat(600)}NULL${', 1)'.repeat(600)}`), 'invalid_sql')
  t.equal(outcome(`${ZONED} + ${repeated(600, () => 'INTERVAL 1 DAY', ' + ')}`), 'invalid_sql')
  t.equal(outcome(`coalesce_label(${repeated(500, (i) => `NULL, 'a${i}'`, ', ')})`), 'null')
})

t.test('what only the service and its macros call reaches nothing', async (t) => {
  for (const name of ['getenv', 'current_setting', 'read_text', 'read_blob'])
    t.equal(outcome(`nvl(${name}('HOME')::VARCHAR, 'a')`), 'invalid_sql', name)
})

t.test('and then the engine goes on, within its memory', async (t) => {
  t.notOk(engine.isDead())
  t.ok(engine.memoryBytes() <= MEMORY_BYTES + UNCOUNTED_BYTES)
  t.equal(outcome('sum(n)'), '499500')
})
