import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { field } from '../../src/plan/types/schema.ts'
import { put } from '../catalog/definitions.ts'
import { startLooking } from './looking.ts'

const { signal } = new AbortController()
const service = await startLooking(t)
const { catalog, look, refusal } = service
const ODD = 'a.b "c"\n'
const COLUMNS = {
  fields: [field('id', { kind: 'int', bits: 64, signed: true }, false), field(ODD, { kind: 'utf8' })],
  metadata: {},
}
await catalog.change([put('gone', 'gone.csv', 'CSV', COLUMNS), put(ODD, 'a.csv', 'CSV', COLUMNS)], signal)
writeFileSync(join(service.datasets, 'a.csv'), `id,"a.b ""c""\n"\n1,x\n2,\n`)
const quoted = `"${ODD.replaceAll('"', '""')}"`

t.test('DESCRIBE tells the stored columns of a table, even if its files are gone', async (t) => {
  const rows = [
    { column_name: 'id', data_type: 'Int64', is_nullable: 'NO' },
    { column_name: ODD, data_type: 'Utf8', is_nullable: 'YES' },
  ]
  for (const name of ['gone', 'GONE', 'public.gone', 'service.public.gone', quoted])
    t.strictSame(await look(`DESCRIBE ${name}`, {}), rows, name)
  t.strictSame(await look('DESC "default"', {}), [], 'without columns')
})

t.test('DESCRIBE tells the columns of a query, which is not run', async (t) => {
  t.strictSame(
    await look(
      "DESCRIBE SELECT id, id / 2.5::DOUBLE AS half, 'x' AS \"A b\" FROM read_csv('a.csv') -- the end",
      {},
    ),
    [
      { column_name: 'id', data_type: 'Int64', is_nullable: 'YES' },
      { column_name: 'half', data_type: 'Float64', is_nullable: 'YES' },
      { column_name: 'A b', data_type: 'Utf8', is_nullable: 'YES' },
    ],
  )
  t.match(await refusal("DESCRIBE SELECT nope FROM read_csv('a.csv')", {}), 'nope')
  t.match(await refusal('DESCRIBE nope', {}), 'nope')
})

t.test('DESCRIBE and SUMMARIZE take a call that reads files, as a query would', async (t) => {
  const rows = await look("DESCRIBE SELECT * FROM read_csv('a.csv')", {})
  for (const sql of [
    "DESCRIBE read_csv('a.csv')",
    "desc read_csv('a.csv', delimiter = ',');",
    `DESC"read_csv"('a.csv')`,
    "DESCRIBE -- of a file\nread_csv(['a.csv'])",
    "DESC\nread_csv('a.csv') -- the end",
  ])
    t.strictSame(await look(sql, {}), rows, sql)
  t.strictSame(
    await look("SUMMARIZE read_csv('a.csv')", {}),
    await look("SUMMARIZE SELECT * FROM read_csv('a.csv')", {}),
  )
  const aliased = "DESCRIBE read_csv('a.csv') AS t JOIN read_csv('a.csv') AS u USING (id)"
  t.equal((await look(aliased, {})).length, 3, 'what may follow in a FROM clause')
  t.match(await refusal("DESC read_csv('none.csv')", {}), /line 1, column 15.*none\.csv/)
  t.match(await refusal("DESCRIBE\n  pg_read_file('a.csv')", {}), /line 2, column 3.*pg_read_file/)
  t.match(await refusal("SUMMARIZE read_csv('a.csv')) WHERE (true", {}), /line 1, column 28/)
  t.match(await refusal("DESCRIBE read_csv('a.csv'); DROP TABLE gone"), /line 1, column 29/)
})

t.test('SHOW TABLES and SHOW COLUMNS are for every caller, of what it may read', async (t) => {
  const names = async (headers: Record<string, string> | undefined) =>
    (await look('SHOW TABLES', headers)).map(
      ({ table_schema, table_name }) => `${table_schema}.${table_name}`,
    )
  t.strictSame(await names({}), [`public.${ODD}`, 'public.default', 'public.gone'])
  t.strictSame(
    (await names(undefined)).filter((name) => name.startsWith('public')),
    await names({}),
  )
  t.strictSame(await look('SHOW COLUMNS FROM gone', {}), await look('SHOW COLUMNS FROM gone'))
  t.match(await refusal('SHOW COLUMNS FROM nope', {}), 'There is no table "nope"')
  t.match(await refusal('SHOW COLUMNS FROM information_schema.tables', {}), 'super-user')
})

t.test('SHOW COLUMNS has the rows of information_schema.columns', async (t) => {
  const rows = await look(`SHOW COLUMNS FROM ${quoted}`)
  t.match(rows, [
    {
      table_catalog: 'service',
      table_schema: 'public',
      table_name: ODD,
      column_name: 'id',
      ordinal_position: 1,
    },
    { table_name: ODD, column_name: ODD, ordinal_position: 2, data_type: 'Utf8', numeric_precision: null },
  ])
  t.match(await look('SHOW COLUMNS IN information_schema.tables'), [{ column_name: 'table_catalog' }])
  t.match(await refusal('SHOW COLUMNS FROM other.public.gone'), 'There is no table other.public.gone')
})

t.test('SHOW CREATE TABLE has the statement that makes it again', async (t) => {
  t.strictSame(await look('SHOW CREATE TABLE Gone'), [
    {
      table_catalog: 'service',
      table_schema: 'public',
      table_name: 'gone',
      definition: "CREATE EXTERNAL TABLE gone STORED AS CSV LOCATION 'gone.csv'",
    },
  ])
  t.match(await look('SHOW CREATE TABLE "default"'), [{ table_name: 'default', definition: null }])
  t.match(await look('SHOW CREATE TABLE system.query_metrics'), [
    { table_schema: 'system', definition: null },
  ])
  t.match(await refusal('SHOW CREATE TABLE nope'), 'There is no table nope; SHOW TABLES')
})

t.test(
  'the answers are Arrow too, have metrics under the statement, and are made anew each time',
  async (t) => {
    const ids = new Set<string>()
    for (let time = 0; time < 2; time++) {
      const answer = await service.query({ sql: 'describe  GONE' })
      t.equal(answer.headers.get('content-type'), 'application/vnd.apache.arrow.stream')
      await answer.arrayBuffer()
      const id = answer.headers.get('x-service-query-id') ?? ''
      ids.add(id)
      const metrics = await (await fetch(`${service.url}/api/query/metrics/${id}`)).json()
      t.match(metrics, { query: { sql: /^DESCRIBE GONE$/i }, result_num_rows: 2 })
    }
    t.equal(ids.size, 2)
  },
)
