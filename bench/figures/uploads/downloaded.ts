import { join } from 'node:path'
import { type Served, startFileServer, startNginx } from '../../peer/file-servers.ts'
import { median, timed } from '../../report/statistics.ts'
import { readIntoPageCache } from '../../service/page-cache.ts'
import type { Figure } from '../figure.ts'
import { download, drain } from './dataset-files.ts'
import type { Place } from './place.ts'
import { volumeOf, writeRandom } from './volume.ts'

const TURNS = 5

/** How fast a file goes out whose bytes are in the page cache, against a bare server in Node that pipes it, and beside nginx. */
export async function downloaded(place: Place): Promise<Figure[]> {
  const { folder, path, agent, bytes } = place
  const name = 'source'
  writeRandom(join(folder, name), bytes)
  readIntoPageCache([join(folder, name)])
  const nginx = await startNginx(folder)
  const bare = await startFileServer(folder)
  try {
    const from = (served: Served | null) => async () =>
      served === null ? 0 : drain({ agent, port: served.port, path: `/${name}` })
    const ways = {
      service: () => download(place, `${path}/${name}`),
      bare: from(bare),
      nginx: from(nginx),
    }
    const times: Record<keyof typeof ways, number[]> = { service: [], bare: [], nginx: [] }
    // The first turn is not timed.
    for (let turn = -1; turn < TURNS; turn++)
      for (const way of ['service', 'bare', 'nginx'] as const) {
        if (way === 'nginx' && nginx === null) continue
        let received = 0
        const ms = await timed(async () => {
          received = await ways[way]()
        })
        if (received !== bytes) throw new Error(`${way} sent ${received} bytes of ${bytes}`)
        if (turn >= 0) times[way].push(ms)
      }
    const speed = (way: keyof typeof ways) => bytes / 1e6 / median(times[way])
    const size = `${(bytes / 1e9).toFixed(1)} GB`
    return [
      {
        key: 'uploads_download',
        what: `download of ${size} against the speed of a bare server in Node (${speed('service').toFixed(2)} and ${speed('bare').toFixed(2)} GB/s; ${await volumeOf(folder)})`,
        value: median(times.bare.map((ms, turn) => ms / (times.service[turn] ?? Number.NaN))),
        unit: '×',
      },
      {
        key: 'uploads_download_nginx',
        what: `the same by nginx`,
        value: nginx === null ? null : speed('nginx'),
        unit: 'GB/s',
      },
    ]
  } finally {
    await bare.stop()
    await nginx?.stop()
  }
}
