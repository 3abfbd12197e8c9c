import { join } from 'node:path'
import { copies } from '../../input/files/sources.ts'
import { withService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { ASKED, FILE_BYTES, type FileKey, requestsFor } from './asked.ts'

/** So many times all observations are more than 5 GB of Parquet. */
const COPIES = 18

/** The most memory of a service while it writes a file, beyond that of another one while it streams the same rows. Both are new. */
export async function memory(scratch: string, root: string, key: FileKey | 'large'): Promise<Figure[]> {
  const { file, stream } = key === 'large' ? await large(root) : await requestsFor(root, key)
  const peak = async (name: string, body: object) => {
    const dataDir = join(scratch, `memory-${key}-${name}`)
    const options = { dataDir, datasetsDir: root, workers: 2, keepsColumns: false, fileBytes: FILE_BYTES }
    return await withService(options, async (service) => {
      await service.ready()
      service.peakBytes()
      const bytes = await service.drain(body)
      return { megabytes: service.peakBytes() / 1e6, gigabytes: (bytes / 1e9).toFixed(1) }
    })
  }
  const streamed = await peak('stream', stream)
  const written = await peak('file', file)
  const detail = `${written.gigabytes} GB; ${written.megabytes.toFixed(0)} MB, ${streamed.megabytes.toFixed(0)} MB as a stream`
  const what = key === 'large' ? `Parquet of ${COPIES} times the rows` : ASKED[key].what
  return [
    {
      key: `files_${key}_rss`,
      what: `most resident beyond that of a stream, ${what} (${detail})`,
      value: written.megabytes - streamed.megabytes,
      unit: 'MB',
    },
  ]
}

/** The requests for more than 5 GB of Parquet, and for these rows as a stream. */
export async function large(root: string): Promise<{ file: object; stream: object }> {
  const paths = (await copies(root, COPIES)).map((path) => `'${path}'`).join(', ')
  const stream = { sql: `SELECT * FROM read_parquet([${paths}])` }
  return { file: { ...stream, output: ASKED.parquet.output }, stream }
}
