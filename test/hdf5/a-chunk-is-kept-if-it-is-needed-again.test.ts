import t from 'tap'
import type { Box } from '../../src/workers/formats/arrays/array-file.ts'
import { createDatasetReader } from '../../src/workers/formats/hdf5/data/dataset-reader.ts'
import { bytesOfFixture, context, DATASETS, storeOf, wholeOf } from './datasets.ts'

const dataset = DATASETS['filters']?.find(({ name }) => name === 'deflate-f4')
if (dataset === undefined) throw new Error('no such dataset')
const store = storeOf(bytesOfFixture('filters'))
const whole = wholeOf(dataset)
const part: Box = { origin: whole.origin.map(() => 1), extent: whole.extent.map(() => 1) }

const CASES = [
  {
    what: 'one unit needs it, and nothing is cached',
    box: whole,
    own: whole,
    isShared: false,
    keeps: false,
  },
  { what: 'later queries may need it', box: whole, own: whole, isShared: true, keeps: true },
  { what: 'the other units need it', box: whole, own: null, isShared: false, keeps: true },
  { what: 'another unit has the rest of it', box: part, own: part, isShared: false, keeps: true },
  {
    what: 'one unit needs a part of it, and no other unit the rest',
    box: part,
    own: whole,
    isShared: false,
    keeps: false,
  },
]

for (const { what, box, own, isShared, keeps } of CASES)
  t.test(what, async (t) => {
    const counts = { asked: 0, missed: 0 }
    const reading = {
      ...context,
      stopwatch: {
        ...context.stopwatch,
        count(kind: string) {
          if (kind === 'chunkMisses') counts.missed++
        },
      },
      chunks: {
        ...context.chunks,
        isHeld: () => false,
        isShared: () => isShared,
        get(...[, , , make]: Parameters<typeof context.chunks.get>) {
          counts.asked++
          return make()
        },
      },
    }
    const kinds = new Set<string>()
    for (const slab of createDatasetReader().slabs(store, dataset, box, reading, own)) kinds.add(slab.kind)
    t.same([...kinds], [keeps ? 'elements' : 'inflated'])
    t.equal(counts.asked > 0, keeps)
    t.equal(counts.missed > 0, !keeps, 'what no cache is asked for is counted as not found')
  })
