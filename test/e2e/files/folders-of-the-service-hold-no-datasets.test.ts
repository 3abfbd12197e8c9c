import { writeFileSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../service.ts'

t.test('of a root that holds the folders of the service, these are not read', async (t) => {
  const dataDir = t.testdir({ 'a.csv': 'n\n1\n' })
  const service = await startTestService(t, {
    dataDir,
    settings: { SERVICE_DATASETS_DIR: dataDir },
  })
  // What another query has left there, and links to both.
  writeFileSync(join(dataDir, 'tmp', 'b.csv'), 'n\n2\n')
  await symlink(join(dataDir, 'tables', 'metrics.db'), join(dataDir, 'link.csv'))
  await symlink(join(dataDir, 'tmp'), join(dataDir, 'link'))

  for (const path of [
    'tables/catalog.db',
    'tmp/b.csv',
    'tmp',
    'tables/*',
    'link.csv',
    'link/b.csv',
    'link/*',
  ]) {
    const response = await service.query({ from: { csv: { paths: [path] } }, select: ['n'] })
    t.equal(response.status, 400, path)
    t.match(await response.text(), /is in a folder of the service itself, which holds no datasets/, path)
  }
  const rows = await service.rows({ sql: "SELECT n FROM read_csv('**/*.csv')" })
  t.same(
    rows.toArray().map((row) => Number(row.n)),
    [1],
  )
  const listed = await (await fetch(`${service.url}/api/datasets`)).json()
  t.same(listed, ['a.csv'])
})

t.test('a root that lies in such a folder is read', async (t) => {
  const dataDir = t.testdir({ root: { 'a.csv': 'n\n1\n' } })
  const service = await startTestService(t, {
    dataDir,
    settings: { SERVICE_DATASETS_DIR: join(dataDir, 'root'), SERVICE_TABLES_DIR: dataDir },
  })
  t.equal((await service.rows({ sql: "SELECT n FROM read_csv('a.csv')" })).numRows, 1)
})
