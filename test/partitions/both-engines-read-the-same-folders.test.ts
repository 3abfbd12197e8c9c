import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { startTestService } from '../e2e/service.ts'

async function start(t: Test, files: Readonly<Record<string, string>>) {
  const service = await startTestService(t)
  for (const [path, text] of Object.entries(files)) {
    const file = join(service.datasets, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const csv = async (query: object): Promise<string> => {
    const response = await service.query({ ...query, output: { format: 'csv' } })
    return response.status === 200 ? (await response.text()).trim() : String(await response.json())
  }
  const sql = (text: string): Promise<string> => csv({ sql: text })
  return { ...service, csv, sql }
}

/** Folders whose files differ. That of 2021 cannot be read. */
const FILES = {
  't/year=2021/a.csv': 'n\n"never closed',
  't/year=2022/a.csv': 'n,old\n1,a\n',
  't/year=2023/a.csv': 'n,old\n2.5,b\n',
  't/year=2024/a.csv': 'n,new\n3,c\n',
}

t.test('a filter that excludes folders, in the core and in DuckDB', async (t) => {
  const { sql, csv } = await start(t, FILES)
  const both = async (list: string, where: string) => {
    const source = `FROM read_csv('t/**') WHERE ${where}`
    const core = await sql(`SELECT ${list} ${source}`)
    const duckdb = await sql(`SELECT * EXCLUDE (one) FROM (SELECT ${list}, 1 + 0 AS one ${source})`)
    t.equal(duckdb, core, `${list} ${where}`)
    return core
  }
  t.equal(await both('*', 'year = 2024'), 'n,new,year\n3,c,2024', 'the columns of these files')
  t.equal(await both('n', 'year = 2022 OR year = 2024'), 'n\n1\n3')
  t.equal(await both('*', 'year > 2022 AND n IS NOT NULL'), 'n,old,new,year\n2.5,b,,2023\n3.0,,c,2024')
  t.match(
    await both('*', 'n IS NOT NULL'),
    /"t\/year=2021\/a\.csv" cannot be read as CSV/,
    'all files are read',
  )
  t.match(await both('*', 'year > 2020'), /2021/)
  t.match(await both('old', 'year = 2024'), /2021/, 'a column of other files is looked for in all')
  const from = { csv: { paths: ['t/**'] } }
  const late = [{ column: 'year', gt: 2022 }]
  t.equal(await csv({ from, select: ['n'], filters: late }), 'n\n2.5\n3.0')
  t.equal(
    await csv({ from, select: [{ function: 'upper', args: ['new'], alias: 'u' }], filters: late }),
    'u\n""\nC',
  )
  t.match(await csv({ from, select: ['new'], filters: [{ column: 'year', eq: 2023 }] }), /2021/)
})

t.test('a column that no file of the folders has', async (t) => {
  const { 't/year=2021/a.csv': _, ...files } = FILES
  const { sql, csv } = await start(t, files)
  t.equal(await sql("SELECT old, year FROM read_csv('t/**') WHERE year = 2024"), 'old,year\n,2024')
  t.equal(
    await sql("SELECT old || '!' AS old FROM read_csv('t/**') WHERE year IN (2022, 2024)"),
    'old\na!\n""',
  )
  t.equal(
    await csv({
      from: { csv: { paths: ['t/**'] } },
      select: ['old', 'year'],
      filters: [{ column: 'year', eq: 2024 }],
    }),
    'old,year\n,2024',
  )
  t.equal(await sql("SELECT n, new FROM read_csv('t/**') WHERE year = 1999"), 'n,new', 'no folder is left')
  t.equal(await sql("SELECT n || new AS x FROM read_csv('t/**') WHERE year = 1999"), 'x')
})

t.test('several scans of one source', async (t) => {
  const { sql } = await start(t, FILES)
  t.equal(
    await sql(
      `SELECT a.n AS a, b.n AS b FROM read_csv('t/**') a, read_csv('t/**') b WHERE a.year = 2023 AND b.year = 2024`,
    ),
    'a,b\n2.5,3.0',
  )
  t.equal(
    await sql(`WITH s AS (FROM read_csv('t/**'))
      SELECT (SELECT max(n) FROM s WHERE year = 2022) AS x, (SELECT new FROM s WHERE year = 2024) AS y`),
    'x,y\n1,c',
  )
  t.match(
    await sql("SELECT count(*) AS rows FROM read_csv('t/**') a JOIN read_csv('t/**') b USING (n)"),
    /2021/,
  )
})

t.test('a filter that means something else with the columns of other files', async (t) => {
  const { sql } = await start(t, {
    't/a_1=2023/a.csv': 'n,a,A\n1,0,2024\n',
    't/a_1=2024/a.csv': 'n\n2\n',
    'u/year=2023/a.csv': 'n\n1.5\n',
    'u/year=2024/a.csv': 'n\n2\n',
  })
  t.equal(
    await sql("SELECT n | 0 AS n FROM read_csv('t/**') WHERE a_1 >= 2023"),
    'n\n1',
    'A is called a_1 beside a, and the last folder has neither',
  )
  t.equal(
    await sql(`SELECT year | 0 AS year FROM read_csv('u/**')
      WHERE CASE typeof(n) WHEN 'DOUBLE' THEN year = 2024 ELSE year = 2023 END`),
    'year\n2024',
    'the files of 2023 alone would be other ones than those that pass',
  )
})

t.test('a column of a file whose name differs from that of a folder in case alone is not read', async (t) => {
  const { sql, csv } = await start(t, {
    't/year=2023/a.csv': 'n,YEAR\n1,2024\n',
    't/year=2024/a.csv': 'n\n2\n',
  })
  for (const [where, found] of [
    ['year = 2024', 'n,year\n2,2024'],
    ['year >= 2023', 'n,year\n1,2023\n2,2024'],
    ['YEAR < 2024', 'n,year\n1,2023'],
  ] as const) {
    t.equal(await sql(`SELECT * FROM read_csv('t/**') WHERE ${where}`), found, where)
    t.equal(await sql(`SELECT n | 0 AS n, year FROM read_csv('t/**') WHERE ${where}`), found, where)
  }
  const from = { csv: { paths: ['t/**'] } }
  t.equal(
    await csv({ from, select: ['n', 'year'], filters: [{ column: 'year', lt: 2024 }] }),
    'n,year\n1,2023',
  )
  t.match(await csv({ from, select: ['YEAR'] }), /did you mean "year"\?/)
})

t.test('a type for a column that only files of other folders have', async (t) => {
  const { sql, csv } = await start(t, {
    't/year=2023/a.csv': 'n,code\n1,7\n',
    't/year=2024/a.csv': 'n\n2\n',
  })
  const types = { code: 'Utf8' }
  const filters = [{ column: 'year', eq: 2024 }]
  const from = { csv: { paths: ['t/**'], types } }
  t.equal(await csv({ from, select: ['n'], filters }), 'n\n2')
  for (const list of ['n', 'n | 0 AS n'])
    t.equal(
      await sql(`SELECT ${list} FROM read_csv('t/**', types = {'code': 'Utf8'}) WHERE year = 2024`),
      'n\n2',
    )
  const misspelt = { csv: { paths: ['t/**'], types: { cod: 'Utf8' } } }
  t.match(
    await csv({ from: misspelt, select: ['n'], filters }),
    /no file has a column "cod", did you mean "code"/,
  )
})
