import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { testEngine } from '../../sql/engine.ts'
import { arrowRows, nativeRows } from '../../sql/select/plain-values.ts'

const { run } = await testEngine()
const native = await (await DuckDBInstance.create(':memory:')).connect()

const UNSIGNED = ['UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT']
/** Bytes of each of them. */
const BYTES: Readonly<Record<string, number>> = { UTINYINT: 1, USMALLINT: 2, UINTEGER: 4, UBIGINT: 8 }

const typesOf = (sql: string): string[] => run(sql).schema.fields.map(({ type }) => String(type))
const rowsOf = (sql: string): string[] => arrowRows(run(sql)).map(String)
const messageOf = (sql: string): string => {
  try {
    return `none, but ${rowsOf(sql)}`
  } catch (error) {
    return String(error)
  }
}

/** 5000 rows with groups, the greatest value, zeros and nulls. Sums of UBIGINT just fit. */
const rowsIn = (type: string): string => {
  const most = type === 'UBIGINT' ? '3689348814741910' : String(2n ** BigInt(8 * (BYTES[type] ?? 0)) - 1n)
  const value = `CASE WHEN n % 7 = 3 OR n % 5 = 4 THEN NULL WHEN n % 3 = 0 THEN ${most} WHEN n % 11 = 0 THEN 0 ELSE n % 251 END`
  return `(SELECT range AS n, n % 5 AS g, n % 1999 AS h, (${value})::${type} AS x FROM range(5000))`
}

/** Each has a sum in `v`, whose type is UInt64, and determines the order of its rows. */
const SUMS = [
  'SELECT sum(x) AS v FROM t',
  'SELECT sum(x) AS v, g FROM t GROUP BY g ORDER BY g',
  'SELECT sum(x) AS v, h FROM t GROUP BY h ORDER BY h',
  'SELECT sum(x) AS v FROM t WHERE n < 0',
  'SELECT sum(x) AS v FROM t WHERE g = 4',
  'SELECT sum(DISTINCT x) AS v FROM t',
  'SELECT sum(x) FILTER (WHERE g = 1) AS v, sum(x) FILTER (WHERE n < 0) FROM t',
  'SELECT sum(x ORDER BY n DESC) AS v FROM t',
  'SELECT sum(x) OVER (ORDER BY n) AS v, n FROM t ORDER BY n',
  'SELECT sum(x) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING) AS v, n FROM t ORDER BY n',
  'SELECT sum(x) OVER (PARTITION BY g) AS v, n FROM t ORDER BY n',
  'SELECT sum(DISTINCT x) OVER (ORDER BY n ROWS 5 PRECEDING) AS v, n FROM t ORDER BY n',
  'SELECT sum(x) FILTER (WHERE g = 1) OVER (ORDER BY n) AS v, n FROM t ORDER BY n',
  'SELECT sum(v) AS v FROM (SELECT sum(x) AS v FROM t GROUP BY g)',
  'SELECT sum(sum(x)) OVER (ORDER BY g) AS v, g FROM t GROUP BY g ORDER BY g',
  'SELECT max(v) AS v, min(v), count(DISTINCT v) FROM (SELECT sum(x) AS v FROM t GROUP BY g)',
  'SELECT sum(x) AS v FROM t UNION ALL SELECT sum(x) FROM t WHERE g = 1 ORDER BY 1',
  'SELECT CASE WHEN count(*) > 0 THEN sum(x) END AS v FROM t',
  'SELECT coalesce(sum(x), 0) AS v FROM t WHERE n < 0',
  'SELECT (SELECT sum(x) FROM t) AS v',
  'SELECT sum(x) AS v, g FROM t GROUP BY ROLLUP (g) ORDER BY g',
  'SELECT sum(x) AS v, g FROM t GROUP BY g HAVING sum(x) > 1000 ORDER BY sum(x), g',
  'SELECT greatest(sum(x), 7) AS v FROM t',
  'SELECT sum(x) + 1 AS v FROM t WHERE n < 400',
  'SELECT sum(x) // 3 AS v FROM t',
  'SELECT sum(x) % 1000 AS v FROM t',
  'SELECT any_value(v) AS v FROM (SELECT sum(x) AS v FROM t)',
  'SELECT list_sum(list(x)) AS v FROM t WHERE n < 100',
  "SELECT list_aggregate(list(x), 'sum') AS v FROM t WHERE n < 100",
  'WITH s AS MATERIALIZED (SELECT g, sum(x) AS v FROM t GROUP BY g) SELECT a.v FROM s a JOIN s b USING (v) ORDER BY 1',
]

for (const type of UNSIGNED)
  t.test(`sums of ${type} are those of native DuckDB, as UInt64`, async (t) => {
    for (const sum of SUMS) {
      const sql = sum.replaceAll(/\bFROM t\b/g, `FROM ${rowsIn(type)} t`)
      const expected = nativeRows(await native.runAndReadAll(sql)).map(String)
      t.same(rowsOf(sql), expected, sum)
      t.equal(typesOf(sql)[0], 'Uint64', sum)
    }
  })

