import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import type { Overload } from '../../../src/plan/functions/function-row.ts'
import { FUNCTIONS } from '../../../src/plan/functions/functions.ts'
import { testEngine } from '../../sql/engine.ts'

const { run } = await testEngine()
const native = await (await DuckDBInstance.create(':memory:')).connect()
await native.run("SET TimeZone = 'UTC'")
for (const setting of ['integer_division = true', "default_null_order = 'nulls_last_on_asc_first_on_desc'"])
  await native.run(`SET ${setting}`)

/** Values of each type: nulls, extremes, zeros of both signs, and some that are equal. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  BOOLEAN: ['true', 'false', 'NULL', 'true'],
  TINYINT: ['0', '-128', '127', 'NULL', '5', '5'],
  SMALLINT: ['0', '-32768', '32767', 'NULL', '5', '5'],
  INTEGER: ['0', '-2147483648', '2147483647', 'NULL', '5', '5'],
  BIGINT: ['0', '-9223372036854775808', '9223372036854775807', 'NULL', '5', '5'],
  HUGEINT: ['0', '-9223372036854775809', '9223372036854775808', 'NULL', '5', '5'],
  UTINYINT: ['0', '255', 'NULL', '5', '5'],
  USMALLINT: ['0', '65535', 'NULL', '5', '5'],
  UINTEGER: ['0', '4294967295', 'NULL', '5', '5'],
  UBIGINT: ['0', '18446744073709551605', 'NULL', '5', '5'],
  FLOAT: ['(0::FLOAT * -1)', '0', "'nan'", "'inf'", "'-inf'", 'NULL', '1.5', '1.5', '3.4028235e38', '1e-45'],
  DOUBLE: [
    '(0::DOUBLE * -1)',
    '0',
    "'nan'",
    "'inf'",
    "'-inf'",
    'NULL',
    '1.5',
    '1.5',
    '1.7976931348623157e308',
    '5e-324',
  ],
  'DECIMAL(9,2)': ['0', '-9999999.99', '9999999.99', 'NULL', '1.25', '1.25'],
  'DECIMAL(38,4)': [
    '0',
    '-9999999999999999999999999999.9999',
    '9999999999999999999999999999.9999',
    'NULL',
    '1.25',
  ],
  DATE: ["'1970-01-01'", "'0001-01-01'", "'9999-12-31'", 'NULL', "'2024-02-29'"],
  TIME: ["'00:00:00'", "'23:59:59.999999'", 'NULL', "'12:00:00'"],
  TIMESTAMP: [
    "'1970-01-01'",
    "'0001-01-01'",
    "'9999-12-31 23:59:59.999999'",
    'NULL',
    "'2024-02-29 12:00:00'",
  ],
  TIMESTAMPTZ: ["'1970-01-01 00:00:00+00'", 'NULL', "'2024-02-29 12:00:00+00'"],
  INTERVAL: ["'1 day'", "'-1 month'", 'NULL', "'40 days'"],
  VARCHAR: ["'a'", "''", 'NULL', "'é'", "'a'", "'a text that is longer than twelve bytes'"],
  BLOB: ["'a'", "''", 'NULL', "'\\x00\\xFF'"],
  UUID: ["'00000000-0000-0000-0000-000000000000'", 'NULL', "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
}

/** The arguments behind the first one, by the names of their parameters. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  x: 'n * 0.5::DOUBLE',
  by: '-n',
  k: '2',
  q: '0.25',
  n: '2',
  weight: 'n',
  separator: "'; '",
  centroids: '100',
  condition: 'n > 2',
}

/** What native DuckDB calls the functions that it does not have. */
const NATIVE: Readonly<Record<string, (args: readonly string[], type: string) => string>> = {
  approx_distinct: (args) => `approx_count_distinct(${args})`,
  approx_median: ([x], type) => `approx_quantile(${notDecimal(type, x)}, 0.5)`,
  approx_percentile_cont: ([x, q], type) => `approx_quantile(${notDecimal(type, x)}, ${q})`,
  covar: (args) => `covar_samp(${args})`,
  var: (args) => `var_samp(${args})`,
  first_value: (args) => `first(${args})`,
  last_value: (args) => `last(${args})`,
  nth_value: ([x, n]) => `list(${x})[${n}]`,
}

