import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/main/settings/config.ts'

/** The service as it starts on an empty data folder, over the sample that it makes. */
export interface SampleService {
  readonly address: string
  /** Posts a body, as it is, to `/api/query`. */
  ask(body: string): Promise<Response>
}

export async function startSampleService(t: Test): Promise<SampleService> {
  const { config } = readConfig({
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: '0',
    SERVICE_WORKERS: '2',
    SERVICE_DATA_DIR: join(t.testdir(), 'data'),
  })
  const service = await startService(config, pino({ level: 'silent' }))
  t.teardown(() => service.close())
  const { address } = service
  return {
    address,
    ask: (body) =>
      fetch(`${address}/api/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),
  }
}
