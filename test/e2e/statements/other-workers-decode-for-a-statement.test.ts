import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService, type TestService } from '../service.ts'

const ROWS = 60_000

const STATEMENTS = [
  `SELECT id, noise, name FROM read_parquet('a.parquet')`,
  `SELECT name, count(*) AS n, sum(noise) AS noise, min(id) AS first FROM read_parquet('a.parquet') GROUP BY name ORDER BY name`,
  // Both scans begin, but one of them is not read to its end.
  `SELECT a.id, b.name FROM read_parquet('a.parquet') a JOIN read_csv('a.csv') b ON b.id = a.id + 7 LIMIT 20000`,
  `SELECT id, name FROM read_csv('a.csv') WHERE noise < 0.5`,
  `WITH RECURSIVE step(id) AS (SELECT 5 UNION SELECT a.id + 4999 FROM read_parquet('a.parquet') a JOIN step ON a.id = step.id)
   SELECT count(*) AS n FROM step`,
]

t.test('a statement gives the same rows however many workers decode', async (t) => {
  const answers: (readonly string[])[] = []
  for (const workers of [1, 3])
    await t.test(`${workers} workers`, async (t) => {
      answers.push(await answersOf(t, workers))
    })
  const [one = [], three] = answers
  for (const [index, expected] of one.entries()) t.ok(three?.[index] === expected, `answer ${index}`)
  const rows = one.map((text) => text.split('\n').length - 2)
  t.same(rows.slice(0, 3), [ROWS, 7, 20_000])
  t.equal(one[4], 'n\n14\n')
})

t.test('each unit is decoded once', async (t) => {
  const service = await startTestService(t, { workers: 3 })
  writeTables(service)
  for (let i = 0; i < 5; i++) {
    const response = await service.query({ sql: `SELECT sum(noise) FROM read_parquet('a.parquet')` })
    await response.arrayBuffer()
    const id = response.headers.get('x-service-query-id')
    const metrics = await (await fetch(`${service.url}/api/query/metrics/${id}`)).json()
    t.match(metrics, { input_rows: ROWS }, JSON.stringify(metrics))
  }
})

async function answersOf(t: Test, workers: number): Promise<readonly string[]> {
  const service = await startTestService(t, { workers })
  writeTables(service)
  const bodies: string[] = []
  for (const sql of STATEMENTS) bodies.push(await body(service, sql))
  // Statements at the same time, and some that end before they use what other workers have decoded for them.
  const sums = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      body(service, `SELECT sum(id + ${i}) AS total FROM read_parquet('a.parquet')`),
    ),
  )
  await Promise.all(
    Array.from({ length: 4 }, () => body(service, `SELECT id FROM read_parquet('a.parquet') LIMIT 10`)),
  )
  return [...bodies, ...sums]
}

function writeTables({ datasets }: TestService): void {
  const table = numberedRows(ROWS)
  writeParquetFile(join(datasets, 'a.parquet'), table, 1500)
  const lines = table.toArray().map(({ id, noise, name }) => `${id},${noise},${name}`)
  writeFileSync(join(datasets, 'a.csv'), ['id,noise,name', ...lines, ''].join('\n'))
}

async function body(service: TestService, sql: string): Promise<string> {
  const response = await service.query({ sql, output: { format: 'csv' } })
  if (response.status !== 200) throw new Error(await response.text())
  return response.text()
}
