import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { basename, join } from 'node:path'
import type { BenchData } from '../../input/data.ts'
import { withService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { atOnce } from './at-once.ts'
import { downloaded } from './downloaded.ts'
import type { Place } from './place.ts'
import { uploaded } from './uploaded.ts'

type Measured = (place: Place) => Promise<Figure[]>

const MEASURED: Readonly<Record<string, Measured>> = {
  uploads_speed: uploaded,
  uploads_at_once: atOnce,
  uploads_download: downloaded,
}

/** What `--only uploads` measures, each with the key by which it is measured alone: a new service, two workers. */
export const UPLOADS: Readonly<
  Record<string, (scratch: string, data: BenchData, bytes: number) => Promise<Figure[]>>
> = Object.fromEntries(
  Object.entries(MEASURED).map(([key, measured]) => [
    key,
    (scratch: string, { root, small }: BenchData, bytes: number) => {
      mkdirSync(root, { recursive: true })
      const folder = mkdtempSync(join(root, 'uploads-'))
      const options = { dataDir: join(scratch, key), datasetsDir: root, workers: 2 }
      return withService(options, async (service) => {
        const agent = new Agent({ keepAlive: true })
        try {
          await service.ready()
          const { port } = service
          return await measured({ service, agent, port, folder, path: basename(folder), small, bytes })
        } finally {
          agent.destroy()
          rmSync(folder, { recursive: true, force: true })
        }
      })
    },
  ]),
)
