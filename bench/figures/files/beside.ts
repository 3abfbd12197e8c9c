import { Agent } from 'node:http'
import { join } from 'node:path'
import { load, NUMBER } from '../../load/load.ts'
import { ask } from '../../service/client.ts'
import { type Service, withService } from '../../service/service.ts'
import type { Figure } from '../figure.ts'
import { FILE_BYTES } from './asked.ts'
import { large } from './memory.ts'

const CLIENTS = 8

const SECONDS = 15

/** How long the large answer runs before the small ones are measured beside it. Milliseconds. */
const LEAD_MS = 3000

/**
 * The 99th percentile of the times of small queries while 5 GB are written as Parquet, divided by that while the same rows are streamed. Each
 * is asked for again when it has ended.
 */
export async function beside(scratch: string, root: string, small: string): Promise<Figure[]> {
  const { file, stream } = await large(root)
  const options = {
    dataDir: join(scratch, 'files-beside'),
    datasetsDir: root,
    workers: 2,
    keepsColumns: false,
    fileBytes: FILE_BYTES,
  }
  return await withService(options, async (service) => {
    await service.ready()
    await measure(service.port, small)
    const [streamed, written] = [await during(service, stream, small), await during(service, file, small)]
    const detail = `${written.toFixed(0)} ms, ${streamed.toFixed(0)} ms beside the stream`
    const what = `p99 of small queries of ${CLIENTS} clients while 5 GB are written, against streamed (${detail})`
    return [{ key: 'files_beside', what, value: written / streamed, unit: '×' }]
  })
}

/** The 99th percentile while a large answer is read. */
async function during({ port }: Service, body: object, small: string): Promise<number> {
  const leaving = new AbortController()
  const reading = read(port, body, leaving.signal)
  // If the answer is refused, that is the error.
  await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, LEAD_MS))])
  const p99 = await measure(port, small)
  leaving.abort()
  await reading
  return p99
}

/** Asks again and again, until the signal is aborted. */
async function read(port: number, body: object, signal: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  try {
    while (!signal.aborted) await ask({ agent, port, text: JSON.stringify(body), signal }, () => {})
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    agent.destroy()
  }
}

async function measure(port: number, small: string): Promise<number> {
  const sql = `SELECT time, temperature FROM read_parquet(['${small}']) WHERE platform_id = 7 AND time > ${NUMBER} LIMIT 100`
  const body = JSON.stringify({ sql })
  const asked = {
    port,
    method: 'POST',
    path: '/api/query',
    body,
    clients: CLIENTS,
    seconds: SECONDS,
  } as const
  const { p99, failures } = await load({ ...asked, sampleEvery: null })
  if (failures > 0) throw new Error(`${failures} small queries have failed`)
  return p99
}
