import { join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import { ensureSample } from '../../src/main/sample.ts'
import { startService } from '../../src/main/service.ts'
import { readConfig } from '../../src/main/settings/config.ts'
import { PATIENT } from '../support/patient.ts'

/** The service over the sample that it makes where nothing is configured. */
export interface SampleService {
  readonly address: string
  /** Posts a body, as it is, to `/api/query`. */
  ask(body: string, headers?: Readonly<Record<string, string>>): Promise<Response>
}

export async function startSampleService(t: Test): Promise<SampleService> {
  const dataDir = join(t.testdir(), 'data')
  await ensureSample(join(dataDir, 'datasets'))
  const { config } = readConfig({
    ...PATIENT,
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: '0',
    SERVICE_WORKERS: '2',
    SERVICE_DATA_DIR: dataDir,
  })
  const service = await startService(config, pino({ level: 'silent' }))
  t.teardown(() => service.close())
  const { address } = service
  return {
    address,
    ask: (body, headers = {}) =>
      fetch(`${address}/api/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      }),
  }
}
