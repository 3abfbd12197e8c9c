import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { STATEMENT_STEPS } from '../../src/main/catalog/steps.ts'
import { put } from '../catalog/definitions.ts'
import { DIE_AT } from '../catalog/die-at-step.ts'
import { locations, openInFolder } from '../catalog/store.ts'
import { SUPER_USER } from '../http/test-server.ts'

const REPLACE = "CREATE OR REPLACE EXTERNAL TABLE Obs STORED AS CSV LOCATION 'b.csv'"

interface Running {
  /** Runs a statement. Rejects if the service dies meanwhile. */
  run(sql: string): Promise<number>
  tables(): Promise<readonly string[]>
  kill(): Promise<void>
}

/** A service in a process of its own, which dies at a step of its next statement, or never. */
async function start(t: Test, data: string, step = 0): Promise<Running> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'dying-service.ts')], {
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
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const folder = (t: Test): string => t.testdir({ datasets: { 'a.csv': 'n\n1\n', 'b.csv': 'n\n2\n' } })

for (const [name, step] of Object.entries(STATEMENT_STEPS))
  t.test(`a service that is killed at step ${step}, ${name}`, async (t) => {
    const data = folder(t)
    const before = await openInFolder(join(data, 'tables'))
    await before.change([put('obs', 'a.csv')], new AbortController().signal)
    await before.close()
    const service = await start(t, data, step)
    await t.rejects(service.run(REPLACE), 'without an answer')
    const isDone = step >= STATEMENT_STEPS.committed
    const after = await openInFolder(join(data, 'tables'))
    t.strictSame(locations(after), isDone ? { Obs: 'b.csv' } : { obs: 'a.csv' })
    await after.close()
  })

t.test('each statement that was answered is there after kill -9 among others', async (t) => {
  const data = folder(t)
  const first = await start(t, data)
  const answered: string[] = []
  const create = async (index: number): Promise<void> => {
    const name = `t${index}`
    const status = await first.run(`CREATE EXTERNAL TABLE ${name} STORED AS CSV LOCATION 'a.csv'`)
    t.equal(status, 200)
    answered.push(name)
  }
  const others: Promise<unknown>[] = []
  for (let index = 0; index < 20; index++) await create(index)
  for (let index = 20; index < 40; index++) others.push(create(index).catch(() => undefined))
  await Promise.race(others)
  await first.kill()
  await Promise.all(others)
  const second = await start(t, data)
  const tables = new Set(await second.tables())
  t.same(
    answered.filter((name) => !tables.has(name)),
    [],
  )
  await second.kill()
})
