import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import { gridOfAll, withSharedParts } from '../../src/plan/source/array-layout.ts'
import { isSmallFile } from '../../src/plan/source/file.ts'
import { boundsOfFile } from '../../src/plan/task/inspect.ts'
import type { InspectAnswer } from '../../src/plan/task/task.ts'
import { fileRef } from '../formats/source.ts'
import { oneWorker } from '../workers/one-worker.ts'

const FOLDERS: readonly (readonly [format: string, folder: string, ending: string])[] = [
  ['netcdf', 'netcdf', '.nc'],
  ['netcdf', 'netcdf/argo', '.nc'],
  ['netcdf', 'netcdf4', '.nc'],
  ['hdf5', 'hdf5', '.h5'],
]

/** The first one is opened, the second one tells what all have in common, and the others have it. */
const TIMES = 4

for (const [id, folder, ending] of FOLDERS)
  t.test(`small files of ${folder}`, async (t) => {
    const format = FORMATS.withOptions(FORMATS.row(id))
    const root = join(import.meta.dirname, '../fixtures', folder)
    const worker = oneWorker(0)
    let alike = 0
    let isWhole = true
    // An answer that took long has not all of its files. The next one does not open a file that was opened before.
    do {
      isWhole = true
      for (const name of readdirSync(root).filter((each) => each.endsWith(ending))) {
        const file = fileRef(join(root, name))
        if (!isSmallFile(file)) continue
        const answer = worker.inspectTogether(new Array(TIMES).fill(file), format)
        const [first, ...others] = answer.files.map((_, index) => told(answer, index))
        for (const other of others) t.same(other, first, name)
        if (answer.files[2] !== undefined && answer.files[1] === answer.files[2]) alike++
        if (answer.files.length < TIMES) isWhole = false
      }
    } while (alike === 0 && !isWhole)
    t.ok(alike > 0, `of ${alike} files all have one object`)
  })

/** All that an answer tells of a file. */
function told({ files, schemas, layouts, bounds }: InspectAnswer, index: number): unknown {
  const file = files[index]
  if (file?.kind !== 'summary') return file
  const { arrays, summary } = file
  const layout = arrays && layouts[arrays.layout]
  const laidOut = layout && { layout, sizes: arrays.sizes }
  const { segments = laidOut && gridOfAll(laidOut), ...rest } = summary
  return {
    schema: schemas[file.schema],
    layout,
    sizes: arrays?.sizes,
    summary: rest,
    // A grid that follows from the layout is told by the layout alone.
    segments: laidOut && segments?.kind === 'grid' ? withSharedParts(segments, laidOut) : segments,
    bounds: boundsOfFile(bounds, index),
  }
}
