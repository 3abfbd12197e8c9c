import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { ensureSample } from '../src/main/sample.ts'
import { startService } from '../src/main/service.ts'
import { readConfig } from '../src/main/settings/config.ts'

/** The document of this version, as the service gives it where nothing is configured. */
export const OPENAPI_FILE = 'docs/reference/openapi.json'

/** The document of the version before, which clients were generated from. */
export const RELEASED_FILE = 'test/openapi/released.json'

/** The text of `docs/reference/openapi.json`. A service is started over the sample, and asked. */
export async function openApiText(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'halocline-openapi-'))
  try {
    await ensureSample(join(dataDir, 'datasets'))
    const { config } = readConfig({
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: '0',
      SERVICE_WORKERS: '1',
      SERVICE_DATA_DIR: dataDir,
    })
    const service = await startService(config, pino({ level: 'silent' }))
    try {
      const answer = await fetch(`${service.address}/openapi.json`)
      return `${JSON.stringify(await answer.json(), null, 2)}\n`
    } finally {
      await service.close()
    }
  } finally {
    await rm(dataDir, { recursive: true })
  }
}
