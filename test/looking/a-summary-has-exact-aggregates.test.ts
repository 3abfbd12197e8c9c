import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { put } from '../catalog/definitions.ts'
import { startLooking } from './looking.ts'

const { signal } = new AbortController()
const { catalog, datasets, look, refusal, rows } = await startLooking(t)
const NONE = { min: null, max: null, avg: null, std: null }

t.test('of each column in its order, with the types of Arrow', async (t) => {
  writeFileSync(
    join(datasets, 'a.csv'),
    'n,x,name,day,ok\n1,10,b,2020-01-02,true\n2,-2.5,a,2020-01-01,false\n2,,b,,true\n5,1e3,,2020-01-03,\n',
  )
  await catalog.change([put('obs', 'a.csv')], signal)
  const expected = [
    {
      column_name: 'n',
      column_type: 'Int64',
      min: '1',
      max: '5',
      distinct: 3,
      avg: 2.5,
      std: Math.sqrt(3),
      count: 4,
      null_percentage: 0,
    },
    {
      column_name: 'x',
      column_type: 'Float64',
      min: '-2.5',
      max: '1000.0',
      distinct: 3,
      avg: 335.8333333333333,
      count: 3,
      null_percentage: 25,
    },
    {
      column_name: 'name',
      column_type: 'Utf8',
      ...NONE,
      min: 'a',
      max: 'b',
      distinct: 2,
      count: 3,
      null_percentage: 25,
    },
    {
      column_name: 'day',
      column_type: 'Date32',
      ...NONE,
      min: '2020-01-01',
      max: '2020-01-03',
      distinct: 3,
      count: 3,
      null_percentage: 25,
    },
    {
      column_name: 'ok',
      column_type: 'Boolean',
      ...NONE,
      min: 'false',
      max: 'true',
      distinct: 2,
      count: 3,
      null_percentage: 25,
    },
  ]
  for (const what of ['obs', "FROM read_csv('a.csv')", "SELECT * FROM read_csv('a.csv') -- all"]) {
    const summary = await look(`SUMMARIZE ${what}`, {})
    t.match(summary, expected, what)
    t.strictSame(Object.keys(summary[0] ?? {}), [
      'column_name',
      'column_type',
      'min',
      'max',
      'distinct',
      'avg',
      'std',
      'count',
      'null_percentage',
    ])
  }
})

t.test('of no rows: nothing is known, and nothing is null', async (t) => {
  const [row] = await look('SUMMARIZE SELECT 1.5::DOUBLE AS x, NULL AS y WHERE false', {})
  t.strictSame(row, {
    column_name: 'x',
    column_type: 'Float64',
    ...NONE,
    distinct: 0,
    count: 0,
    null_percentage: 0,
  })
})

t.test('of values that are not finite, or too large to be squared', async (t) => {
  const of = async (values: string) =>
    (await rows({ sql: `SUMMARIZE SELECT unnest([${values}]::DOUBLE[]) AS x` })).get(0)?.toJSON()
  const unknown = { avg: Number.NaN, std: Number.NaN }
  t.match(await of("'1', 'nan'"), { ...unknown, min: '1.0', max: 'nan', count: 2n })
  t.match(await of("'1', 'inf', '-inf'"), { ...unknown, min: '-inf', max: 'inf' })
  t.match(await of('1e300, -1e300'), { ...unknown, min: '-1e+300', max: '1e+300', distinct: 2n })
  t.match(await of('7, NULL'), { avg: 7, std: null, count: 1n, null_percentage: 50 })
})

t.test('of columns with odd and equal names, and of nested ones', async (t) => {
  const query = `SELECT 1 AS "a"".b", 2 AS "a"".b", [1, NULL] AS "c\n", {'d': 1} AS "a query"`
  t.match(await look(`SUMMARIZE ${query}`, {}), [
    { column_name: 'a".b', min: '1', distinct: 1 },
    { min: '2', distinct: 1 },
    { column_name: 'c\n', column_type: 'List<Int32>', ...NONE, distinct: 1, count: 1 },
    { column_name: 'a query', ...NONE, distinct: 1 },
  ])
})

t.test('of hundreds of columns', async (t) => {
  const values = [
    '[1, 1, NULL]::INTEGER[]',
    "['nan', 'nan', '-0', '0', 'inf', NULL]::DOUBLE[]",
    "['nan', '1.5', '1.5']::FLOAT[]",
    "['', 'a', 'A', 'a', NULL]",
    '[true, false, NULL, true]',
    "[DATE '2020-01-01', DATE '2020-01-01']",
    "[TIMESTAMP '2020-01-01 00:00:00', NULL]",
    "['a'::BLOB, 'b'::BLOB, 'a'::BLOB]",
    '[1.50::DECIMAL(10, 2), 1.5::DECIMAL(10, 2), 2]',
    '[[1, 2], [1, 2], [2, 1], NULL]',
    "[{'a': 1}, {'a': 1}, {'a': NULL}]",
    '[NULL, NULL]::BIGINT[]',
    "['3a90d1f0-0000-4000-8000-000000000001']::UUID[]",
  ]
  const columns = Array.from(
    { length: 300 },
    (_, index) => `unnest(${values[index % values.length]}) AS c${index}`,
  )
  const summary = await look(`SUMMARIZE SELECT ${columns.join(', ')}`, {})
  t.equal(summary.length, 300)
  const counts = summary.map(({ distinct }) => distinct)
  t.strictSame(counts.slice(0, values.length), [1, 3, 2, 3, 2, 1, 1, 2, 2, 2, 2, 0, 1])
  t.strictSame(
    counts,
    Array.from(counts, (_, index) => counts[index % values.length]),
  )
  const none = await look(`SUMMARIZE SELECT ${columns.join(', ')} WHERE false`, {})
  t.ok(none.every(({ distinct, null_percentage }) => distinct === 0 && null_percentage === 0))
})

t.test('an error is that of the query', async (t) => {
  t.match(await refusal('SUMMARIZE nope', {}), 'nope')
  t.match(await refusal("SUMMARIZE SELECT nope FROM read_csv('a.csv')", {}), 'nope')
})
