import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { until } from '../support/until.ts'
import { put } from './definitions.ts'
import { locations, openInFolder } from './store.ts'

t.test('the log is merged into the file once no statement comes for a moment', async (t) => {
  const folder = t.testdir()
  const catalog = await openInFolder(folder)
  await catalog.change([put('obs')], new AbortController().signal)
  await until('the log is empty', () => statSync(join(folder, 'catalog.db-wal')).size === 0)
  const copy = join(folder, 'copy')
  mkdirSync(copy)
  // By another process: one that closes a file loses all of its locks on it.
  execFileSync('cp', [join(folder, 'catalog.db'), copy])
  const copied = await openInFolder(copy)
  t.same(locations(copied), { obs: 'a.csv' })
  await copied.close()
  await t.rejects(openInFolder(folder), { message: /database is locked/ })
  await catalog.close()
})
