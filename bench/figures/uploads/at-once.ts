import { join } from 'node:path'
import { load, NUMBER } from '../../load/load.ts'
import { smallQueries } from '../../queries/small-queries.ts'
import { median } from '../../report/statistics.ts'
import type { Figure } from '../figure.ts'
import { idle } from '../memory.ts'
import { nodeClient, remove, uploadWhole } from './dataset-files.ts'
import type { Place } from './place.ts'
import { syncAll, volumeOf, writeRandom } from './volume.ts'

const UPLOADS = 16

/** The part of the large file that each of them has: 256 MB of 5 GB. */
const SIZE = 256 / 5000

const CLIENTS = 64

const SECONDS = 5

const TURNS = 3

/** Queries before the load, after which the columns are cached. */
const WARM_UPS = 5

/** What many uploads at once take of memory, and of the time of small queries beside them. */
export async function atOnce(place: Place): Promise<Figure[]> {
  const { service, folder, path, small } = place
  const source = join(folder, 'source')
  const bytes = Math.round(place.bytes * SIZE)
  writeRandom(source, bytes)
  const send = nodeClient(place)
  const upload = async (number: number): Promise<void> => {
    await uploadWhole(send, source, `${path}/${number}`)
    await remove(send, `${path}/${number}`)
  }
  const each = Array.from({ length: UPLOADS }, (_, number) => number)

  const [query] = smallQueries(small)
  if (query === undefined) throw new Error('there is no small query')
  for (let warmUp = 0; warmUp < WARM_UPS; warmUp++)
    await service.drain(JSON.parse(query.body(String(warmUp).padStart(NUMBER.length, '0'))))
  const before = await idle(service)
  service.peakBytes()
  await Promise.all(each.map(upload))
  const peak = service.peakBytes()

  const measure = async (): Promise<number> => {
    const asked = {
      port: service.port,
      method: 'POST',
      path: '/api/query',
      body: query.body(NUMBER),
    } as const
    const { p99, failures } = await load({ ...asked, clients: CLIENTS, seconds: SECONDS, sampleEvery: null })
    if (failures > 0) throw new Error(`${failures} small queries have failed`)
    return p99
  }
  const turns: { readonly alone: number; readonly beside: number }[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    await syncAll()
    const alone = await measure()
    let isOver = false
    const uploading = Promise.all(
      each.map(async (number) => {
        while (!isOver) await upload(number)
      }),
    )
    // If an upload is refused, that is the error.
    const beside = await Promise.race([measure(), uploading.then(() => Number.NaN)])
    isOver = true
    await uploading
    turns.push({ alone, beside })
  }
  const size = `${UPLOADS} uploads of ${Math.round(bytes / 1e6)} MB at once`
  const ms = (of: 'alone' | 'beside') => median(turns.map((turn) => turn[of])).toFixed(0)
  return [
    {
      key: 'uploads_memory',
      what: `most resident during ${size}, beyond idle (${(before / 1e6).toFixed(0)} MB; ${await volumeOf(folder)})`,
      value: (peak - before) / 1e6,
      unit: 'MB',
    },
    {
      key: 'uploads_beside',
      what: `p99 of small queries of ${CLIENTS} clients beside ${size}, against alone (${ms('beside')} and ${ms('alone')} ms)`,
      value: median(turns.map(({ alone, beside }) => beside / alone)),
      unit: '×',
    },
  ]
}
