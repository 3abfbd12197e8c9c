import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import { isSmallFile } from '../../src/plan/source/file.ts'
import { type WholeOfFile, wholeColumn } from '../../src/plan/source/whole.ts'
import { boundsOfFile } from '../../src/plan/task/inspect.ts'
import { fileRef } from '../formats/source.ts'
import { oneWorker } from '../workers/one-worker.ts'

const FOLDERS: readonly (readonly [format: string, folder: string, ending: string])[] = [
  ['netcdf', 'netcdf', '.nc'],
  ['netcdf', 'netcdf/argo', '.nc'],
  ['netcdf', 'netcdf4', '.nc'],
  ['hdf5', 'hdf5', '.h5'],
]

for (const [id, folder, ending] of FOLDERS)
  t.test(`small files of ${folder}`, async (t) => {
    const format = FORMATS.withOptions(FORMATS.row(id))
    const root = join(import.meta.dirname, '../fixtures', folder)
    const files = readdirSync(root)
      .filter((name) => name.endsWith(ending))
      .map((name) => fileRef(join(root, name)))
      .filter(isSmallFile)
    const worker = oneWorker(0)
    let compared = 0
    let others = 0
    for (let at = 0; at < files.length; ) {
      const { files: found, schemas, bounds: boundsOfFiles } = worker.inspectTogether(files.slice(at), format)
      for (const [index, each] of found.entries()) {
        const file = files[at + index]
        if (file === undefined || each.kind !== 'summary') continue
        const { fields } = schemas[each.schema]?.schema ?? { fields: [] }
        for (const [field, { name }] of fields.entries()) {
          const bounds = boundsOf(boundsOfFile(boundsOfFiles, index), field)
          const expected = bounds && boundsOf(worker.inspect(file, format, [name]).summary.whole, field)
          if (expected !== null) {
            compared++
            t.same(bounds, expected, `${file.path} ${name}`)
          } else if (bounds !== null) others++
        }
      }
      at += found.length
    }
    t.ok(compared > 20, `${compared} columns were compared, and ${others} are not found out alone`)
  })

function boundsOf(whole: WholeOfFile | undefined, field: number) {
  return whole === undefined ? null : wholeColumn(whole, field)
}
