import t from 'tap'
import { decoderOf } from '../../src/workers/formats/hdf5/data/filters/filters.ts'
import { createCursor } from '../../src/workers/formats/hdf5/data/structures/cursor.ts'
import { readLayout } from '../../src/workers/formats/hdf5/data/structures/layout.ts'
import { bytesOfFixture, DATASETS, elementsOf, storeOf } from './datasets.ts'

const REASONS: Readonly<Record<string, RegExp>> = {
  external: /^"external": its elements are in other files$/,
  virtual: /^"virtual": it is virtual: its elements are in other files$/,
  bitshuffle: /^"bitshuffle": its chunks have passed the filter bitshuffle \(32008\), which is not read$/,
  bzip2: /the filter bzip2 \(307\)/,
  blosc2: /the filter blosc2 \(32026\)/,
  scaleoffset: /the filter scaleoffset \(6\)/,
  fcidecomp: /filter 32018, which is not read/,
}

t.test('datasets', async (t) => {
  const store = storeOf(bytesOfFixture('refused'))
  const datasets = DATASETS['refused'] ?? []
  t.strictSame(datasets.map(({ name }) => name).toSorted(), Object.keys(REASONS).toSorted())
  for (const dataset of datasets)
    t.throws(() => elementsOf({ store, dataset }), {
      code: 'unreadable_file',
      message: REASONS[dataset.name],
    })
})

t.test('what undoes filters is known before any chunk is read', async (t) => {
  const by = (...ids: number[]) => decoderOf(ids.map((id) => ({ id, values: [] })))
  t.equal(by(), 'here')
  t.equal(by(2, 1, 3), 'here')
  t.equal(by(2, 32008), 'library')
  t.equal(by(4), 'library')
  t.equal(by(5), null)
  t.equal(by(4, 32018), null)
})

t.test('layouts of libraries before 1.6.3', async (t) => {
  const read = (...bytes: number[]) =>
    readLayout(createCursor(new DataView(Uint8Array.from(bytes).buffer), { addressBytes: 4, lengthBytes: 4 }))
  const reserved = [0, 0, 0, 0, 0]
  t.match(read(1, 3, 2, ...reserved, 9, 1, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0), {
    kind: 'chunked',
    chunk: [5, 7],
    elementBytes: 4,
    index: { kind: 'btree1', address: 265, filtered: null },
  })
  t.strictSame(read(2, 1, 1, ...reserved, 255, 255, 255, 255, 6, 0, 0, 0), {
    kind: 'contiguous',
    address: null,
    bytes: null,
  })
  t.match(read(2, 1, 0, ...reserved, 6, 0, 0, 0, 2, 0, 0, 0, 8, 9), {
    kind: 'compact',
    bytes: Uint8Array.of(8, 9),
  })
  t.throws(() => read(2, 3, 2, ...reserved, 9, 1, 0, 0, 5, 0, 0, 0), { code: 'unreadable_file' })
})
