import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import t from 'tap'
import { NOTHING_AT_STEPS } from '../../src/main/catalog/steps.ts'
import { openCatalogDatabase } from '../../src/main/catalog/store/open-catalog.ts'
import { storePaths } from '../../src/main/catalog/store/paths.ts'
import { reasonOf } from '../../src/main/sqlite/reason.ts'
import { put } from './definitions.ts'
import { openInFolder } from './store.ts'

const open = (folder: string) => openCatalogDatabase(storePaths(folder), NOTHING_AT_STEPS)

t.test('a catalog is made with its folder, and opened again as it was', async (t) => {
  const folder = join(t.testdir(), 'a/b')
  open(folder).close()
  const catalog = open(folder)
  t.equal(catalog.pragma('journal_mode', { simple: true }), 'wal')
  t.equal(catalog.pragma('synchronous', { simple: true }), 2, 'FULL')
  t.equal(catalog.pragma('locking_mode', { simple: true }), 'exclusive')
  t.equal(catalog.pragma('user_version', { simple: true }), 10)
  catalog.close()
})

t.test('a catalog of a later version is refused and left alone', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'catalog.db')
  const later = open(folder)
  later.pragma('user_version = 99')
  later.close()
  const message = `cannot open the catalog ${path}: its schema (99) is newer than this version's (10): start the version that has written it`
  t.throws(() => open(folder), { code: 'internal', message })
  const after = new Database(path)
  t.equal(after.pragma('user_version', { simple: true }), 99)
  after.close()
})

t.test('a file that is no database is refused by name', async (t) => {
  const folder = t.testdir()
  writeFileSync(
    join(folder, 'catalog.db'),
    'not a database, but long enough to be taken for the header of one'.repeat(20),
  )
  t.throws(() => open(folder), {
    code: 'internal',
    message: /catalog\.db: file is not a database: restore a backup, or move the file away$/,
  })
})

t.test('a damaged file is refused by name', async (t) => {
  const folder = t.testdir()
  const path = join(folder, 'catalog.db')
  const whole = await openInFolder(folder)
  const tables = Array.from({ length: 200 }, (_, index) => put(`t${index}`, 'x'.repeat(1000)))
  await whole.change(tables, new AbortController().signal)
  await whole.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(7, 3 * 4096, bytes.length - 4096))
  await t.rejects(openInFolder(folder), {
    code: 'internal',
    message:
      /^cannot open the catalog .*catalog\.db: database disk image is malformed: restore a backup, or move the file away$/,
  })
})

t.test('a folder that cannot be made is refused by name', async (t) => {
  const folder = t.testdir({ file: '' })
  t.throws(() => open(join(folder, 'file', 'tables')), {
    code: 'internal',
    message: /^cannot open the catalog .*\/file\/tables\/catalog\.db: ENOTDIR: /,
  })
})

t.test('what is to be done about a disk is said', async (t) => {
  const error = (code: string) => Object.assign(new Error('it failed'), { code })
  t.equal(reasonOf(error('SQLITE_FULL')), 'it failed: free some space on its disk')
  t.equal(reasonOf(error('ENOSPC')), 'it failed: free some space on its disk')
  for (const code of ['SQLITE_READONLY_DIRECTORY', 'SQLITE_CANTOPEN', 'SQLITE_IOERR_LOCK', 'EROFS', 'EACCES'])
    t.match(reasonOf(error(code)), /^it failed: let the service write to the (file and its )?folder$/)
  t.equal(reasonOf(error('SQLITE_IOERR_READ')), 'it failed')
})
