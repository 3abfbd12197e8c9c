import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { COMPILE_CACHE } from '../support/compile-cache.ts'

const START = join(import.meta.dirname, '../../src/main/start.ts')

type Started = ChildProcess & { readonly stdout: Readable; readonly stderr: Readable }

function start(t: Test, env: Record<string, string>): Started {
  const data = mkdtempSync(join(tmpdir(), 'halocline-start-'))
  mkdirSync(join(data, 'datasets'))
  const child = spawn(process.execPath, [START], {
    env: {
      SERVICE_DATA_DIR: data,
      SERVICE_HOST: '127.0.0.1',
      SERVICE_PORT: '0',
      SERVICE_WORKERS: '1',
      ...COMPILE_CACHE,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => {
    child.kill('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  })
  return child as Started
}

/** The address in the line that says that the service is ready. */
async function addressOf(child: Started): Promise<string> {
  for await (const line of createInterface(child.stdout)) {
    const entry = JSON.parse(line) as { msg: string; address?: string }
    if (entry.msg === 'ready' && entry.address) return entry.address
  }
  throw new Error(`ended before it was ready: ${await text(child.stderr)}`)
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  t.test(`it is ready when it says so, and ends by itself on ${signal}`, async (t) => {
    const child = start(t, {})
    const exit = once(child, 'exit')
    const address = await addressOf(child)
    t.equal((await fetch(`${address}/api/health`)).status, 200)
    child.kill(signal)
    t.same(await exit, [0, null])
    await t.rejects(fetch(`${address}/api/health`))
  })
}

t.test('a port that is taken is said in one line', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  t.teardown(() => taken.close())
  const { port } = taken.address() as { port: number }
  const child = start(t, { SERVICE_PORT: String(port) })
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  t.equal(code, 1)
  t.equal(message, `Cannot listen on 127.0.0.1:${port} (EADDRINUSE).\n`)
})

t.test('a dataset root that was named must exist', async (t) => {
  const child = start(t, { SERVICE_DATASETS_DIR: '/nowhere/at/all' })
  const [message, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  t.equal(code, 1)
  t.match(message, '/nowhere/at/all')
})

t.test('temporary files that a killed process left are gone when it is ready', async (t) => {
  const data = t.testdir({ datasets: {}, tmp: { [randomUUID()]: 'rows', 'notes.txt': 'mine' } })
  const child = start(t, { SERVICE_DATA_DIR: data })
  await addressOf(child)
  t.strictSame(readdirSync(join(data, 'tmp')), ['notes.txt'])
})

t.test('a second service on the folder does not start, until the first one is killed', async (t) => {
  const data = t.testdir({ datasets: {}, tmp: {} })
  const first = start(t, { SERVICE_DATA_DIR: data })
  const exited = once(first, 'exit')
  const address = await addressOf(first)
  const temporary = join(data, 'tmp', randomUUID())
  writeFileSync(temporary, 'rows of the first one')
  const second = start(t, { SERVICE_DATA_DIR: data })
  const [message, [code]] = await Promise.all([text(second.stderr), once(second, 'exit')])
  t.equal(code, 1)
  t.equal(
    message,
    `cannot open the catalog ${join(data, 'tables', 'catalog.db')}: database is locked: another service uses it; stop that one, or give this one a folder of its own (SERVICE_TABLES_DIR)\n`,
  )
  t.ok(existsSync(temporary), 'nothing of the first one is deleted')
  t.equal((await fetch(`${address}/api/ready`)).status, 200)

  first.kill('SIGKILL')
  await exited
  const third = start(t, { SERVICE_DATA_DIR: data })
  t.equal((await fetch(`${await addressOf(third)}/api/ready`)).status, 200)
})
