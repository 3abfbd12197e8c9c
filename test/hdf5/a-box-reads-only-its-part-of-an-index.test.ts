import t from 'tap'
import { createDatasetReader } from '../../src/workers/formats/hdf5/data/dataset-reader.ts'
import { bytesOfFixture, context, DATASETS, type Dataset, elementsOf, storeOf } from './datasets.ts'

/** Bytes of an element of each of these datasets, at an index where it was written. */
const ELEMENTS: readonly (readonly [
  file: string,
  name: string,
  index: readonly number[],
  maxBytes: number,
])[] = [
  ['indexes-earliest', 'btree2-deep-plain', [20, 20], 12_000],
  ['indexes-v110', 'btree2-deep-plain', [20, 20], 8000],
  ['indexes-v110', 'fixed-pages-plain', [1100], 12_000],
  ['indexes-v110', 'extensible-pages-plain', [7100], 12_000],
]

function datasetOf(file: string, name: string): Dataset {
  const dataset = DATASETS[file]?.find((each) => each.name === name)
  if (dataset === undefined) throw new Error(`no dataset ${name}`)
  return dataset
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

for (const [file, name, index, maxBytes] of ELEMENTS)
  t.test(`${file}: ${name}`, async (t) => {
    const store = storeOf(bytesOfFixture(file))
    const dataset = datasetOf(file, name)
    const reader = createDatasetReader()
    const box = { origin: index, extent: index.map(() => 1) }
    elementsOf({ store, dataset, reader }, box)
    t.ok(sum(store.reads) < maxBytes, `${sum(store.reads)} bytes in ${store.reads.length} reads`)
    store.reads.length = 0
    elementsOf({ store, dataset, reader }, box)
    t.strictSame(store.reads, [dataset.elementBytes], 'the next time only the element is read')
  })

t.test('a chunk that is larger than may be decoded is refused before it is read', async (t) => {
  const store = storeOf(bytesOfFixture('filters'))
  const dataset = datasetOf('filters', 'deflate-f4')
  const limited = { ...context, chunks: { ...context.chunks, maxChunkBytes: 17 * 40 * 4 - 1 } }
  t.throws(() => elementsOf({ store, dataset, context: limited }), {
    code: 'memory_limit',
    message: /"deflate-f4": its chunks have 2720 bytes, and at most 2719 .*SERVICE_MAX_CHUNK_BYTES/,
  })
  const enough = { ...context, chunks: { ...context.chunks, maxChunkBytes: 17 * 40 * 4 } }
  t.equal(elementsOf({ store, dataset, context: enough }).length, 2000)
})
