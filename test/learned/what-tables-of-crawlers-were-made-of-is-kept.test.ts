import { join } from 'node:path'
import t from 'tap'
import { createCrawledTable } from '../../src/main/learned/store/crawled-table.ts'
import { openLearnedDatabase } from '../../src/main/learned/store/open-learned.ts'
import { openStore } from './stored.ts'

t.test('over restarts, the last digest of each table', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const first = openStore(path)
  t.equal(await first.crawled.find('a'), undefined)
  first.crawled.put('a', 'one')
  first.crawled.put('b', 'two')
  first.crawled.put('a', 'three')
  t.equal(await first.crawled.find('a'), 'three')
  await first.close()
  const second = openStore(path)
  // What is put before anything is read is newer than what is stored.
  second.crawled.put('b', 'four')
  t.same(await Promise.all(['a', 'b', 'c'].map(second.crawled.find)), ['three', 'four', undefined])
  await second.crawled.flush()
  await second.close()
  const third = openStore(path)
  t.same(await Promise.all(['a', 'b'].map(third.crawled.find)), ['three', 'four'])
  await third.close()
})

t.test('not of another version of the service, whose readers may find other columns', async (t) => {
  const path = join(t.testdir({}), 'learned.db')
  for (const [serviceVersion, expected] of [
    ['1', undefined],
    ['1', '1'],
    ['2', undefined],
    ['1', undefined],
  ] as const) {
    const store = openStore(path, { serviceVersion })
    t.equal(await store.crawled.find('a'), expected)
    store.crawled.put('a', serviceVersion)
    await store.close()
  }
})

t.test('not in a database that is damaged, or cannot be written', async (t) => {
  const folder = t.testdir({ 'damaged.db': 'no database', taken: {} })
  for (const path of [join(folder, 'damaged.db'), join(folder, 'taken')]) {
    const store = openStore(path)
    t.equal(await store.crawled.find('a'), undefined)
    store.crawled.put('a', 'one')
    await store.crawled.flush()
    t.equal(await store.crawled.find('a'), 'one', 'it is known as long as the service runs')
    await store.close()
  }
})

t.test('of so many tables at most, those that were written last', (t) => {
  const path = join(t.testdir({}), 'learned.db')
  const database = openLearnedDatabase(path, '1')
  const table = createCrawledTable(database, 3)
  const put = (names: string): void =>
    table.putCrawled([...names].map((name) => ({ name, digest: name.toUpperCase() })))
  const names = (): string =>
    table
      .readCrawled(null)
      .map(({ name }) => name)
      .join('')
  put('abc')
  put('a')
  t.equal(names(), 'bca')
  put('de')
  t.equal(names(), 'ade')
  database.close()
  t.end()
})
