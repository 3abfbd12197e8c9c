// In a process of its own: it sets a variable of the environment.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from './service.ts'

t.test('who is told that the service is up does not wait for workers', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'halocline-workers-'))
  process.env['STARTED_WORKERS'] = folder
  t.teardown(() => {
    delete process.env['STARTED_WORKERS']
    rmSync(folder, { recursive: true })
  })
  await startTestService(t, { worker: new URL('./workers/worker-that-starts-slowly.ts', import.meta.url) })
  t.equal(readdirSync(folder).length, 2)
})

t.test('workers that do not start keep no service from being up', async (t) => {
  const { url } = await startTestService(t, { worker: new URL('./no-such-worker.ts', import.meta.url) })
  t.equal((await fetch(`${url}/api/health`)).status, 200)
})
