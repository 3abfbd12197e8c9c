import t from 'tap'
import type { FileRef } from '../../src/plan/source/file.ts'
import { markedFolder } from '../../src/plan/source/object.ts'
import type { FileVersion } from '../../src/plan/source/version.ts'
import { type ChunkStore, createChunkStore } from '../../src/workers/state/chunk-store.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { syntheticFile, syntheticStore } from '../formats/synthetic-store.ts'

const VERSION: FileVersion = { device: 1n, inode: 1n, size: 100n, mtimeNs: 0n, ctimeNs: 0n }
const CHUNK_BYTES = 100

function storeOf(file: FileRef = syntheticFile('toy.json')): Store {
  return syntheticStore({ documents: {}, chunk: () => null }).openStore(file, createStopwatch())
}

interface Reader {
  /** Reads chunks of `CHUNK_BYTES`. Returns how many of them had to be made. */
  read(...chunks: readonly string[]): number
  /** The same in another unit. */
  next(...chunks: readonly string[]): number
  end(): void
}

function reader(
  chunks: ChunkStore,
  query: string,
  { caching = true, store = storeOf(), version = VERSION } = {},
): Reader {
  const cancel = new SharedArrayBuffer(4)
  const stopwatch = createStopwatch()
  const own = chunks.of({ key: `${query}/0.0`, cancel, caching }, stopwatch)
  const read = (...names: readonly string[]): number => {
    const before = stopwatch.metrics()
    for (const name of names) {
      const bytes = own.get(store, name, version, () => new ArrayBuffer(CHUNK_BYTES))
      t.equal(bytes.byteLength, CHUNK_BYTES)
    }
    const { chunkHits, chunkMisses } = stopwatch.metrics()
    t.equal(chunkHits - before.chunkHits + chunkMisses - before.chunkMisses, names.length)
    return chunkMisses - before.chunkMisses
  }
  return {
    read,
    next(...names) {
      chunks.tidy()
      chunks.beginUnit()
      return read(...names)
    },
    end: () => void Atomics.store(new Int32Array(cancel), 0, 1),
  }
}

const keeping = (bytes: number, unitBytes = 1000) =>
  createChunkStore({ cacheBytes: () => bytes, unitBytes, maxChunkBytes: 0 })

t.test('in one unit, in the next one, and in other queries', async (t) => {
  const chunks = keeping(1000)
  const first = reader(chunks, 'one')
  t.equal(first.next('a', 'b', 'a'), 2)
  t.equal(first.next('b', 'c'), 1)
  t.equal(reader(chunks, 'two').next('a', 'b', 'c', 'd'), 1)
  t.equal(chunks.bytes, 4 * CHUNK_BYTES)
})

t.test('not of another store, another version of it, or another version of the object', async (t) => {
  const chunks = keeping(1000)
  const file = syntheticFile('toy.json')
  t.equal(reader(chunks, 'one').next('a'), 1)
  t.equal(reader(chunks, 'one', { version: { ...VERSION, inode: 2n } }).next('a'), 1)
  const other = {
    ...file,
    folder: { ...markedFolder(file.location, 'toy.json', file.version), key: 'other documents' },
  }
  t.equal(reader(chunks, 'one', { store: storeOf(other) }).next('a'), 1)
  t.equal(reader(chunks, 'one').next('a'), 0)
})

t.test('the least recently used are evicted first', async (t) => {
  const chunks = keeping(3 * CHUNK_BYTES)
  const one = reader(chunks, 'one')
  for (const name of ['a', 'b', 'c', 'a', 'd']) one.next(name)
  t.equal(chunks.bytes, 3 * CHUNK_BYTES)
  t.equal(one.next('a', 'c', 'd'), 0)
  t.equal(one.next('b'), 1)
})

t.test('a unit may have all of its own chunks, however few are kept', async (t) => {
  for (const bytes of [0, CHUNK_BYTES]) {
    const chunks = keeping(bytes)
    const one = reader(chunks, 'one')
    t.equal(one.next('a', 'b', 'c', 'a', 'b', 'c'), 3)
    t.equal(one.read('a', 'b', 'c'), 0)
  }
  const bounded = keeping(0, 2 * CHUNK_BYTES)
  reader(bounded, 'one').next('a', 'b', 'c')
  t.equal(bounded.bytes, 2 * CHUNK_BYTES, 'but no more than one unit may have')
})

t.test('cached columns leave less memory for them', async (t) => {
  let cacheBytes = 3 * CHUNK_BYTES
  const chunks = createChunkStore({ cacheBytes: () => cacheBytes, maxChunkBytes: 0, unitBytes: CHUNK_BYTES })
  const one = reader(chunks, 'one')
  one.next('a', 'b', 'c')
  cacheBytes = CHUNK_BYTES
  one.next()
  t.equal(chunks.bytes, CHUNK_BYTES)
  t.equal(one.read('c'), 0)
})

t.test('without caching they are kept for one query, and dropped with it', async (t) => {
  const chunks = keeping(1000)
  reader(chunks, 'kept').next('a')
  const one = reader(chunks, 'one', { caching: false })
  t.equal(one.next('a'), 1)
  t.equal(one.next('a'), 0)
  t.equal(reader(chunks, 'two', { caching: false }).next('a'), 1)
  t.equal(chunks.bytes, 3 * CHUNK_BYTES)
  one.end()
  chunks.tidy()
  t.equal(chunks.bytes, 2 * CHUNK_BYTES)
})

t.test('a version that is not settled is not kept for other queries', async (t) => {
  const chunks = keeping(1000)
  const version = { ...VERSION, ctimeNs: BigInt(Date.now() + 60_000) * 1_000_000n }
  t.equal(reader(chunks, 'one', { version }).next('a', 'a'), 1)
  t.equal(reader(chunks, 'two', { version }).next('a'), 1)
})

t.test('the memory of evicted large chunks is freed at once, but not that of the chunk in use', async (t) => {
  const large = 33 << 20
  const chunks = keeping(large)
  const own = chunks.of(
    { key: 'one/0.0', cancel: new SharedArrayBuffer(4), caching: true },
    createStopwatch(),
  )
  const get = (name: string, bytes: number): ArrayBuffer =>
    own.get(storeOf(), name, VERSION, () => new ArrayBuffer(bytes))
  const first = get('a', large)
  t.equal(first.byteLength, large)
  chunks.beginUnit()
  const second = get('b', large)
  t.same([first.byteLength, second.byteLength], [0, large])
  chunks.beginUnit()
  const third = get('c', 2 * large)
  t.same([second.byteLength, third.byteLength], [0, 2 * large], 'it is larger than all that may be kept')
  t.equal(chunks.bytes, 0)
})

t.test('the memory of evicted chunks is used again, but not that of the chunk in use', async (t) => {
  const bytes = 1 << 20
  const chunks = keeping(bytes)
  const own = chunks.of(
    { key: 'one/0.0', cancel: new SharedArrayBuffer(4), caching: true },
    createStopwatch(),
  )
  const get = (name: string): ArrayBuffer =>
    own.get(storeOf(), name, VERSION, () => own.allocate?.(bytes) ?? new ArrayBuffer(bytes))
  const first = get('a')
  chunks.beginUnit()
  const second = get('b')
  t.not(second, first)
  chunks.beginUnit()
  const third = get('c')
  t.equal(third, first, 'which was evicted by the second')
  t.not(own.allocate?.(bytes + 1), second, 'which is too small')
  t.not(own.allocate?.(bytes / 4), second, 'which is too large')
  t.equal(own.allocate?.(bytes / 2), second, 'which was evicted by the third')
})
