import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { post, SUPER_USER } from '../http/test-server.ts'

t.test('tables are created by REST and read by JSON where SQL is switched off', async (t) => {
  const service = await startTestService(t, { workers: 1, settings: { SERVICE_ENABLE_SQL: 'false' } })
  const { url, datasets } = service
  writeFileSync(join(datasets, 'obs.csv'), 'n\n1\n2\n')
  const body = { name: 'obs', location: 'obs.csv', file_type: 'CSV' }
  t.equal((await post(`${url}/api/admin/external-tables`, body)).status, 401)
  t.equal((await post(`${url}/api/admin/external-tables`, body, SUPER_USER)).status, 200)
  t.equal((await service.rows({ from: 'obs', select: ['n'] })).numRows, 2)
  const refused = await post(`${url}/api/query`, { sql: 'DROP TABLE obs' }, SUPER_USER)
  t.equal(await refused.json(), 'SQL queries are not enabled')
  t.equal((await service.rows({ from: 'obs', select: ['n'] })).numRows, 2)
})
