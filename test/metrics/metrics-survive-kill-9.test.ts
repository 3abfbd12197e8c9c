import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { openMetricsDatabase } from '../../src/main/history/open-metrics.ts'
import { createMetricsStore } from '../../src/main/history/store.ts'
import { faults } from './shared-texts.ts'

t.test('every committed row is there after kill -9 in the middle of writes', async (t) => {
  const path = join(t.testdir(), 'metrics.db')
  const child = spawn(process.execPath, [join(import.meta.dirname, 'record-until-killed.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const committed: string[] = []
  for await (const id of createInterface({ input: child.stdout })) {
    committed.push(id)
    if (committed.length === 2000) child.kill('SIGKILL')
  }
  const [, signal] = await exited
  t.equal(signal, 'SIGKILL')

  const database = openMetricsDatabase(path)
  t.equal(database.pragma('integrity_check', { simple: true }), 'ok')
  t.same(faults(database), [], 'shared texts are as often referred to as is written')
  const store = createMetricsStore(database, {
    retentionDays: 0,
    maximumRows: 0,
    maximumBytes: 0,
    log: { error: (_, message) => t.fail(message) },
  })
  const complete = committed.filter((id) => id.length === 36)
  t.same(
    complete.filter((id) => store.find(id) === null),
    [],
    'no acknowledged row is missing',
  )
  await store.close()
  database.close()
})