/** Macros of DuckDB, which cannot be filtered. */
const MACROS = new Set(['geomean', 'weighted_avg'])

const UNSIGNED = /^U(TINY|SMALL|BIG)?INT/

/** Functions whose answers about several NaNs depend on how DuckDB is built: NaN equals nothing in some hash tables. */
const OF_NANS = new Set(['entropy', 'histogram'])
const FLOATS: readonly string[] = ['FLOAT', 'DOUBLE']

/** Calls that are asked in one statement. */
const BATCH = 20

/** Functions whose values are not told by their arguments, or that need others than those above. */
const OTHERS = new Set(['count_star', 'bitstring_agg', 'histogram_exact', 'reservoir_quantile'])

/** That of decimals drops their digits after the point in DuckDB, so they are cast. */
function notDecimal(type: string, x = ''): string {
  return type.startsWith('DECIMAL') ? `${x}::DOUBLE` : x
}

/** Rows in a certain order: n numbers them, g are groups, one of them of nulls alone. */
function rowsOf(type: string, values: readonly string[]): string {
  const rows = [...values, ...values, 'NULL'].map(
    (value, row, all) => `(${row}, ${row === all.length - 1 ? 7 : row % 3}, (${value})::${type})`,
  )
  return `(VALUES ${rows.join(', ')}) AS t(n, g, v)`
}

/** What is asked of a call: its type, and its values for all rows of a group, for some and for none. */
const ASKED = 4

/** A call that takes some rows: an aggregate, or an item of a list that is one. */
function filtered(sql: string, condition: string): string {
  const [, list = sql, item = ''] = /^(list\(.*\))(\[\d+\])$/.exec(sql) ?? []
  return `(${list} FILTER (WHERE ${condition}))${item}`
}

/** A statement with what is asked of calls, for each group and for all rows. */
function statementOf(calls: readonly { sql: string; isAggregate: boolean }[], rows: string): string {
  const list = calls.flatMap(({ sql, isAggregate }) => {
    const some = (condition: string) => (isAggregate ? `(${filtered(sql, condition)})::VARCHAR` : 'NULL')
    return [`typeof(${sql})`, `(${sql})::VARCHAR`, some('n % 2 = 0'), some('n < 0')]
  })
  return `SELECT ${list.map((each, at) => `${each} AS c${at}`)} FROM ${rows} GROUP BY GROUPING SETS ((g), ()) ORDER BY g`
}

function argumentsOf({ parameters }: Overload): readonly string[] | null {
  const args = parameters.map(({ name }, place) => (place === 0 ? 'v' : ARGUMENTS[name]))
  return args.length === 0 || args.includes(undefined) ? null : args.map(String)
}

async function nativeAnswer(sql: string): Promise<string[][] | null> {
  try {
    return (await native.runAndReadAll(sql)).getRows().map((row) => row.map(String))
  } catch {
    return null
  }
}

function ownAnswer(sql: string): string[][] | string {
  try {
    const answer = run(sql)
    const columns = answer.schema.fields.map((_, index) => answer.getChildAt(index))
    return Array.from({ length: answer.numRows }, (_, row) =>
      columns.map((column) => String(column?.get(row))),
    )
  } catch (error) {
    return String(error)
  }
}

/** Whether two texts are the same, or those of numbers that differ by rounding errors. */
function isNear(own: string, other: string): boolean {
  if (plain(own) === plain(other)) return true
  const [a, b] = [Number(own), Number(other)]
  return Number.isFinite(a) && Number.isFinite(b) && Math.abs(a - b) <= Math.abs(b) * 1e-12
}

/** The text of NaN may have a sign, and that of 0 has one in newer versions. */
function plain(text: string): string {
  return text.replaceAll(/-(nan\b|0\.0\b)/g, '$1')
}

const calls = [...FUNCTIONS.values()].flatMap((row) => {
  if (row.kind !== 'aggregate' || row.sameAs !== null || OTHERS.has(row.name)) return []
  const known = new Set<string>()
  return row.overloads.flatMap((overload) => {
    const args = argumentsOf(overload)
    if (args === null || known.has(String(args))) return []
    known.add(String(args))
    return [{ row, args }]
  })
})

