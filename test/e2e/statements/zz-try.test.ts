import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { readFileSync } from 'node:fs'
import { post } from '../../http/test-server.ts'
import { askBoth, show } from '../../sql/select/both-engines.ts'
import { startTestService } from '../service.ts'

t.test('try', async (t) => {
const service = await startTestService(t, { workers: 2 })
const instance = await DuckDBInstance.create(':memory:')
const c = await instance.connect()
await c.run(`COPY (SELECT i AS id, i % 7 AS k, (i * 37 % 101)::DOUBLE AS v, (i*37%101)::INTEGER AS n, (i%5)::SMALLINT AS s, 'n' || (i % 10) AS name, TIMESTAMP '2024-01-01' + to_hours(i) AS time, (i/10)::DECIMAL(9,2) AS price FROM range(0, 1000) r(i)) TO '${join(service.datasets, 'x.parquet')}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`)
c.closeSync(); instance.closeSync()
for (const line of readFileSync('/tmp/sq/sql.txt','utf8').split('\n').filter((l)=>l.trim()!=='')) {
  const sql = line.replaceAll('$X', "read_parquet('x.parquet')")
  const explained = await (await post(`${service.url}/api/explain-query`, { sql })).text()
  const reason = /"Reason": ?"([^"]*)"/.exec(explained)?.[1] ?? ''
  const { engine, core, duck } = await askBoth(service, sql)
  const same = show(core) === show(duck)
  console.log(same ? 'same' : 'DIFF', engine, reason, sql.slice(0, 200))
  if (!same || process.env.SHOW) console.log('   ', show(core).slice(0, 500), '\n   ', show(duck).slice(0, 500))
  if (process.env.EXPLAIN) console.log(explained)
}
})
