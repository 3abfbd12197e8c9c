import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { createDatasetReader } from '../../src/workers/formats/hdf5/data/dataset-reader.ts'
import type { ReadContext } from '../../src/workers/formats/provider.ts'
import { generator } from '../support/generate.ts'
import { bytesOfFixture, context, DATASETS, type Dataset, storeOf, wholeOf } from './datasets.ts'

/** Files of each kind, and how many of each are damaged. */
const KINDS = ['indexes-earliest', 'indexes-v110', 'texts-earliest', 'texts-v110', 'layouts-v110', 'filters']
const ROUNDS = 500

const small: ReadContext = { ...context, chunks: { ...context.chunks, maxChunkBytes: 1 << 20 } }

for (const kind of KINDS)
  t.test(kind, async (t) => {
    const sound = bytesOfFixture(kind)
    const random = generator(kind)
    const datasets = DATASETS[kind] ?? []
    const outcomes = { read: 0, refused: 0 }
    for (let round = 0; round < ROUNDS; round++) {
      const dataset = datasets[random(datasets.length)]
      if (dataset === undefined) continue
      const damaged = damage(sound, dataset, random)
      try {
        drain(damaged, dataset)
        outcomes.read++
      } catch (error) {
        if (!isServiceError(error) || !['unreadable_file', 'memory_limit'].includes(error.code)) throw error
        if (!error.message.includes(dataset.name)) throw error
        outcomes.refused++
      }
    }
    t.ok(outcomes.refused > 0, `${outcomes.refused} refused, ${outcomes.read} read`)
  })

/** Changes some bytes, half of the time near the header of the dataset, or cuts the file short. */
function damage(sound: Uint8Array, { address }: Dataset, random: (below: number) => number): Uint8Array {
  const damaged = Uint8Array.from(sound)
  if (random(20) === 0) return damaged.subarray(0, random(damaged.length))
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(2) === 0 ? address + random(400) : random(damaged.length)
    if (at < damaged.length) damaged[at] = [0, 1, 0xff, random(256)][random(4)] ?? 0
  }
  return damaged
}

function drain(bytes: Uint8Array, dataset: Dataset): void {
  const store = storeOf(bytes)
  const whole = wholeOf(dataset)
  for (const slab of createDatasetReader().slabs(store, dataset, whole, small, whole))
    if (slab.origin.length !== dataset.shape.length) throw new Error('a slab of another rank')
}

t.test('a chunk whose bytes were changed has a wrong checksum', async (t) => {
  const file = 'filters'
  const dataset = DATASETS[file]?.find(({ name }) => name === 'fletcher-f4')
  if (dataset === undefined) throw new Error('no such dataset')
  const sound = bytesOfFixture(file)
  // Elements that follow each other in this dataset, and in others.
  const elements = Buffer.from(Float32Array.of(-300, -263, -226).buffer)
  const at = Buffer.from(sound).indexOf(elements)
  let refused = 0
  for (let from = at; from >= 0; from = Buffer.from(sound).indexOf(elements, from + 1)) {
    const damaged = Uint8Array.from(sound)
    damaged[from] = (damaged[from] ?? 0) ^ 1
    try {
      drain(damaged, dataset)
    } catch (error) {
      t.match(error, { code: 'unreadable_file', message: /"fletcher-f4": .*wrong checksum/ })
      refused++
    }
  }
  t.ok(refused > 0, `${refused} refused`)
})