for (const [type, values] of Object.entries(VALUES))
  t.test(`of ${type}`, async (t) => {
    const rows = rowsOf(type, values)
    const answered: { sql: string; name: string; isAggregate: boolean; expected: string[][] }[] = []
    for (const { row, args } of calls) {
      const { name, form } = row
      if (OF_NANS.has(name) && FLOATS.includes(type)) continue
      const sql = `${name}(${args})`
      const isAggregate = form.kind !== 'macro' && !MACROS.has(name)
      const other = NATIVE[name]?.(args, type) ?? sql
      const expected = await nativeAnswer(statementOf([{ sql: other, isAggregate }], rows))
      if (expected !== null) answered.push({ sql, name, isAggregate, expected })
      else if (form.kind !== 'built in')
        t.type(ownAnswer(statementOf([{ sql, isAggregate }], rows)), 'string', sql)
    }
    t.ok(answered.length > 10)
    for (let at = 0; at < answered.length; at += BATCH) {
      const batch = answered.slice(at, at + BATCH)
      const all = ownAnswer(statementOf(batch, rows))
      for (const [place, each] of batch.entries()) {
        // An error of one call is one of all.
        const found =
          typeof all === 'string'
            ? ownAnswer(statementOf([each], rows))
            : all.map((line) => line.slice(place * ASKED, (place + 1) * ASKED))
        if (typeof found === 'string') t.match(found, /does not fit/, `${each.sql}: ${found}`)
        else check(t, type, each, found)
      }
    }
  })

function check(
  t: Test,
  type: string,
  { sql, name, expected }: { sql: string; name: string; expected: string[][] },
  found: string[][],
): void {
  const isSame = found.every((line, at) =>
    line.every((each, column) => column === 0 || isNear(each, expected[at]?.[column] ?? '')),
  )
  t.ok(isSame && found.length === expected.length, `${sql}\n${found.join('\n')}\n${expected.join('\n')}`)
  const isUnsigned = name === 'approx_distinct' || (name === 'sum' && UNSIGNED.test(type))
  t.equal(found[0]?.[0], isUnsigned ? 'UBIGINT' : expected[0]?.[0], `the type of ${sql}`)
}

