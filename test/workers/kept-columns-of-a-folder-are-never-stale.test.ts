import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openChangeClock } from '../../src/main/datasets/change-clock.ts'
import { createFormats } from '../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import type { FileRef } from '../../src/plan/source/file.ts'
import { PROVIDERS } from '../../src/workers/formats/providers.ts'
import { TOY } from '../formats/toy-folder/row.ts'
import { toy } from '../formats/toy-folder/toy.ts'
import { removeObject, writeChunk, writeDocument, writeToy } from '../formats/toy-folder/write.ts'
import { foundFolder } from '../store/folder.ts'
import { untilSettled } from '../support/settled.ts'
import { oneWorker, type ReadOptions } from './one-worker.ts'

const formats = createFormats([...FORMATS.rows, TOY])
const PARTS = { formats, providers: { ...PROVIDERS, toy: () => toy }, format: formats.withOptions(TOY) }

async function toyIn(t: Test) {
  const folder = join(t.testdir({}), 'data')
  writeToy(folder)
  await untilSettled(folder)
  const worker = oneWorker(1 << 20, PARTS)
  const found = (): FileRef => foundFolder(folder, 'toy.json')
  return {
    folder,
    worker,
    /** The rows of a segment, whether they came from the cache, and the objects on which they depend. */
    read(columns: readonly string[], options: ReadOptions = {}) {
      const { bytes, metrics, objects } = worker.read(found(), columns, options)
      const keys = objects.map(({ location }) => location.slice(folder.length + 1))
      return { bytes, keys, ...metrics }
    },
  }
}

t.test('while its objects are the same a column is read once', async (t) => {
  const { read } = await toyIn(t)
  const first = read(['a', 'b'])
  t.match(first, { columnHits: 0, columnMisses: 2, keys: ['a/0', 'b/0'] })
  const again = read(['a', 'b'])
  t.match(again, { columnHits: 2, columnMisses: 0, bytesRead: 0, keys: ['a/0', 'b/0'] })
  t.equal(again.bytes, first.bytes)
  t.match(read(['a', 'b'], { caching: false }), { columnHits: 0, keys: ['a/0', 'b/0'] })
  const absent = read(['b'], { segment: 1 })
  t.match(absent, { columnMisses: 1, bytesRead: 0, keys: ['b/1'] })
  t.match(read(['b'], { segment: 1 }), { columnHits: 1, keys: ['b/1'], bytes: absent.bytes })
})

t.test('a chunk that is rewritten, removed, or appears', async (t) => {
  const { folder, worker, read } = await toyIn(t)
  for (const [change, column, segment] of [
    [() => writeChunk(folder, 'a/0', 7), 'a', 0],
    [() => removeObject(folder, 'a/0'), 'a', 0],
    [() => writeChunk(folder, 'b/1', 8), 'b', 1],
  ] as const) {
    const before = read([column], { segment })
    read(['a'], { segment: 2 })
    change()
    await untilSettled(folder)
    const after = read([column], { segment })
    t.not(after.bytes, before.bytes)
    t.match(after, { columnHits: 0, columnMisses: 1, chunkHits: 0 })
    t.equal(
      worker.read(foundFolder(folder, 'toy.json'), [column], { segment, caching: false }).bytes,
      after.bytes,
    )
    t.match(read([column], { segment }), { columnHits: 1, bytes: after.bytes })
    t.match(read(['a'], { segment: 2 }), { columnHits: 1 }, 'others are kept')
  }
})

t.test('a chunk that changed after the query was planned is an error, kept or not', async (t) => {
  const { folder, read } = await toyIn(t)
  const clock = await openChangeClock(join(folder, '..'))
  t.teardown(clock.close)
  const plannedAt = await clock.now()
  read(['a'], { plannedAt })
  writeChunk(folder, 'a/0', 7)
  await untilSettled(folder)
  read(['a'])
  t.match(read(['a']), { columnHits: 1 })
  t.throws(() => read(['a'], { plannedAt }), { code: 'file_changed', message: /"data\/store\/a\/0"/ })
  t.ok(read(['b'], { plannedAt }))
})

t.test('a document that changes or appears makes another store of it', async (t) => {
  const { folder, read } = await toyIn(t)
  const before = read(['a'])
  writeDocument(folder, 'more.json', ['c'])
  await untilSettled(folder)
  t.match(read(['a']), { columnHits: 0, columnMisses: 1, bytes: before.bytes })
  t.match(read(['c']), { keys: ['c/0'] })
  writeChunk(folder, 'c/0', 3)
  writeDocument(folder, 'toy.json', { columns: ['a', 'b'], segments: 1, rows: 2 })
  await untilSettled(folder)
  t.throws(() => read(['a']), { code: 'unreadable_file', message: /as Toy/ })
})
