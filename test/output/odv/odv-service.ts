import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import type { Test } from 'tap'
import { startService } from '../../../src/main/service.ts'
import { readConfig } from '../../../src/main/settings/config.ts'
import { PATIENT } from '../../support/patient.ts'

/** A service over some files. */
export interface OdvService {
  /** Asks for the archive of a query. */
  ask(query: Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<Response>
  /** Asks for a path of the API. */
  get(path: string): Promise<Response>
  /** Writes a dataset. */
  write(name: string, content: string | Uint8Array): void
  /** What is in the folder of temporary files. */
  temporaryFiles(): readonly string[]
}

/** The options of an archive of columns that are called by their short names. */
export const OPTIONS = Object.freeze({
  key_column: 'cruise',
  qf_schema: 'SEADATANET',
  longitude_column: { column_name: 'lon' },
  latitude_column: { column_name: 'lat' },
  time_column: { column_name: 'time' },
  depth_column: { column_name: 'depth', units: 'm' },
  data_columns: [{ column_name: 'temp', units: 'degC' }],
  meta_columns: [],
})

export async function startOdvService(
  t: Test,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<OdvService> {
  const dataDir = t.testdir({})
  const datasets = join(dataDir, 'datasets')
  mkdirSync(datasets)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(datasets, dirname(name)), { recursive: true })
    writeFileSync(join(datasets, name), content)
  }
  const { config } = readConfig({
    ...PATIENT,
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: '0',
    SERVICE_WORKERS: '2',
    SERVICE_DATA_DIR: dataDir,
    ...env,
  })
  const service = await startService(config, pino({ level: 'silent' }), {
    isWarmedUp: false,
  })
  t.teardown(() => service.close())
  const authorization = `Basic ${Buffer.from('service-admin:service-password').toString('base64')}`
  return {
    ask: (query, signal) =>
      fetch(`${service.address}/api/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify(query),
        ...(signal && { signal }),
      }),
    get: (path) => fetch(`${service.address}${path}`, { headers: { authorization } }),
    write: (name, content) => writeFileSync(join(datasets, name), content),
    temporaryFiles: () => readdirSync(join(dataDir, 'tmp')),
  }
}

/** A query in SQL for an archive. */
export function odvOf(sql: string, options: Readonly<Record<string, unknown>> = OPTIONS) {
  return { sql, output: { format: { odv: options } } }
}
