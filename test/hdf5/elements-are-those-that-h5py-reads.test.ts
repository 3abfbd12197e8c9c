import { createHash } from 'node:crypto'
import t from 'tap'
import type { Box } from '../../src/workers/formats/arrays/array-file.ts'
import { createDatasetReader } from '../../src/workers/formats/hdf5/data/dataset-reader.ts'
import type { Elements } from '../arrays/slab-elements.ts'
import { generator } from '../support/generate.ts'
import { bytesOfFixture, DATASETS, type Dataset, elementsOf, partOf, storeOf } from './datasets.ts'

for (const [file, datasets] of Object.entries(DATASETS)) {
  if (file === 'refused') continue
  t.test(file, async (t) => {
    const store = storeOf(bytesOfFixture(file), file)
    const reader = createDatasetReader()
    const random = generator(file)
    for (const dataset of datasets) {
      const all = elementsOf({ store, dataset, reader })
      t.equal(digest(all), dataset.sha256, dataset.name)
      for (let round = 0; round < 3 && !dataset.shape.includes(0); round++) {
        const box = randomBox(dataset, random)
        const expected = partOf(all, dataset, box)
        t.strictSame(elementsOf({ store, dataset, reader }, box), expected, `${dataset.name}: a box`)
      }
    }
  })
}

function digest(elements: Elements): string {
  const hash = createHash('sha256')
  for (const element of elements) hash.update(typeof element === 'string' ? `${element}\n` : element)
  return hash.digest('hex')
}

function randomBox({ shape }: Dataset, random: (below: number) => number): Box {
  const origin = shape.map((size) => random(size))
  return { origin, extent: shape.map((size, axis) => random(size - (origin[axis] ?? 0) + 1)) }
}
