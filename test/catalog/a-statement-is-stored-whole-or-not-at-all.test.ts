import { join } from 'node:path'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { STATEMENT_STEPS } from '../../src/main/catalog/steps.ts'
import { put } from './definitions.ts'
import { changeUntilKilled, locations, openInFolder } from './store.ts'

const BEFORE = { kept: 'a.csv', changed: 'before.csv', dropped: 'a.csv' }
const AFTER = { kept: 'a.csv', changed: 'after.csv', new: 'a.csv' }

/** A folder with the tables of `BEFORE`. */
async function folderBefore(t: Test): Promise<string> {
  const folder = t.testdir()
  const catalog = await openInFolder(folder)
  for (const [name, location] of Object.entries(BEFORE))
    await catalog.change([put(name, location)], new AbortController().signal)
  await catalog.close()
  return folder
}

for (const [name, step] of Object.entries(STATEMENT_STEPS))
  t.test(`a process that is killed at step ${step}, ${name}`, async (t) => {
    const folder = await folderBefore(t)
    t.same(await changeUntilKilled(folder, step), { signal: 'SIGKILL', printed: '' }, 'without an answer')
    const catalog = await openInFolder(folder)
    t.strictSame(locations(catalog), step < STATEMENT_STEPS.committed ? BEFORE : AFTER)
    await catalog.change([put('next')], new AbortController().signal)
    t.equal(locations(catalog).next, 'a.csv', 'it goes on')
    await catalog.close()
    const database = new Database(join(folder, 'catalog.db'), { readonly: true })
    t.equal(database.pragma('integrity_check', { simple: true }), 'ok')
    database.close()
  })

t.test('a process that is not killed', async (t) => {
  const folder = await folderBefore(t)
  t.same(await changeUntilKilled(folder, 0), { signal: null, printed: 'answered' })
  const catalog = await openInFolder(folder)
  t.strictSame(locations(catalog), AFTER)
  await catalog.close()
})
