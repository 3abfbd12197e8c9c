import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Table, tableToIPC, vectorFromArray } from 'apache-arrow'
import t, { type Test } from 'tap'
import { post } from '../../http/test-server.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService, type TestService } from '../service.ts'

interface Asked extends TestService {
  put(path: string, content: string | Uint8Array): void
  /** The lines of an answer as CSV, the header first, or the message of an error. */
  csv(query: object): Promise<readonly string[] | string>
  /** The same for SQL. */
  sql(text: string): Promise<readonly string[] | string>
  plan(query: object): Promise<string>
}

async function start(t: Test): Promise<Asked> {
  const service = await startTestService(t)
  const asked = async (query: object): Promise<readonly string[] | string> => {
    const response = await service.query({ ...query, output: { format: 'csv' } })
    return response.status === 200
      ? (await response.text()).trim().split('\n')
      : String(await response.json())
  }
  return {
    ...service,
    put(path, content) {
      const file = join(service.datasets, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    },
    csv: asked,
    sql: (sql) => asked({ sql }),
    async plan(query) {
      const response = await post(`${service.url}/api/explain-query`, query)
      return response.text()
    },
  }
}

const obs = (options: object = {}) => ({ from: { csv: { paths: ['obs/**/*.csv'], ...options } } })

t.test('they come last, in the order of the paths', async (t) => {
  const { put, csv, sql, plan, url } = await start(t)
  put('obs/year=2023/site=a%20b/1.csv', 'n\n1\n')
  put('obs/year=2024/site=c/2.csv', 'n,year\n2,1900\n')
  put('obs/year=2024/site=__HIVE_DEFAULT_PARTITION__/3.csv', 'n\n3\n')
  put('obs/year=2024/site=/4.csv', 'n\n4\n')

  const rows = ['n,year,site', '1,2023,a b', '4,2024,', '3,2024,', '2,2024,c']
  t.same(await sql("SELECT * FROM read_csv('obs/**/*.csv')"), rows, 'in the core; the folder wins')
  t.same(
    await sql("SELECT *, 1 + 1 AS two FROM read_csv('obs/**')"),
    rows.map((row, index) => `${row},${index === 0 ? 'two' : 2}`),
    'in DuckDB',
  )
  t.same(await csv({ ...obs(), select: ['n', 'year', 'site'] }), rows)
  t.same(
    await sql("SELECT column_name, data_type FROM read_csv_schema('obs/**/*.csv') ORDER BY column_name"),
    ['column_name,data_type', 'n,Int64', 'site,Utf8', 'year,Int64'],
  )
  const schema = await fetch(`${url}/api/dataset-schema?file=${encodeURIComponent('obs/**/*.csv')}`)
  t.match(await schema.json(), {
    fields: [
      { name: 'n' },
      { name: 'year', data_type: 'Int64', nullable: true },
      { name: 'site', data_type: 'Utf8' },
    ],
  })

  t.same(await csv({ ...obs(), select: ['n'], filters: [{ column: 'year', lt: 2024 }] }), ['n', '1'])
  t.same(await csv({ ...obs(), select: ['n'], filters: [{ is_null: { column: 'site' } }] }), ['n', '4', '3'])
  t.same(await sql("SELECT n FROM read_csv('obs/**') WHERE site = 'a b' OR year = 1900"), ['n', '1'])
  t.same(await sql("SELECT n | 0 AS n FROM read_csv('obs/**') WHERE site = 'c' AND year > 2000"), ['n', '2'])
  t.same(
    await sql(
      "SELECT year, count(*) AS rows, max(n) AS n FROM read_csv('obs/**') GROUP BY year ORDER BY year",
    ),
    ['year,rows,n', '2023,1,1', '2024,3,4'],
  )
  t.same(
    await csv({
      ...obs(),
      select: [{ function: 'upper', args: ['site'], alias: 'up' }, 'year'],
      filters: [
        { column: 'year', eq: 2024 },
        { column: 'up', eq: 'C' },
      ],
    }),
    ['up,year', 'C,2024'],
  )

  const all = "SELECT n FROM read_csv('obs/**')"
  for (const [query, files] of [
    [{ sql: all }, 4],
    [{ sql: `${all} WHERE year = 2023` }, 1],
    [{ sql: "SELECT n + 1 FROM read_csv('obs/**') WHERE year = 2023" }, 1],
    [{ ...obs(), select: ['n'], filters: [{ column: 'site', eq: 'c' }] }, 1],
  ] as const)
    t.match(await plan(query), new RegExp(`"File Count": ${files}\\b`), JSON.stringify(query))
})

t.test('they may be switched off, or demanded', async (t) => {
  const { put, csv, sql } = await start(t)
  put('obs/year=2023/1.csv', 'n,year\n1,1900\n')
  put('obs/year=2024/2.csv', 'n\n2\n')
  const off = { ...obs({ hive_partitioning: false }), select: ['n', 'year'] }
  t.same(await csv(off), ['n,year', '1,1900', '2,'])
  t.same(await csv({ ...off, filters: [{ column: 'year', eq: 1900 }] }), ['n,year', '1,1900'])
  for (const list of ['*', '*, 1 AS one'])
    t.match(
      await sql(`SELECT ${list} FROM read_csv('obs/**', hive_partitioning = false) WHERE year = 1900`),
      [/^n,year/, /^1,1900/],
    )
  t.same(await sql("SELECT * FROM read_csv('obs/**', hive_partitioning := NULL)"), [
    'n,year',
    '1,2023',
    '2,2024',
  ])

  put('obs/3.csv', 'n\n3\n')
  t.same(
    await sql("SELECT * FROM read_csv('obs/**')"),
    ['n,year', '3,', '1,1900', '2,'],
    'not all paths have them',
  )
  t.match(
    await sql("SELECT * FROM read_csv('obs/**', hive_partitioning = true)"),
    /hive_partitioning: .*"obs\/3\.csv" has none, "obs\/year=2023\/1\.csv" has year; name paths .* or set it to false/,
  )
  t.match(
    await csv({ ...obs({ hive_partitioning: 'yes' }), select: ['n'] }),
    /hive_partitioning must be true or false/,
  )
  t.match(await sql("SELECT * FROM read_csv('obs/**', filename = 1)"), /filename must be true or false/)
  t.same(
    await sql("SELECT * FROM read_csv('obs/3.csv', hive_partitioning = true)"),
    ['n', '3'],
    'there are none',
  )
})

t.test('the path of a file is a column too', async (t) => {
  const { put, csv, sql, plan } = await start(t)
  put('obs/year=2023/1.csv', 'n,filename\n1,x\n')
  put('obs/year=2024/2.csv', 'n\n2\n')
  const rows = ['n,filename,year', '1,obs/year=2023/1.csv,2023', '2,obs/year=2024/2.csv,2024']
  t.same(await sql("SELECT * FROM read_csv('obs/**', filename = true)"), rows)
  t.same(
    await sql("SELECT *, 1 + 1 AS two FROM read_csv('obs/**', filename := true) LIMIT 1"),
    ['n,filename,year,two', '1,obs/year=2023/1.csv,2023,2'],
    'in DuckDB',
  )
  const named = { ...obs({ filename: true }), select: ['n', 'filename'] }
  t.same(await csv({ ...named, filters: [{ column: 'filename', eq: 'obs/year=2024/2.csv' }] }), [
    'n,filename',
    '2,obs/year=2024/2.csv',
  ])
  t.match(
    await plan({ ...named, filters: [{ column: 'filename', gt: 'obs/year=2024' }] }),
    /"File Count": 1\b/,
    'files are left out by it',
  )
  t.same(
    await csv({ ...obs({ filename: true, hive_partitioning: false }), select: ['filename'], limit: 1 }),
    ['filename', 'obs/year=2023/1.csv'],
  )
  t.same(
    await csv({ ...obs(), select: ['filename'], limit: 1 }),
    ['filename', 'x'],
    'a column of the file without it',
  )
})

t.test('in every format', async (t) => {
  const { put, datasets, sql } = await start(t)
  const table = (n: number) => new Table({ n: vectorFromArray(Int32Array.of(n)) })
  for (const day of ['2024-01-01', '2024-01-02']) {
    mkdirSync(join(datasets, `p/day=${day}`), { recursive: true })
    writeParquetFile(join(datasets, `p/day=${day}/a.parquet`), table(1), 10)
    put(`a/day=${day}/a.arrow`, tableToIPC(table(1), 'file'))
  }
  for (const source of ["read_parquet('p/*/*.parquet')", "read_arrow('a/**')"]) {
    t.same(await sql(`SELECT * FROM ${source}`), ['n,day', '1,2024-01-01', '1,2024-01-02'])
    t.same(await sql(`SELECT count(*) AS rows FROM ${source} WHERE day > DATE '2024-01-01'`), ['rows', '1'])
    t.same(await sql(`SELECT min(day) AS first, max(day) AS last FROM ${source}`), [
      'first,last',
      '2024-01-01,2024-01-02',
    ])
    t.same(await sql(`SELECT year(day) AS year FROM ${source} WHERE day = '2024-01-02'`), ['year', '2024'])
  }
})
