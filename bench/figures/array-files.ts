import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { arrayData } from '../input/array-data.ts'
import { withService } from '../service/service.ts'
import type { Figure } from './figure.ts'
import { idle } from './memory.ts'

/** The most rows that are asked for of a file. */
const ROWS = 1000

/** How long after the last answer memory is measured once more. Milliseconds. */
const LATER_MS = 60_000

/**
 * The resident memory of a service that keeps nothing and is asked, file by file, for the structure, the schema and rows of many files of
 * arrays, which all differ: half of them in NetCDF-3, half in NetCDF-4.
 */
export async function arrayFiles(scratch: string, root: string): Promise<Figure[]> {
  const folders = [arrayData(root, 'argo-many'), arrayData(root, 'argo4-many')]
  const [first = [], second = []] = folders.map((folder) =>
    readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
  )
  const paths = first.flatMap((path, index) => [path, ...second.slice(index, index + 1)])
  const options = {
    dataDir: join(scratch, 'array-files'),
    datasetsDir: root,
    workers: 2,
    keepsColumns: false,
  }
  return await withService(options, async (service) => {
    const before = await idle(service)
    service.peakBytes()
    for (const path of paths) {
      const file = encodeURIComponent(path)
      await service.get(`/api/dataset-structure?file=${file}`)
      await service.get(`/api/dataset-schema?file=${file}`)
      await service.drain({
        select: ['JULD', 'LATITUDE', 'PRES', 'TEMP'],
        from: { netcdf: { paths: [path] } },
        limit: ROWS,
      })
    }
    const after = service.residentBytes()
    const peak = service.peakBytes()
    await sleep(LATER_MS)
    const what = `${paths.length} different files of arrays, asked one by one, nothing kept`
    const megabytes = (key: string, when: string, bytes: number): Figure => ({
      key: `array_files_${key}`,
      what: `resident ${when}: ${what}`,
      value: bytes / 1e6,
      unit: 'MB',
    })
    return [
      megabytes('before', 'before', before),
      megabytes('after', 'after the last', after),
      megabytes('peak', 'at most', peak),
      megabytes('later', 'a minute later', service.residentBytes()),
    ]
  })
}
