// In a process of its own: it counts the threads that its process starts.
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { fileFormat } from '../../src/plan/format/file-format.ts'
import { startTestService } from '../e2e/service.ts'
import { findAll, learnedOf, openStore, refOf } from './stored.ts'

const FORMAT = fileFormat('netcdf', 'grid', {})
const file = refOf(0, 1)

let started = 0
process.on('worker', () => started++)

t.test('a store of files starts its thread when it is warmed up', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const first = openStore(path)
  first.warmUp()
  await turn()
  t.equal(started, 0, 'nothing is stored')
  first.put(FORMAT, file, learnedOf(0, 1))
  await first.close()
  const second = openStore(path)
  started = 0
  second.warmUp()
  await once(process, 'worker')
  t.same(await findAll(second, FORMAT, [file]), [learnedOf(0, 1)])
  t.equal(started, 1, 'the same thread answers')
  await second.close()
})

t.test('so does a service that has nothing to do', async (t) => {
  const dataDir = t.testdir({})
  const settings = { SERVICE_ENABLE_SQL: 'false' }
  const first = await startTestService(t, { dataDir, workers: 1, settings })
  await first.close()
  const [path = ''] = globSync(`${dataDir}/**/*.db`)
  const store = openStore(join(dirname(path), 'learned.db'))
  store.put(FORMAT, file, learnedOf(0, 1))
  await store.close()
  await startTestService(t, { dataDir, workers: 1, settings, isWarmedUp: true })
  // Only the thread of what is learned starts later than the service.
  const [thread] = await once(process, 'worker')
  t.ok(thread instanceof Worker)
})
