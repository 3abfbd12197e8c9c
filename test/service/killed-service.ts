import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { fileOf } from '../../src/main/threads/built-files.ts'
import { DIE_AT } from '../catalog/die-at-step.ts'
import { SUPER_USER } from '../http/test-server.ts'

const PROGRAM = new URL('./dying-service.ts', import.meta.url)

export interface Running {
  /** Runs a statement. Rejects if the service dies meanwhile. */
  run(sql: string): Promise<number>
  tables(): Promise<readonly string[]>
  /** What a route answers the super-user, as JSON. Rejects if the service dies meanwhile. */
  ask(method: string, path: string): Promise<unknown>
  kill(): Promise<void>
}

/** A service in a process of its own, which dies at a step of its next statement, or never. */
export async function startToBeKilled(t: Test, data: string, step = 0): Promise<Running> {
  const child = spawn(process.execPath, [fileURLToPath(fileOf(PROGRAM))], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      [DIE_AT]: String(step),
      SERVICE_DATA_DIR: data,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: '0',
      SERVICE_WORKERS: '1',
    },
  }) as ChildProcess & { readonly stdout: Readable }
  const exited = once(child, 'exit')
  t.teardown(() => child.kill('SIGKILL'))
  const [address = ''] = await once(createInterface(child.stdout), 'line')
  const headers = { ...SUPER_USER, 'content-type': 'application/json' }
  return {
    async run(sql) {
      const body = JSON.stringify({ sql })
      const response = await fetch(`${address}/api/query`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      return response.status
    },
    tables: async () => (await fetch(`${address}/api/tables`)).json() as Promise<string[]>,
    ask: async (method, path) => (await fetch(address + path, { method, headers: SUPER_USER })).json(),
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}
