import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { post, SUPER_USER } from '../http/test-server.ts'
import { fc } from '../support/generate.ts'
import { derived, readGrammar } from './grammar.ts'

const { url, datasets } = await startTestService(t, { workers: 1 })
for (const year of ['2023', '2024', '__HIVE_DEFAULT_PARTITION__', 'x%20y']) {
  const folder = join(datasets, 'obs', `year=${year}`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'a.csv'), `n,name,day\n1,a,2024-01-0${year.length % 9}\n,b,\n`)
}
writeFileSync(join(datasets, 'other.csv'), 'n;name\nx;1\n')

const one = (...texts: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.constantFrom(...texts).map((text) => [text])

/** Few names, so that statements meet. */
const NAMES = [
  'obs',
  'v',
  'W',
  '"a.b"',
  '"default"',
  'public.obs',
  'service.public.v',
  'information_schema.tables',
  'x.y',
  'pg_class',
]
const QUERIES = [
  ...NAMES.map((name) => `SELECT * FROM ${name}`),
  ...[
    "SELECT n, year FROM obs WHERE year > '2023'",
    'FROM v WHERE n > 0',
    'SELECT count(*) AS n FROM v GROUP BY n',
  ],
  ...['SELECT 1 AS n, 2 AS n', 'WITH obs AS (SELECT 1 AS n) SELECT * FROM obs JOIN v USING (n)', '(FROM w)'],
  ...[
    "SELECT * FROM read_csv('other.csv', delimiter = ';')",
    'VALUES (1)',
    'SELECT n / 2 AS "half n" FROM W',
  ],
]
const WORDS = {
  table: one(...NAMES, 'obs', 'v', 'w', 'obs', 'v', 'w'),
  name: one('n', 'name', 'day'),
  any_number: one('1', '1.5', '1e3'),
  word: one('csv', 'CSV', 'csv', 'csv', 'parquet', 'nothing'),
  text: one("'obs/'", "'obs/'", "'obs'", "'obs/*/a.csv'", "'other.csv'", "'gone/'", "'../x'"),
  column: one('n BIGINT', 'n DOUBLE NOT NULL', 'name VARCHAR', 'day DATE', 'year INT', 'n DATE'),
  partition: one('year', 'year INT', 'year VARCHAR', 'month'),
  option: one("'delimiter' ';'", 'delimiter ","', 'header true', "infer_records '1'", 'password x'),
  call: one(
    "read_csv('other.csv')",
    "read_csv('obs/*/a.csv') WHERE n > 0",
    "read_parquet('gone.parquet')",
    'list_datasets()',
  ),
  query: fc.constantFrom(...QUERIES).map((query) => [query]),
}

const run = (sql: string, output: object | null = null) =>
  post(`${url}/api/query`, { sql, output }, SUPER_USER)

/** The statement that makes a table again. Null: it is the placeholder. */
async function definitionOf(name: string): Promise<string | null> {
  const sql = `SHOW CREATE TABLE "${name.replaceAll('"', '""')}"`
  return JSON.parse(await (await run(sql, { format: 'ndjson' })).text()).definition
}

t.test('with 200 or with a sentence', async (t) => {
  const statements = fc
    .sample(derived(readGrammar(), 'statement', WORDS), 600)
    .map((tokens) => tokens.join(' '))
  const counts = { 200: 0, 400: 0 }
  for (const sql of statements) {
    const answer = await run(sql)
    const { status } = answer
    if (status === 200) await answer.arrayBuffer()
    else t.type(await answer.json(), 'string', sql)
    if (status !== 200 && status !== 400) t.fail(`${status}: ${sql}`)
    else counts[status]++
  }
  t.ok(counts[200] > 10, `${counts[200]} were run`)
})

t.test('and each definition makes its table again', async (t) => {
  const names = (await (await fetch(`${url}/api/tables`)).json()) as readonly string[]
  for (const name of names) {
    const definition = await definitionOf(name)
    if (definition === null) continue
    const answer = await run(definition.replace(/^CREATE/, 'CREATE OR REPLACE'))
    if (answer.status === 200) await answer.arrayBuffer()
    // What a table or a view reads may be gone by now.
    else t.equal(answer.status, 400, `${definition}: ${await answer.text()}`)
    t.equal(await definitionOf(name), definition)
  }
})
