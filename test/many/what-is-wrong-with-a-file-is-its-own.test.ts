import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import type { DigestedSchema, InspectedFile } from '../../src/plan/task/inspect.ts'
import { writeNetcdf } from '../../src/sample/write-netcdf.ts'
import { fileRef } from '../formats/source.ts'
import { oneWorker } from '../workers/one-worker.ts'

const NETCDF = FORMATS.withOptions(FORMATS.row('netcdf'))

/** The bytes of a profile of so many levels. */
function profile(levels: number): Uint8Array {
  const values = Float32Array.from({ length: levels }, (_, level) => level)
  return writeNetcdf({ level: levels }, { title: 'a profile' }, [
    { name: 'latitude', dimensions: [], values: Float64Array.of(levels), attributes: {} },
    { name: 'temp', dimensions: ['level'], values, attributes: { units: 'degree_C' } },
  ])
}

t.test('files that are inspected together', async (t) => {
  const folder = t.testdir()
  mkdirSync(join(folder, 'f'))
  const files = Array.from({ length: 9 }, (_, number) => {
    const path = join(folder, 'f', `${number}.nc`)
    writeFileSync(path, number === 4 ? Buffer.from('this is not NetCDF') : profile(10 + number))
    return fileRef(path)
  })
  rmSync(files[2]?.location ?? '')
  utimesSync(files[6]?.location ?? '', 1, 1)
  const worker = oneWorker(0)
  const found: InspectedFile[] = []
  const schemas: DigestedSchema[] = []
  // A task ends early if it takes long.
  while (found.length < files.length) {
    const answer = worker.inspectTogether(files.slice(found.length), NETCDF)
    found.push(...answer.files)
    schemas.push(...answer.schemas)
    t.ok(answer.schemas.length <= 1, 'equal schemas are answered once')
  }
  const codes = found.map((each) => (each.kind === 'failed' ? each.error.code : each.kind))
  t.same(codes, [
    'summary',
    'summary',
    'file_changed',
    'summary',
    'unreadable_file',
    'summary',
    'file_changed',
    'summary',
    'summary',
  ])
  for (const [index, each] of found.entries())
    if (each.kind === 'failed') t.match(each.error.message, `${index}.nc`, 'the message names the file')
  t.equal(new Set(schemas.map(({ digest }) => digest)).size, 1)
  t.same(
    found.flatMap((each) => (each.kind === 'summary' ? (each.arrays?.sizes ?? []) : [])),
    [10, 11, 13, 15, 17, 18],
  )
})
