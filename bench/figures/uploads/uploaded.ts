import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startFileServer } from '../../peer/file-servers.ts'
import { median, timed } from '../../report/statistics.ts'
import type { Figure } from '../figure.ts'
import { remove, uploadBare, uploadInParts, uploadWhole } from './dataset-files.ts'
import type { Place } from './place.ts'
import { startSendfileClient } from './sendfile-client.ts'
import { compareFiles, copyAndSync, syncAll, volumeOf, writeRandom } from './volume.ts'

const TURNS = 3

/**
 * How fast a file comes in, in one piece, in parts, and to a bare server in Node, against `cp` with a sync on the same volume. All take
 * turns. The client sends by `sendfile`: what is measured is the server.
 */
export async function uploaded(place: Place): Promise<Figure[]> {
  const { folder, path, port, bytes } = place
  const source = join(folder, 'source')
  const copy = join(folder, 'copy')
  writeRandom(source, bytes)
  const bare = await startFileServer(folder)
  const client = await startSendfileClient()
  const send = client.to(port)
  const ways = {
    whole: () => uploadWhole(send, source, `${path}/whole`),
    parts: () => uploadInParts(send, source, `${path}/parts`),
    bare: () => uploadBare(client.to(bare.port), source, 'bare'),
  }
  const times: Record<'copied' | keyof typeof ways, number[]> = { copied: [], whole: [], parts: [], bare: [] }
  try {
    for (let turn = 0; turn < TURNS; turn++) {
      await syncAll()
      times.copied.push(await timed(() => copyAndSync(source, copy)))
      rmSync(copy)
      for (const way of ['whole', 'parts', 'bare'] as const) {
        await syncAll()
        times[way].push(await timed(ways[way]))
        if (turn === 0) await compareFiles(source, join(folder, way))
        await remove(send, `${path}/${way}`)
      }
    }
  } finally {
    client.close()
    await bare.stop()
  }
  const volume = await volumeOf(folder)
  const perSecond = (way: keyof typeof times) => bytes / 1e6 / median(times[way])
  const size = `${(bytes / 1e9).toFixed(1)} GB`
  const figure = (way: keyof typeof ways, how: string): Figure => ({
    key: `uploads_${way}`,
    what: `upload of ${size} ${how}, against the speed of cp and sync (${perSecond(way).toFixed(2)} and ${perSecond('copied').toFixed(2)} GB/s; ${volume})`,
    value: median(times.copied.map((ms, turn) => ms / (times[way][turn] ?? Number.NaN))),
    unit: '×',
  })
  return [
    figure('whole', 'in one piece'),
    figure('parts', 'in parts of 32 MiB'),
    figure('bare', 'to a bare server in Node that writes what it receives and syncs'),
  ]
}
