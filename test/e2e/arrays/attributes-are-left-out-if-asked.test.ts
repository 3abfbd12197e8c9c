import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { post, SUPER_USER } from '../../http/test-server.ts'
import { untilSettled } from '../../support/settled.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t)
const { failure, rowsOf } = answersOf(service)
const file = join(service.datasets, 'profile.nc')
copyFileSync(join(import.meta.dirname, '../../fixtures/netcdf/argo/R13857_001.nc'), file)
await untilSettled(file)

const isAttribute = (name: string): boolean => name.includes('.')

async function columnsOf(body: object): Promise<readonly string[]> {
  const [row = {}] = await rowsOf(body)
  return Object.keys(row)
}

async function noticeOf(body: object): Promise<string> {
  const response = await service.query(body)
  t.equal(response.status, 200)
  await response.arrayBuffer()
  return response.headers.get('x-service-notice') ?? ''
}

t.test('attributes = false in SQL, JSON and tables', async (t) => {
  const all = await columnsOf({ sql: "SELECT * FROM read_netcdf('profile.nc') LIMIT 1" })
  t.ok(all.some(isAttribute))
  const arrays = all.filter((name) => !isAttribute(name))
  const source = "read_netcdf('profile.nc', attributes := false)"
  t.same(await columnsOf({ sql: `SELECT * FROM ${source} LIMIT 1` }), arrays)
  t.same(await columnsOf({ sql: `WITH one AS (SELECT 1) SELECT * FROM ${source} LIMIT 1` }), arrays)
  const from = { netcdf: { paths: ['profile.nc'], attributes: false } }
  t.match(await failure({ select: [all.find(isAttribute)], from }), /unknown|no column|not/i)
  t.same(await columnsOf({ select: [arrays[0]], from, limit: 1 }), [arrays[0]])
  const create =
    "CREATE EXTERNAL TABLE plain STORED AS NETCDF LOCATION 'profile.nc' OPTIONS ('attributes' 'false')"
  t.equal((await post(`${service.url}/api/query`, { sql: create }, SUPER_USER)).status, 200)
  t.same(await columnsOf({ sql: 'SELECT * FROM plain LIMIT 1' }), arrays)
  t.match(await failure({ sql: "SELECT * FROM read_netcdf('profile.nc', attributes := 3)" }), /true or false/)
})

t.test('a text of which most columns are attributes has a notice with the cure', async (t) => {
  const sql = "SELECT * FROM read_netcdf('profile.nc')"
  for (const format of ['csv', 'json', 'ndjson'])
    t.match(
      await noticeOf({ sql, output: { format } }),
      /\d+ of the \d+ columns are attributes.*attributes = false/,
    )
  t.notMatch(await noticeOf({ sql }), /attributes/, 'a stream has each value once')
  const without = "SELECT * FROM read_netcdf('profile.nc', attributes := false)"
  t.notMatch(await noticeOf({ sql: without, output: { format: 'csv' } }), /attributes/)
})

t.test('the schema of a dataset has the dimensions of its rows, and what is in none of them', async (t) => {
  const response = await fetch(`${service.url}/api/dataset-schema?file=profile.nc`)
  const { metadata } = (await response.json()) as { metadata: Readonly<Record<string, string>> }
  t.equal(metadata['dimensions'], '(N_PROF, N_LEVELS)')
  t.match(metadata['left_out'], /"HISTORY_ACTION"/)
})
