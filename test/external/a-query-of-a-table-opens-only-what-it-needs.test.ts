import { mkdirSync, rmSync } from 'node:fs'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { startTables } from './tables.ts'

const tables = await startTables(t, { workers: 1, settings: { SERVICE_CACHE_BYTES: '0' } })
const { put, at, command, ask, analyze, settle } = tables

/** A figure of a query that has run. */
async function measured(query: object | string, figure: string): Promise<number> {
  const [, value = 'none'] = new RegExp(`"${figure}":(\\d+)`).exec(await analyze(query)) ?? []
  return Number(value)
}

t.test('a file that the filter leaves out may be anything', async (t) => {
  mkdirSync(at('p/year=2023'), { recursive: true })
  writeParquetFile(at('p/year=2023/a.parquet'), numberedRows(3), 10)
  await settle()
  t.equal(
    await command("CREATE EXTERNAL TABLE p STORED AS PARQUET PARTITIONED BY (year INT) LOCATION 'p/'"),
    '',
  )
  put('p/year=2024/broken.parquet', 'this is no Parquet')
  await settle()
  for (const query of ['SELECT id FROM p WHERE year = 2023', 'SELECT id | 0 AS id FROM p WHERE year = 2023'])
    t.same(await ask(query), ['id', '0', '1', '2'], query)
  t.match(await ask('SELECT id FROM p WHERE year >= 2023'), /"p\/year=2024\/broken\.parquet"/)
})

t.test('a CSV file is not sampled again', async (t) => {
  const content = `n,s\n${Array.from({ length: 100_000 }, (_, n) => `${n},text ${n}`).join('\n')}\n`
  put('c/a.csv', content)
  await settle()
  t.equal(await command("CREATE EXTERNAL TABLE c STORED AS CSV LOCATION 'c/'"), '')
  put('c/b.csv', content)
  rmSync(at('c/a.csv'))
  await settle()
  const by = (source: string): string => `SELECT sum(n) FROM ${source}`
  const table = await measured(by('c'), 'bytes_read')
  const path = await measured(by("read_csv('c/*.csv')"), 'bytes_read')
  t.ok(table > 0 && table < 0.6 * path, `${table} bytes by name, ${path} by path`)
  t.same(await ask(by('c')), await ask(by("read_csv('c/*.csv')")))
  const first = { from: 'c', select: ['n'], limit: 1 }
  t.ok((await measured(first, 'bytes_read')) < 600_000, 'of a few rows the first block')
})

t.test('what the first records tell of types is stored', async (t) => {
  put('k/a.csv', 'n\n1\n')
  await settle()
  t.equal(await command("CREATE EXTERNAL TABLE k STORED AS CSV LOCATION 'k/'"), '')
  put('k/b.csv', 'n\n2.5\n')
  await settle()
  t.match(
    await ask('SELECT n FROM k'),
    /"k\/b\.csv".*line 2: "2\.5" is no Int64, its type in the table.*REFRESH/s,
  )
  t.match(await ask('SELECT n + 1 FROM k'), /"k\/b\.csv".*REFRESH/s)
  t.equal(await command('REFRESH k'), '')
  t.same(await ask('SELECT n FROM k'), ['n', '1.0', '2.5'])
})
