import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openCatalogDatabase } from '../../src/main/catalog/open.ts'

t.test('a catalog is made with its folder, and opened again as it was', async (t) => {
  const path = join(t.testdir(), 'a/b/catalog.db')
  openCatalogDatabase(path).close()
  const catalog = openCatalogDatabase(path)
  t.equal(catalog.pragma('journal_mode', { simple: true }), 'wal')
  t.equal(catalog.pragma('synchronous', { simple: true }), 1)
  t.equal(catalog.pragma('user_version', { simple: true }), 2)
  catalog.close()
})

t.test('a catalog of a later version is refused and left alone', async (t) => {
  const path = join(t.testdir(), 'catalog.db')
  const later = openCatalogDatabase(path)
  later.pragma('user_version = 99')
  later.close()
  t.throws(() => openCatalogDatabase(path), {
    code: 'internal',
    message: `cannot open the catalog ${path}: its schema (99) is newer than this version's (2)`,
  })
})

t.test('a file that is no database is refused by name', async (t) => {
  const path = join(t.testdir(), 'catalog.db')
  writeFileSync(path, 'not a database, but long enough to be taken for the header of one'.repeat(20))
  t.throws(() => openCatalogDatabase(path), {
    code: 'internal',
    message: /catalog\.db: file is not a database/,
  })
})
