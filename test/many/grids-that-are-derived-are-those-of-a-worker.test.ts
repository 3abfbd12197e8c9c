import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import { gridOfColumns, withSharedParts } from '../../src/plan/source/array-layout.ts'
import { isSmallFile } from '../../src/plan/source/file.ts'
import { fileRef } from '../formats/source.ts'
import { generator } from '../support/generate.ts'
import { oneWorker } from '../workers/one-worker.ts'

const NETCDF = FORMATS.withOptions(FORMATS.row('netcdf'))

/** Lists of columns that are tried of each file. */
const LISTS = 40

const FOLDERS = ['netcdf', 'netcdf/argo'].map((name) => join(import.meta.dirname, '../fixtures', name))

t.test('of any columns of small classic files', async (t) => {
  const random = generator('columns')
  const worker = oneWorker(0)
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.nc'))
      .map((name) => fileRef(join(folder, name))),
  ).filter(isSmallFile)
  let derived = 0
  let refused = 0
  for (const file of files) {
    const base = worker.inspectTogether([file], NETCDF)
    const [found] = base.files
    const layout = found?.kind === 'summary' && found.arrays && base.layouts[found.arrays.layout]
    if (!layout || !found.arrays) continue
    const { sizes } = found.arrays
    const { segments } = found.summary
    if (segments?.kind === 'grid') t.same(withSharedParts(segments, { layout, sizes }), segments, file.path)
    const names = [
      ...(base.schemas[0]?.schema.fields ?? []).map(({ name }) => name),
      ...layout.refused,
      'no such column',
    ]
    for (let nth = 0; nth < LISTS; nth++) {
      const columns = Array.from({ length: 1 + random(4) }, () => names[random(names.length)] ?? '')
      const grid = gridOfColumns({ layout, sizes }, columns)
      const [told] = worker.inspectTogether([file], NETCDF, columns).files
      if (grid === null) {
        refused++
        t.equal(told?.kind, 'failed', `${file.path} ${columns.join()}`)
        continue
      }
      derived++
      t.same(told?.kind === 'summary' ? told.summary.segments : told, grid, `${file.path} ${columns.join()}`)
    }
  }
  t.ok(derived > 1000 && refused > 10, `${derived} grids were derived, and ${refused} are for workers`)
})
