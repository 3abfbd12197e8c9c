import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t, { type Test } from 'tap'
import { COMPILE_CACHE } from '../support/compile-cache.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly address?: string
}

const WARNING = 40

/** The lines of the log until the service is ready. */
async function linesOf(t: Test, host: string): Promise<readonly Line[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main/start.ts')], {
    env: {
      SERVICE_HOST: host,
      SERVICE_PORT: '0',
      SERVICE_WORKERS: '1',
      ...COMPILE_CACHE,
      SERVICE_DATA_DIR: t.testdir({ datasets: {} }),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const lines: Line[] = []
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text) as Line
    lines.push(line)
    if (line.msg === 'ready') break
  }
  return lines
}

const warningsIn = (lines: readonly Line[]) => lines.filter(({ level }) => level >= WARNING)

t.test('on all addresses: these, the real port, and one warning about the password', async (t) => {
  const lines = await linesOf(t, '0.0.0.0')
  const address = lines.at(-1)?.address ?? ''
  t.match(address, /^http:\/\/0\.0\.0\.0:[1-9]\d*$/)
  t.equal((await fetch(`${address.replace('0.0.0.0', '127.0.0.1')}/api/health`)).status, 200)
  t.match(warningsIn(lines), [{ msg: /password of the documentation.* Set SERVICE_ADMIN_PASSWORD/ }])
  t.equal(warningsIn(lines).length, 1)
})

t.test('on this machine alone: its address, and no warning', async (t) => {
  const lines = await linesOf(t, '127.0.0.1')
  t.match(lines.at(-1)?.address ?? '', /^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
  t.same(warningsIn(lines), [])
})
