import t from 'tap'
import { buffersStore, memoryStore } from '../../src/workers/store/memory-store.ts'

const VERSION = { device: 0n, inode: 0n, size: 0n, mtimeNs: 0n, ctimeNs: 0n }
const FILE = { path: 'memory', location: 'memory', version: VERSION }

const BYTES = Uint8Array.from({ length: 12 }, (_, i) => i)

t.test('every range of any pieces has the bytes of the whole', async (t) => {
  const whole = memoryStore(BYTES, FILE)
  for (const ends of [[12], [5, 12], [0, 5, 12], [5, 5, 12], [1, 2, 3, 12], [5, 12, 12]]) {
    const pieces = ends.map((end, i) => BYTES.subarray(ends[i - 1] ?? 0, end))
    const store = buffersStore(pieces, FILE)
    t.equal(store.size, whole.size)
    for (let offset = 0; offset <= BYTES.length; offset++)
      for (let length = 0; length <= BYTES.length - offset; length++)
        t.strictSame([...store.read(offset, length)], [...whole.read(offset, length)], `${ends}: ${offset}`)
    t.throws(() => store.read(5, 8), RangeError)
  }
})

t.test('a read within a piece is a view of it', async (t) => {
  const store = buffersStore([BYTES.slice(0, 5), BYTES], FILE)
  t.equal(store.read(6, 3).buffer, BYTES.buffer)
})
