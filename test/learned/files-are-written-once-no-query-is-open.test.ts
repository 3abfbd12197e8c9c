import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { LearnedFile, LearnedFiles } from '../../src/main/learned/learned-files.ts'
import { fileFormat } from '../../src/plan/format/file-format.ts'
import { until } from '../support/until.ts'
import { findAll, learnedOf, openStore, refOf } from './stored.ts'

const FORMAT = fileFormat('netcdf', 'grid', {})

/** So many files are kept in memory while queries are open. */
const MOST_DELAYED = 32_768

function pathIn(test: Test): string {
  return join(test.testdir({}), 'learned.db')
}

function put(store: LearnedFiles, nth: number): void {
  store.put(FORMAT, refOf(nth, 1), learnedOf(nth % 10, 1))
}

/** What is stored of a file. Null: it is not written yet. */
async function stored(store: LearnedFiles, nth: number): Promise<LearnedFile | null> {
  const [learned = null] = await findAll(store, FORMAT, [refOf(nth, 1)])
  return learned
}

t.test('files wait while a query is open, and are written after it', async (t) => {
  let isBusy = true
  let looks = 0
  const look = (): boolean => {
    looks++
    return isBusy
  }
  const store = openStore(pathIn(t), { isBusy: look, quietMs: 20 })
  put(store, 3)
  await until('the store has looked for a quiet time often', () => looks >= 5)
  t.equal(await stored(store, 3), null, 'not yet')
  isBusy = false
  t.same(await until('it is written', () => stored(store, 3)), learnedOf(3, 1))
  await store.close()
})

t.test('they wait for some seconds at most', async (t) => {
  const store = openStore(pathIn(t), { isBusy: () => true })
  put(store, 4)
  t.same(await until('it is written', () => stored(store, 4)), learnedOf(4, 1))
  await store.close()
})

t.test('of very many files the first ones are written at once', async (t) => {
  const store = openStore(pathIn(t), { isBusy: () => true, longestDelayMs: Number.POSITIVE_INFINITY })
  for (let nth = 0; nth <= MOST_DELAYED; nth++) put(store, nth)
  const [first, last] = [0, 9999]
  await until('the first one by name is written', () => stored(store, first))
  t.equal(await stored(store, last), null, 'the others wait')
  await store.close()
})

t.test('what waits is written when the store is closed', async (t) => {
  const path = pathIn(t)
  const first = openStore(path, { isBusy: () => true })
  put(first, 5)
  await first.close()
  const second = openStore(path)
  t.same(await stored(second, 5), learnedOf(5, 1))
  await second.close()
})
