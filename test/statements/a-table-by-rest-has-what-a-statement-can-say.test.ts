import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { post, SUPER_USER } from '../http/test-server.ts'

const { url, datasets } = await startTestService(t, { workers: 1 })
writeFileSync(join(datasets, 'obs.csv'), 'n\n1\n')
const PLAIN = { name: 'obs', location: 'obs.csv', file_type: 'CSV' }
const create = (body: object) => post(`${url}/api/admin/external-tables`, { ...PLAIN, ...body }, SUPER_USER)
const tables = async (): Promise<unknown> => (await fetch(`${url}/api/tables`)).json()

t.test('odd texts are kept as they are, and the statement of the table makes it again', async (t) => {
  for (const name of ['a b', 'Ünï.cödé"', "it's; DROP TABLE obs --", 'select', '😀', 'a\nb']) {
    const options = { "odd'key": `"';--\n/*`, Password: 'hunter2' }
    t.equal((await create({ name, options })).status, 200, name)
    t.same(await tables(), ['default', name].toSorted())
    const sql = `SHOW CREATE TABLE "${name.replaceAll('"', '""')}"`
    const answer = await post(`${url}/api/query`, { sql, output: { format: 'ndjson' } }, SUPER_USER)
    const { definition } = JSON.parse(await answer.text())
    t.notMatch(definition, 'hunter2')
    const drop = `DROP TABLE "${name.replaceAll('"', '""')}"`
    t.equal((await post(`${url}/api/query`, { sql: drop }, SUPER_USER)).status, 200)
    t.equal((await post(`${url}/api/query`, { sql: definition }, SUPER_USER)).status, 200, definition)
    t.same(await tables(), ['default', name].toSorted())
    await post(`${url}/api/query`, { sql: drop }, SUPER_USER)
  }
})

t.test('what no statement can say is a 400, and no table', async (t) => {
  for (const body of [
    { name: '' },
    { name: 'a\0b' },
    { name: 'a\ud800' },
    { location: 'obs.csv\0' },
    { file_type: '' },
    { file_type: '!' },
    { file_type: 'CSV LOCATION' },
    { partition_cols: [''] },
    { options: { 'a\0': 'b' } },
    { options: { a: '\0' } },
  ]) {
    const answer = await create(body)
    t.equal(answer.status, 400, JSON.stringify(body))
    t.same(await tables(), ['default'])
  }
})