t.test('a sum of expressions has their type', async (t) => {
  const rows = '(SELECT range::UTINYINT AS a, range::UBIGINT AS b, range AS i FROM range(5))'
  const types = (list: string): string[] => typesOf(`SELECT ${list} FROM ${rows}`)
  t.same(types('sum(a + a), sum(a * 2), sum(b // 2), sum(a::UINTEGER), sum(i::UBIGINT), sum(abs(a))'), [
    ...Array.from({ length: 6 }, () => 'Uint64'),
  ])
  t.same(types('sum(a + i), sum(a::INTEGER), sum(i), sum(-1), sum(b - i), sum(a > 1)'), [
    ...Array.from({ length: 6 }, () => 'Int64'),
  ])
  t.same(types('sum(a::DOUBLE), sum(a::DECIMAL(4, 1)), avg(a), avg(b)'), [
    'Float64',
    'Decimal[38e+1]',
    'Float64',
    'Float64',
  ])
  t.same(types("typeof(sum(a)) AS t, [sum(a)] AS l, {'s': sum(b)} AS s").slice(1), [
    'List<Uint64>',
    'Struct<{s:Uint64}>',
  ])
  t.same(rowsOf(`SELECT sum(a) - count(*), -sum(i), sum(a) * 1.5, sum(a) > -1, sum(a) > 9.5 FROM ${rows}`), [
    '5,-10,150e-1,true,true',
  ])
})

t.test('negatives of unsigned integers and of their sums are signed', async (t) => {
  for (const [type, most, signed] of [
    ['UTINYINT', '255', 'SMALLINT'],
    ['USMALLINT', '65535', 'INTEGER'],
    ['UINTEGER', '4294967295', 'BIGINT'],
    ['UBIGINT', '18446744073709551615', 'HUGEINT'],
  ] as const) {
    const rows = `(VALUES (${most}::${type}), (0), (NULL)) v(x)`
    const query = `SELECT (-x)::VARCHAR, typeof(-x) FROM ${rows}`
    t.same(rowsOf(query), [`-${most},${signed}`, `0,${signed}`, `,${signed}`], type)
    t.same(rowsOf(`SELECT x FROM ${rows} ORDER BY -x NULLS LAST`), [most, '0', ''], type)
    t.same(rowsOf(`SELECT x FROM ${rows} WHERE -x < -1`), [most], type)
  }
  t.same(rowsOf('SELECT -sum(range::UTINYINT), -sum(range::UBIGINT) FROM range(5)'), ['-10,-10'])
  t.same(rowsOf('SELECT -5, -(-5), -range FROM range(2)'), ['-5,5,0', '-5,5,-1'])
  t.match(messageOf('SELECT sum(range::UTINYINT) - 11 FROM range(5)'), /x::HUGEINT - y/)
  t.same(rowsOf('SELECT sum(range::UTINYINT)::HUGEINT - 11 FROM range(5)'), ['-1'])
})

t.test('the whole range of UInt64 fits, and what does not is a 400 that says what to write', async (t) => {
  const values = (more: string) => `(VALUES (18446744073709551614::UBIGINT), (${more}), (NULL)) v(x)`
  t.same(rowsOf(`SELECT sum(x) FROM ${values('1')}`), ['18446744073709551615'])
  const tooLarge = /a sum of integers does not fit into UInt64: write sum\(x::DECIMAL\(38, 0\)\)/
  t.match(messageOf(`SELECT sum(x) FROM ${values('2')}`), tooLarge)
  t.match(messageOf(`SELECT sum(x) OVER () FROM ${values('2')}`), tooLarge)
  t.match(messageOf(`SELECT x, s FROM (SELECT x, sum(x) OVER (ORDER BY x) s FROM ${values('2')})`), tooLarge)
  t.match(messageOf(`SELECT sum(x) > 5 FROM ${values('2')}`), tooLarge)
  t.match(messageOf('SELECT list_sum([18446744073709551615::UBIGINT, 1])'), tooLarge)
  t.match(messageOf('SELECT sum(4294967295::UINTEGER * 4294967297::UBIGINT) FROM range(2)'), tooLarge)
  t.same(rowsOf(`SELECT sum(x::DECIMAL(38, 0)) FROM ${values('2')}`), ['18446744073709551616e-0'])
  t.same(rowsOf(`SELECT sum(x::DOUBLE) FROM ${values('2')}`), ['18446744073709552000'])
  t.same(rowsOf('SELECT sum(x) FROM (VALUES (1::UBIGINT)) v(x)'), ['1'], 'the next statement runs')
  t.match(
    messageOf('SELECT sum(x) FROM (VALUES (9223372036854775807), (1)) v(x)'),
    /fit into Int64: .*DECIMAL/,
  )
})

t.test('rows of many chunks and groups are summed in any number of parts', async (t) => {
  const sql = (type: string) =>
    `SELECT g, sum((n % 250)::${type}) AS v FROM (SELECT n, n % 30000 AS g FROM read_parquet('numbers')) GROUP BY g ORDER BY g`
  const rows = 10_000
  for (const type of UNSIGNED) {
    const expected = Array.from({ length: rows }, (_, n) => `${n},${n % 250}`)
    t.same(rowsOf(sql(type)), expected, type)
  }
})
