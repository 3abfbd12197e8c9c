import t from 'tap'
import { isUndoneByLibrary } from '../../src/workers/formats/hdf5/data/filters/filters.ts'
import { createCursor } from '../../src/workers/formats/hdf5/data/structures/cursor.ts'
import { readLayout } from '../../src/workers/formats/hdf5/data/structures/messages/layout.ts'
import { undoFilter } from '../../src/workers/formats/hdf5/library/undo-filter.ts'
import { bytesOfFixture, DATASETS, elementsOf, storeOf } from './datasets.ts'

const REASONS: Readonly<Record<string, RegExp>> = {
  external: /^"external": its elements are in other files$/,
  virtual: /^"virtual": it is virtual: its elements are in other files$/,
  fcidecomp:
    /^"fcidecomp": its chunks have passed the filter fcidecomp \(32018\), which is not read; write them anew with another filter/,
}

/** Their filters are undone by the library. */
const OF_LIBRARY = new Set(['bitshuffle', 'bzip2', 'blosc2', 'scaleoffset'])

t.test('datasets', async (t) => {
  const store = storeOf(bytesOfFixture('refused'))
  const datasets = (DATASETS['refused'] ?? []).filter(({ name }) => !OF_LIBRARY.has(name))
  t.strictSame(datasets.map(({ name }) => name).toSorted(), Object.keys(REASONS).toSorted())
  for (const dataset of datasets)
    t.throws(() => elementsOf({ store, dataset }), {
      code: 'unreadable_file',
      message: REASONS[dataset.name],
    })
})

t.test('what the table of codecs has is never undone by the library', async (t) => {
  const [here, library] = [
    [1, 2, 3, 32000, 32001, 32004, 32015],
    [4, 6, 307, 32008, 32013, 32026],
  ]
  for (const id of library) t.ok(isUndoneByLibrary({ id }), `${id}`)
  for (const id of [...here, 5, 32018, 65535]) {
    t.notOk(isUndoneByLibrary({ id }), `${id}`)
    const filtered = { stored: new ArrayBuffer(8), filter: { id, values: [4] }, bytes: 8 }
    await t.rejects(undoFilter(filtered), TypeError, `${id}`)
  }
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
