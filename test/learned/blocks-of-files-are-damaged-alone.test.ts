import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import type { LearnedFiles } from '../../src/main/learned/learned-files.ts'
import { fileFormat } from '../../src/plan/format/file-format.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { fc, generator } from '../support/generate.ts'
import { findAll, learnedOf, openStore, refOf } from './stored.ts'

const FORMAT = fileFormat('netcdf', 'grid', {})
const below = generator('blocks')

/** A version of a file with a name of its own. */
function named(location: string, nth: number, version: number): FileRef {
  return { ...refOf(nth, version), path: location.slice(1), location }
}

/** How many of the files the store knows. Each is as it was stored. */
async function countKnown(test: Test, store: LearnedFiles, files: readonly FileRef[], nths: number[]) {
  const found = await findAll(store, FORMAT, files)
  for (const [index, each] of found.entries())
    if (each !== null) test.same(each, learnedOf(nths[index] ?? 0, Number(files[index]?.version.mtimeNs)))
  return found.filter((each) => each !== null).length
}

t.test('files are found whatever their names are, and in whichever order they were stored', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const letters = fc.constantFrom('a', 'b', 'é', '\u{1f30a}', '\uffee', '0', ' ', '.')
  const name = fc.array(letters, { minLength: 1, maxLength: 6 }).map((each) => each.join(''))
  const folder = fc.constantFrom('', '/a', '/a/b')
  const place = fc.tuple(folder, name).map((words) => words.join('/'))
  const places = [...new Set(fc.sample(place, 3000))]
  const versions = new Map<string, number>()
  for (let round = 1; round <= 3; round++) {
    const store = openStore(path)
    for (let puts = 0; puts < 1500; puts++) {
      const nth = below(places.length)
      const location = places[nth] ?? ''
      versions.set(location, round)
      store.put(FORMAT, named(location, nth, round), learnedOf(nth, round))
    }
    await store.close()
    const again = openStore(path)
    const asked = fc.sample(fc.constantFrom(...places.keys()), 2000)
    const files = asked.map((nth) => named(places[nth] ?? '', nth, versions.get(places[nth] ?? '') ?? round))
    const stored = asked.filter((nth) => versions.has(places[nth] ?? '')).length
    t.equal(await countKnown(t, again, files, asked), stored, `round ${round}`)
    await again.close()
  }
})

t.test('of many files in one folder a damaged block loses its own alone', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const nths = Array.from({ length: 3000 }, (_, nth) => nth)
  const files = nths.map((nth) => named(`/many/p${String(nth).padStart(5, '0')}.nc`, nth, 1))
  const first = openStore(path)
  for (const nth of nths) first.put(FORMAT, files[nth] ?? refOf(nth, 1), learnedOf(nth, 1))
  await first.close()
  const database = new Database(path)
  const blocks = database.prepare('SELECT id, files, data FROM blocks').all() as {
    id: number
    files: number
    data: Buffer
  }[]
  t.ok(blocks.length >= 3 && blocks.length <= 16, `${blocks.length} blocks`)
  const damaged = blocks[1 + below(blocks.length - 2)]
  if (damaged === undefined) throw new RangeError('no block')
  const at = below(damaged.data.length)
  damaged.data[at] = (damaged.data[at] ?? 0) ^ (1 << below(8))
  database.prepare('UPDATE blocks SET data = ? WHERE id = ?').run(damaged.data, damaged.id)
  database.close()
  const second = openStore(path)
  t.equal(await countKnown(t, second, files, nths), files.length - damaged.files)
  for (const nth of nths) second.put(FORMAT, files[nth] ?? refOf(nth, 1), learnedOf(nth, 1))
  await second.close()
  const third = openStore(path)
  t.equal(await countKnown(t, third, files, nths), files.length, 'they are learned again')
  await third.close()
})

t.test('a database with a row for each file is begun anew', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const store = openStore(path)
  store.put(FORMAT, refOf(0, 1), learnedOf(0, 1))
  await store.close()
  const database = new Database(path)
  database.exec('DROP TABLE blocks; CREATE TABLE files (id INTEGER PRIMARY KEY, key BLOB)')
  database.pragma('user_version = 4')
  database.close()
  const after = openStore(path)
  t.same(await findAll(after, FORMAT, [refOf(0, 1)]), [null])
  after.put(FORMAT, refOf(0, 1), learnedOf(0, 1))
  await after.close()
  const again = openStore(path)
  t.same(await findAll(again, FORMAT, [refOf(0, 1)]), [learnedOf(0, 1)])
  await again.close()
})
