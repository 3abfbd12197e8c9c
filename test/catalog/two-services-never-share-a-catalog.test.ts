// In a process of its own: it collects garbage, and waits until what it left is gone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import Database from 'better-sqlite3'
import t from 'tap'
import { MOVE_STEPS, NOTHING_AT_STEPS } from '../../src/main/catalog/steps.ts'
import { openCatalogDatabase } from '../../src/main/catalog/store/open-catalog.ts'
import { storePaths } from '../../src/main/catalog/store/paths.ts'
import { put } from './definitions.ts'
import { makeEarlierVersion } from './earlier-version.ts'
import { locations, openInFolder } from './store.ts'

const IN_USE = {
  code: 'internal',
  message:
    /^cannot open the catalog .*catalog\.db: database is locked: another service uses it; stop that one, or give this one a folder of its own \(SERVICE_TABLES_DIR\)$/,
}

t.test('the second one is refused until the first one is killed', async (t) => {
  const folder = t.testdir()
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hold-open.ts'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  await once(child.stdout, 'data')
  await t.rejects(openInFolder(folder), IN_USE)
  t.throws(() => new Database(join(folder, 'catalog.db'), { timeout: 0 }).pragma('user_version'), {
    code: 'SQLITE_BUSY',
  })
  child.kill('SIGKILL')
  await exited
  const catalog = await openInFolder(folder)
  t.same(locations(catalog), { held: 'a.csv' })
  await catalog.close()
})

t.test('the lock is not lost when garbage is collected', async (t) => {
  const folder = t.testdir()
  const catalog = await openInFolder(folder)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let time = 0; time < 3; time++) {
    collect()
    await catalog.change([put(`t${time}`)], new AbortController().signal)
  }
  await t.rejects(openInFolder(folder), IN_USE)
  await catalog.close()
  await (await openInFolder(folder)).close()
})

t.test('the file of an earlier version is locked until it has its new name', async (t) => {
  const folder = t.testdir()
  makeEarlierVersion(folder)
  const paths = storePaths(folder)
  const seen: number[] = []
  const catalog = openCatalogDatabase(paths, (step) => {
    seen.push(step)
    if (step <= MOVE_STEPS.merged) t.throws(() => openCatalogDatabase(paths, NOTHING_AT_STEPS), IN_USE)
  })
  t.same(seen, Object.values(MOVE_STEPS))
  catalog.close()
})

t.test(
  'a service that starts between the two names has the catalog, and the other one is refused',
  async (t) => {
    const folder = t.testdir()
    makeEarlierVersion(folder)
    const paths = storePaths(folder)
    const others: Database.Database[] = []
    t.throws(
      () =>
        openCatalogDatabase(paths, (step) => {
          if (step === MOVE_STEPS.renamed) others.push(openCatalogDatabase(paths, NOTHING_AT_STEPS))
        }),
      IN_USE,
    )
    t.equal(others.length, 1)
    for (const other of others) other.close()
  },
)