t.test('the names of the contract take DISTINCT, FILTER, ORDER BY, OVER and no rows', async (t) => {
  const rows = '(SELECT n, n % 4 AS g, (n * 37 % 101)::DOUBLE AS v FROM range(200) r(n))'
  const pairs: readonly (readonly [own: string, native: string])[] = [
    ['approx_distinct(DISTINCT g)', 'approx_count_distinct(DISTINCT g)'],
    ['approx_distinct(v) FILTER (g > 2)', 'approx_count_distinct(v) FILTER (g > 2)'],
    ['approx_distinct(v) OVER (PARTITION BY g)', 'approx_count_distinct(v) OVER (PARTITION BY g)'],
    ['approx_median(DISTINCT v)', 'approx_quantile(DISTINCT v, 0.5)'],
    ['approx_median(v ORDER BY n) FILTER (g = 1)', 'approx_quantile(v, 0.5 ORDER BY n) FILTER (g = 1)'],
    [
      'approx_median(v) OVER (ORDER BY n ROWS 9 PRECEDING)',
      'approx_quantile(v, 0.5) OVER (ORDER BY n ROWS 9 PRECEDING)',
    ],
    ['approx_percentile_cont(v, 0.9) FILTER (g = 1)', 'approx_quantile(v, 0.9) FILTER (g = 1)'],
    [
      'approx_percentile_cont(v, 0.1, 300) OVER (PARTITION BY g)',
      'approx_quantile(v, 0.1) OVER (PARTITION BY g)',
    ],
    ['covar(v, n) FILTER (g < 2)', 'covar_samp(v, n) FILTER (g < 2)'],
    ['covar(v, n) OVER (ORDER BY n ROWS 9 PRECEDING)', 'covar_samp(v, n) OVER (ORDER BY n ROWS 9 PRECEDING)'],
    // Two values, because DISTINCT gives the values in an order of its own and the sum of more is rounded by it.
    ['var(DISTINCT n % 2)', 'var_samp(DISTINCT n % 2)'],
    ['var(v) OVER (ORDER BY n)', 'var_samp(v) OVER (ORDER BY n)'],
    ['first_value(v ORDER BY n DESC)', 'first(v ORDER BY n DESC)'],
    ['first_value(v ORDER BY n DESC) FILTER (g = 2)', 'first(v ORDER BY n DESC) FILTER (g = 2)'],
    ['first_value(DISTINCT g ORDER BY g DESC)', 'first(DISTINCT g ORDER BY g DESC)'],
    ['first_value(v) OVER (PARTITION BY g ORDER BY n)', 'first_value(v) OVER (PARTITION BY g ORDER BY n)'],
    ['last_value(v ORDER BY v, n)', 'last(v ORDER BY v, n)'],
    ['last_value(v) OVER (PARTITION BY g ORDER BY n)', 'last_value(v) OVER (PARTITION BY g ORDER BY n)'],
    ['nth_value(v, 3 ORDER BY v, n)', '(list(v ORDER BY v, n))[3]'],
    ['nth_value(v, -2 ORDER BY n) FILTER (g = 1)', '(list(v ORDER BY n) FILTER (g = 1))[-2]'],
    ['nth_value(DISTINCT g, 2 ORDER BY g)', '(list(DISTINCT g ORDER BY g))[2]'],
    ['nth_value(v, 1000)', '(list(v))[1000]'],
    ['nth_value(v, NULL)', '(list(v))[NULL::BIGINT]'],
    ['nth_value([v::VARCHAR], 7)', '(list([v::VARCHAR]))[7]'],
    ["nth_value({'a': v}, 7)", "(list({'a': v}))[7]"],
    ['nth_value(v, 3) OVER (PARTITION BY g ORDER BY n)', 'nth_value(v, 3) OVER (PARTITION BY g ORDER BY n)'],
    [
      'last_value(nullif(g, 3) IGNORE NULLS) OVER (ORDER BY n)',
      'last_value(nullif(g, 3) IGNORE NULLS) OVER (ORDER BY n)',
    ],
  ]
  for (const where of ['true', 'n < 0'])
    for (const [own, other] of pairs) {
      const order = own.includes('OVER') ? ' ORDER BY n' : ''
      const sql = (call: string) => `SELECT (${call})::VARCHAR FROM ${rows} WHERE ${where}${order}`
      t.same(ownAnswer(sql(own)), await nativeAnswer(sql(other)), own)
    }
})

t.test('the n-th values of many groups, in any number of parts', async (t) => {
  const rows = "(SELECT n, n % 30011 AS g, 'the text of row ' || n AS v FROM range(200000) r(n))"
  const sql = (call: string) =>
    `SELECT sum(hash(c) % 1000) FROM (SELECT ${call} AS c FROM ${rows} GROUP BY g)`
  for (const n of [1, 6, 7, -1, -7]) {
    const own = ownAnswer(sql(`nth_value(v, ${n})`))
    t.same(own, ownAnswer(sql(`(list(v))[${n}]`)), `n = ${n}`)
    t.same(ownAnswer(sql(`nth_value(v, ${n} ORDER BY n)`)), own, `in order, n = ${n}`)
  }
})

t.test('wrong arguments of them are errors', async (t) => {
  const message = (call: string) => String(ownAnswer(`SELECT ${call} FROM range(5) r(n)`))
  t.match(message('approx_percentile_cont(n, 1.5)'), /range \[0, 1\]/)
  t.match(message('approx_percentile_cont(n, n)'), /constant/)
  t.match(message('approx_percentile_cont(n)'), /No function matches/)
  t.match(message('approx_median(n, 0.5)'), /No function matches/)
  t.match(message("approx_median('a')"), /No function matches/)
  t.match(message("covar(n, 'a')"), /No function matches|convert/)
  t.match(message('var()'), /No function matches/)
  t.match(message('first_value()'), /No function matches/)
  t.match(message('nth_value(n)'), /No function matches/)
  t.match(message('nth_value(n, n)'), /the same n in all rows of a group/)
  t.same(ownAnswer('SELECT approx_median(n) FROM range(5) r(n)'), [['2']], 'the next one runs')
})
