import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Table, tableFromIPC } from 'apache-arrow'
import { type Logger, pino } from 'pino'
import type { Test } from 'tap'
import type { DatasetFilesOptions } from '../../src/main/datasets/file-system/dataset-files.ts'

import type { ServiceParts } from '../../src/main/parts/service-parts.ts'
import { startService } from '../../src/main/service.ts'

import { readConfig } from '../../src/main/settings/config.ts'
import { PATIENT } from '../support/patient.ts'

export interface TestService {
  readonly url: string
  /** The dataset root. */
  readonly datasets: string
  readonly dataDir: string
  /** Sends a query and returns the response, whatever its status. */
  query(body: object, init?: RequestInit): Promise<Response>
  /** Sends a query and returns the rows of the answer. Throws if the status is not 200. */
  rows(body: object): Promise<Table>
  /** Stops it before the test ends, so that another one may be started on its folder. */
  close(): Promise<void>
}

export interface TestServiceOptions extends Omit<ServiceParts, 'files'> {
  readonly workers?: number
  readonly settings?: Readonly<Record<string, string>>
  /** The file system of the dataset root, which may have faults. */
  readonly files?: (datasets: string) => Partial<DatasetFilesOptions>
  /** The service from another copy of the source. */
  readonly start?: typeof startService
  /** The folder of a service of before, which that one's test removes. */
  readonly dataDir?: string
  /** Absent: nothing is logged. */
  readonly log?: Logger
}

/** Starts the whole service in this process, on a port and in a folder of its own. Both are removed when the test ends. */
export async function startTestService(t: Test, options: TestServiceOptions = {}): Promise<TestService> {
  // Registered before the folder is made: tap removes the folder before it runs what is registered later.
  let close: () => Promise<void> = async () => {}
  t.teardown(() => close())
  const dataDir = options.dataDir ?? t.testdir({})
  const datasets = join(dataDir, 'datasets')
  mkdirSync(datasets, { recursive: true })
  const { config } = readConfig({
    ...PATIENT,
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: '0',
    SERVICE_DATA_DIR: dataDir,
    SERVICE_WORKERS: String(options.workers ?? 2),
    SERVICE_SHUTDOWN_SECS: '0',
    ...options.settings,
  })
  const start = options.start ?? startService
  // An engine takes 3 s of CPU to start, and most tests need none. The others wait for it.
  const parts = { isWarmedUp: false, ...options, files: options.files?.(datasets) ?? {} }
  const service = await start(config, options.log ?? pino({ level: 'silent' }), parts)
  close = () => {
    close = async () => {}
    return service.close()
  }
  const url = service.address
  const query = (body: object, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}/api/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...init,
    })
  return {
    url,
    datasets,
    dataDir,
    query,
    close: () => close(),
    async rows(body) {
      const response = await query(body)
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
      return tableFromIPC(new Uint8Array(await response.arrayBuffer()))
    },
  }
}
