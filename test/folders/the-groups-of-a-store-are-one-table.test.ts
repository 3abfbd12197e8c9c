import { rmSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { TestService } from '../e2e/service.ts'
import { ROWS, writeChunk, writeDocument, writeToy } from '../formats/toy-folder/write.ts'
import { untilSettled } from '../support/settled.ts'
import { below, numbersIn, startToyService } from './toy-service.ts'

/** A store whose groups `x` and `deep/y` have 2 and 1 segments. `deep/y` also has a column `c`. */
async function groups(t: Test): Promise<{ readonly service: TestService; readonly store: string }> {
  const service = await startToyService(t)
  const store = below(service, 'one.toy')
  writeDocument(store, 'toy.json', { hasGroups: true })
  writeDocument(store, 'groups.json', ['x', 'deep/y'])
  writeToy(below(service, 'one.toy/x'), 2)
  writeToy(below(service, 'one.toy/deep/y'), 1)
  writeDocument(store, 'deep/y/more.json', ['c'])
  writeChunk(store, 'deep/y/c/0', 7)
  await untilSettled(store)
  return { service, store }
}

const A = [0, 1, 0].flatMap((value) => Array<number>(ROWS).fill(value))
const C = [0, 0, 7].flatMap((value) => Array<number>(ROWS).fill(value))
const ROWS_OF = {
  JSON: { from: { toy: { paths: ['one.toy'] } }, select: ['a', 'c'] },
  SQL: { sql: "SELECT a, coalesce(c, 0) AS c FROM read_toy('one.toy')" },
  DuckDB: { sql: "SELECT a + 0 * random() AS a, coalesce(c, 0) AS c FROM read_toy('one.toy')" },
}

t.test('their rows come one after the other, with the columns of all of them', async (t) => {
  const { service } = await groups(t)
  for (const [engine, query] of Object.entries(ROWS_OF))
    for (const time of ['first', 'again']) {
      const rows = await service.rows(query)
      t.same(numbersIn(rows, 'a'), A, `${engine}, ${time}`)
      t.same(numbersIn(rows, 'c'), C)
    }
  const filtered = { ...ROWS_OF.JSON, filter: { column: 'c', eq: 7 } }
  t.same(numbersIn(await service.rows(filtered), 'a'), Array(ROWS).fill(0))
  const counted = await service.rows({ sql: "SELECT count(*) AS n, sum(b) AS s FROM read_toy('**')" })
  t.same(numbersIn(counted, 'n'), [3 * ROWS])
  t.same(numbersIn(counted, 's'), [(10 - 1 + 10) * ROWS])
  const schema = await service.rows({ sql: "SELECT column_name FROM read_toy_schema('one.toy')" })
  t.same([...(schema.getChild('column_name') ?? [])], ['a', 'b', 'c'])
  const one = { from: { toy: { paths: ['one.toy/x'] } }, select: ['a'] }
  t.same(numbersIn(await service.rows(one)), A.slice(0, 2 * ROWS), 'one of them may be named')
})

t.test('a change of one, or of the list of them, is seen by the next query', async (t) => {
  const { service, store } = await groups(t)
  const all = async () => {
    const seen = []
    for (const query of Object.values(ROWS_OF)) seen.push(numbersIn(await service.rows(query), 'c').at(-1))
    return seen
  }
  t.same(await all(), [7, 7, 7])
  writeChunk(store, 'deep/y/c/0', 8)
  t.same(await all(), [8, 8, 8], 'an object')
  await untilSettled(store)
  t.same(await all(), [8, 8, 8])
  writeToy(`${store}/z`, 1)
  writeDocument(store, 'z/more.json', ['c'])
  writeChunk(store, 'z/c/0', 9)
  writeDocument(store, 'groups.json', ['deep/y', 'z'])
  t.same(await all(), [9, 9, 9], 'a new group')
  await untilSettled(store)
  t.same(await all(), [9, 9, 9])
  rmSync(`${store}/z/c`, { recursive: true })
  t.same(await all(), [-1, -1, -1], 'an object that is gone')
})

t.test('messages name the group, and its objects as they are found', async (t) => {
  const { service, store } = await groups(t)
  // In an order no row leaves before all are read: what fails then would break the answer off.
  const sorted = { ...ROWS_OF.JSON, sort_by: [{ Asc: 'a' }] }
  const message = async () => (await service.query(sorted)).text()
  writeDocument(store, 'deep/y/c/0', 'no chunk')
  t.match(await message(), /\\"one\.toy\/deep\/y\\" cannot be read as Toy: deep\/y\/c\/0 is damaged/)
  rmSync(`${store}/deep/y/toy.json`)
  t.match(await message(), /\\"one\.toy\/deep\/y\\" cannot be read as Toy: it has no toy.json/)
})
