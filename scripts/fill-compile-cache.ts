/**
 * Fills Node's compile cache (`NODE_COMPILE_CACHE`) for the image: starts the service over a sample, runs queries on the core and in
 * DuckDB, attaches it to itself, and stops it. Fails if the service does.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { SAMPLE_JSON, SAMPLE_SQL } from '../src/main/http/openapi/operations/sample-queries.ts'
import { SETTINGS } from '../src/main/settings/settings.ts'
import { START_FLAGS } from './start-flags.ts'

const SOURCE = join(import.meta.dirname, '../src')

/** The super-user of a service for which none is configured. */
const SUPER_USER = {
  authorization: `Basic ${btoa(`${SETTINGS.adminUsername.fallback}:${SETTINGS.adminPassword.fallback}`)}`,
}

const data = mkdtempSync(join(tmpdir(), 'halocline-cache-'))
try {
  execFileSync(process.execPath, [join(SOURCE, 'sample/make-sample.ts'), join(data, 'datasets')])
  const service = spawn(process.execPath, [...START_FLAGS, join(SOURCE, 'main/start.ts')], {
    env: {
      ...process.env,
      SERVICE_DATA_DIR: data,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: '0',
      // What checks tokens is loaded where there is an issuer. Nobody asks it for anything here.
      SERVICE_OIDC_ENABLED: 'true',
      SERVICE_OIDC_ISSUER: 'http://127.0.0.1',
      SERVICE_OIDC_JWKS_URL: 'http://127.0.0.1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exit = once(service, 'exit')
  process.once('exit', () => service.kill())
  for await (const line of createInterface(service.stdout)) {
    const { msg, address } = JSON.parse(line) as { msg: string; address?: string }
    if (msg !== 'ready') continue
    for (const query of [SAMPLE_JSON, SAMPLE_SQL]) await ask(`${address}/api/query`, query)
    // The library of MCP is loaded with its first message.
    await ask(`${address}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/list' })
    // The thread that asks other services is started for the first of them, which is this one.
    await ask(`${address}/api/query`, { sql: `ATTACH '${address}' AS itself` }, SUPER_USER)
    service.kill('SIGTERM')
  }
  const [code] = await exit
  if (code !== 0) throw new Error(`the service ended with code ${code}`)
} finally {
  rmSync(data, { recursive: true, force: true })
}

async function ask(url: string, query: unknown, login: Readonly<Record<string, string>> = {}): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...login,
  }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(query) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status}: ${text}`)
}
