import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { resolveFiles } from '../../src/main/datasets/resolve.ts'
import { isSettled } from '../../src/plan/source/version.ts'
import { makeRoot, never } from './dataset-root.ts'

/** Writes to the file, or replaces it, over and over from another thread. */
async function keepWriting(t: Test, path: string, inPlace: boolean): Promise<() => Promise<void>> {
  const worker = new Worker(
    `const { parentPort, workerData: { path, inPlace } } = require('node:worker_threads')
     const { openSync, writeSync, writeFileSync, renameSync } = require('node:fs')
     const descriptor = openSync(path, 'r+')
     setInterval(() => {
       if (inPlace) writeSync(descriptor, 'x', 0)
       else {
         writeFileSync(path + '.new', 'x')
         renameSync(path + '.new', path)
       }
       parentPort.postMessage('written')
     }, 1)`,
    { eval: true, workerData: { path, inPlace } },
  )
  const stop = async (): Promise<void> => {
    await worker.terminate()
  }
  t.teardown(stop)
  await new Promise((resolve) => worker.once('message', resolve))
  return stop
}

t.test('until it rests', async (t) => {
  const { root } = await makeRoot(t, ['a.parquet', 'b.parquet'])
  for (const path of ['a.parquet', '*']) {
    writeFileSync(join(root.location, 'b.parquet'), 'longer')
    for (const file of await resolveFiles(root, [path], never))
      t.ok(isSettled(file.version), `${file.path}, by ${path}`)
  }
})

t.test('but not for ever', async (t) => {
  const { root, resolve } = await makeRoot(t, ['a.parquet'])
  const stop = await keepWriting(t, join(root.location, 'a.parquet'), true)
  await t.rejects(resolve('a.parquet'), { code: 'file_changed', message: /"a\.parquet" is being written to/ })
  await stop()
  t.same(await resolve('a.parquet'), ['a.parquet'])
})

t.test('and one that is replaced is whole at any time', async (t) => {
  const { root, resolve } = await makeRoot(t, ['a.parquet'])
  await keepWriting(t, join(root.location, 'a.parquet'), false)
  t.same(await resolve('a.parquet'), ['a.parquet'])
})

t.test('a file that was moved here was not written to', async (t) => {
  const { root } = await makeRoot(t, ['a.new'])
  await setTimeout(50)
  renameSync(join(root.location, 'a.new'), join(root.location, 'a.parquet'))
  const [file] = await resolveFiles(root, ['a.parquet'], never)
  t.not(file?.version.ctimeNs, file?.version.mtimeNs)
})
