import t from 'tap'
import type { BoxSlab, BoxSpec } from '../../src/wasm/core/boxes/box-column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'

const core = createCore({ maximumBytes: 32 << 20 })

const SPEC: BoxSpec = {
  shape: [2, 3],
  axes: [0, 1],
  origin: [4, 5],
  element: { kind: 'int', bits: 32, signed: true },
  decoding: { kind: 'stored' },
  fills: [],
}
const SLAB: BoxSlab = {
  kind: 'elements',
  origin: [4, 5],
  extent: [2, 3],
  bytes: new Uint8Array(24),
  isBigEndian: false,
  isShuffled: false,
  stride: 4,
  offset: 0,
}
const TEXTS: BoxSpec = { ...SPEC, element: { kind: 'text' } }

function texts(offsets: readonly number[]): BoxSlab {
  return {
    kind: 'texts',
    origin: [4, 5],
    extent: [2, 3],
    offsets: Int32Array.from(offsets),
    bytes: new Uint8Array(8),
  }
}

t.test('a chunk with fewer bytes than its shape needs', async (t) => {
  const short: BoxSlab[] = [
    { ...SLAB, bytes: new Uint8Array(23) },
    { ...SLAB, bytes: new Uint8Array(23), isShuffled: true },
    { ...SLAB, bytes: new Uint8Array(47), stride: 8, offset: 4 },
    { ...SLAB, extent: [2, 2 ** 40] },
    { ...SLAB, extent: [2 ** 40, 2 ** 40] },
    { ...SLAB, extent: [-2, -3] },
    { ...SLAB, kind: 'repeated', bytes: new Uint8Array(3) },
  ]
  for (const slab of short) t.throws(() => core.boxColumn(SPEC, [slab]), { code: 'unreadable_file' })
})

t.test('elements that no chunk has', async (t) => {
  t.throws(() => core.boxColumn(SPEC, []), {
    code: 'unreadable_file',
    message: 'elements of the box are missing',
  })
  t.throws(() => core.boxColumn(SPEC, [{ ...SLAB, origin: [5, 5] }]), { code: 'unreadable_file' })
  t.throws(() => core.boxColumn(SPEC, [{ ...SLAB, origin: [40, 50] }]), { code: 'unreadable_file' })
})

t.test('offsets of texts', async (t) => {
  core.free(core.boxColumn(TEXTS, [texts([0, 1, 2, 3, 4, 5, 8])]))
  for (const offsets of [
    [0, 1, 2, 3, 4, 5],
    [0, 1, 2, 3, 4, 5, 9],
    [0, 7, 2, 3, 4, 5, 8],
    [0, 9, 9, 9, 9, 9, 8],
    [-1, 1, 2, 3, 4, 5, 8],
    [8, 1, 2, 3, 4, 5, 0],
    [0, -1, 2, 3, 4, 5, 8],
  ])
    t.throws(() => core.boxColumn(TEXTS, [texts(offsets)]), { code: 'unreadable_file' }, offsets.join())
})

t.test('boxes that are larger than the memory', async (t) => {
  for (const shape of [
    [2 ** 16, 2 ** 16],
    [2 ** 31, 2 ** 31],
    [2 ** 12, 2 ** 12],
  ])
    t.throws(() => core.boxColumn({ ...SPEC, shape }, [SLAB]), { code: 'memory_limit' }, shape.join())
  const chars = { ...SPEC, origin: [4, 5, 0], element: { kind: 'char' } } as const
  for (const length of [2 ** 31 - 1, 2 ** 32 + 1, 2 ** 53])
    t.throws(() => core.boxColumn({ ...chars, decoding: { kind: 'joined', length } }, []), {
      code: 'memory_limit',
    })
})

t.test('a reader that fails', async (t) => {
  function* failing(): Iterable<BoxSlab> {
    yield SLAB
    throw new RangeError('no more')
  }
  t.throws(() => core.boxColumn(SPEC, failing()), { message: 'no more' })
})

t.test('what was begun is freed', async (t) => {
  const large = { ...SPEC, shape: [1000, 1000] }
  for (let i = 0; i < 20; i++) t.throws(() => core.boxColumn(large, []), { code: 'unreadable_file' })
  for (let i = 0; i < 20; i++) t.throws(() => core.boxColumn(large, [{ ...SLAB, bytes: new Uint8Array(1) }]))
  t.equal(core.isDead(), false)
  t.equal(core.usedBytes(), 0)
})
