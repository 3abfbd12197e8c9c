import { closeSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { resolveFiles } from '../../src/main/datasets/resolve.ts'
import { isSettled } from '../../src/plan/source/version.ts'
import { untilSettled } from '../support/settled.ts'
import { until } from '../support/until.ts'
import { makeRoot, never } from './dataset-root.ts'

/** Changes something all the time: in each turn of the event loop that comes a millisecond after the last change or later. */
function keepChanging(t: Test, change: () => void): () => void {
  // Time itself: somebody changes a file every millisecond.
  const timer = setInterval(change, 1)
  const stop = (): void => clearInterval(timer)
  t.teardown(stop)
  return stop
}

t.test('until it rests', async (t) => {
  const { root } = await makeRoot(t, ['a.parquet', 'b.parquet'])
  for (const path of ['a.parquet', '*']) {
    writeFileSync(join(root.location, 'b.parquet'), 'longer')
    for (const file of (await resolveFiles(root, [path], never)).files)
      t.ok(isSettled(file.version), `${file.path}, by ${path}`)
  }
})

t.test('but not for ever', async (t) => {
  const { root, resolve } = await makeRoot(t, ['a.parquet'])
  const file = openSync(join(root.location, 'a.parquet'), 'r+')
  t.teardown(() => closeSync(file))
  const stop = keepChanging(t, () => writeSync(file, 'x', 0))
  // On a busy machine it may rest for a moment, and is found then.
  const refused = await until('it is refused', () =>
    resolve('a.parquet').then(
      () => null,
      (error: unknown) => error,
    ),
  )
  t.match(refused, { code: 'file_changed', message: /"a\.parquet" is being written to/ })
  stop()
  t.same(await resolve('a.parquet'), ['a.parquet'])
})

for (const times of [1, 2])
  t.test(`and one that is replaced ${times === 1 ? '' : 'twice '}is whole at any time`, async (t) => {
    const { root, resolve } = await makeRoot(t, ['a.parquet'])
    const path = join(root.location, 'a.parquet')
    keepChanging(t, () => {
      // The second time, many file systems give it the inode number that it had before.
      for (let time = 0; time < times; time++) {
        writeFileSync(`${path}.new`, 'x')
        renameSync(`${path}.new`, path)
      }
    })
    for (let again = 0; again < 3; again++) t.same(await resolve('a.parquet'), ['a.parquet'])
  })

t.test('a file that was moved here was not written to', async (t) => {
  const { root } = await makeRoot(t, ['a.new'])
  await untilSettled(root.location)
  renameSync(join(root.location, 'a.new'), join(root.location, 'a.parquet'))
  const [file] = (await resolveFiles(root, ['a.parquet'], never)).files
  t.not(file?.version.ctimeNs, file?.version.mtimeNs)
})
