import { cpSync, renameSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { MAX_ANSWER_OBJECTS } from '../../src/plan/limits.ts'
import { removeObject, writeChunk, writeDocument, writeToy } from '../formats/toy-folder/write.ts'
import { untilSettled } from '../support/settled.ts'
import { below, idOf, numbersOf, startToyService } from './toy-service.ts'

/** Queries of the column `a` over a folder of two segments, by the way in which they run. */
const FORMS = {
  JSON: { from: { toy: { paths: ['*.toy'] } }, select: ['a'] },
  SQL: { sql: "SELECT a FROM read_toy('one.toy')" },
  groups: { sql: "SELECT a FROM read_toy('one.toy') GROUP BY a" },
  DuckDB: { sql: "SELECT a + 0 * row_number() OVER () AS a FROM read_toy('**/toy.json')" },
  filter: { from: { toy: { paths: ['one.toy'] } }, select: ['a'], filter: { column: 'a', gt_eq: -1 } },
}

/** Changes of the folder. Each returns the value of every segment after it. */
const CHANGES: Record<string, (folder: string) => readonly number[]> = {
  'a chunk is rewritten': (folder) => {
    writeChunk(folder, 'a/0', 7)
    return [7, 1]
  },
  'a chunk is rewritten, and its time is set back': (folder) => {
    utimesSync(join(folder, 'a/0'), 1, 1)
    writeChunk(folder, 'a/0', 8)
    utimesSync(join(folder, 'a/0'), 1, 1)
    return [8, 1]
  },
  'a chunk is removed': (folder) => {
    removeObject(folder, 'a/1')
    return [8, -1]
  },
  'a chunk is there where none was': (folder) => {
    writeChunk(folder, 'a/1', 9)
    return [8, 9]
  },
  'all chunks of a column are replaced by others that are older': (folder) => {
    renameSync(join(folder, 'a'), join(folder, 'old'))
    renameSync(join(folder, 'other'), join(folder, 'a'))
    return [3, 4]
  },
  'the marker is rewritten': (folder) => {
    writeDocument(folder, 'toy.json', { columns: ['a'], segments: 1, rows: 4 })
    return [3]
  },
  'the folder is replaced by another one that is older': (folder) => {
    rmSync(folder, { recursive: true })
    renameSync(`${folder}.other`, folder)
    return [5, 6]
  },
}

const rowsOf = (values: readonly number[], form: string): number[] =>
  form === 'groups' ? [...values] : values.flatMap((value) => Array<number>(4).fill(value))

for (const [form, query] of Object.entries(FORMS))
  t.test(form, async (t) => {
    const service = await startToyService(t)
    const folder = below(service, 'one.toy')
    writeToy(folder, 2)
    for (const [segment, value] of [3, 4].entries()) writeChunk(folder, `other/${segment}`, value)
    cpSync(folder, below(service, '../other.toy'), { recursive: true })
    for (const [segment, value] of [5, 6].entries())
      writeChunk(below(service, '../other.toy'), `a/${segment}`, value)
    await untilSettled(folder)
    const ask = () => service.query(query)
    const first = await ask()
    t.same(await numbersOf(first), rowsOf([0, 1], form))
    const again = await ask()
    t.same(await numbersOf(again), rowsOf([0, 1], form))
    t.equal(idOf(again), idOf(first), 'from the same run')
    let before = again
    for (const [change, make] of Object.entries(CHANGES)) {
      if (change.startsWith('the folder')) renameSync(below(service, '../other.toy'), `${folder}.other`)
      const expected = rowsOf(make(folder), form)
      const at = await ask()
      t.same(await numbersOf(at), expected, change)
      t.not(idOf(at), idOf(before))
      await untilSettled(folder)
      before = await ask()
      t.same(await numbersOf(before), expected, change)
      const kept = await ask()
      t.same(await numbersOf(kept), expected, change)
      t.equal(idOf(kept), idOf(before), 'kept once it is settled')
    }
  })

t.test('objects that a query has not read change nothing for it', async (t) => {
  const service = await startToyService(t)
  const folder = below(service, 'one.toy')
  writeToy(folder, 3)
  await untilSettled(folder)
  const query = encodeURIComponent(JSON.stringify({ from: { toy: { paths: ['one.toy'] } }, select: ['a'] }))
  // A GET, because an answer to a POST that takes longer than 20 ms is sent while it is made, without a tag.
  const ask = () => fetch(`${service.url}/api/query?q=${query}`)
  const tagOf = (response: Response): string | null => response.headers.get('etag')
  const first = await ask()
  t.ok(tagOf(first))
  writeChunk(folder, 'b/0', 77)
  writeChunk(folder, 'b/1', 78)
  writeChunk(folder, 'c/0', 79)
  const kept = await ask()
  t.equal(idOf(kept), idOf(first))
  writeChunk(folder, 'a/1', 5)
  const other = await ask()
  t.not(tagOf(other), tagOf(first), 'the tag is that of what was read')
  writeChunk(folder, 'a/1', 1)
  await untilSettled(folder)
  t.equal(tagOf(await ask()), tagOf(first))
})

t.test('with If-None-Match, too', async (t) => {
  const service = await startToyService(t)
  const folder = below(service, 'one.toy')
  writeToy(folder, 3)
  await untilSettled(folder)
  const query = encodeURIComponent(JSON.stringify({ sql: "SELECT a FROM read_toy('one.toy')" }))
  const ask = (tag: string | null) =>
    fetch(`${service.url}/api/query?q=${query}`, { headers: tag === null ? {} : { 'if-none-match': tag } })
  const first = await ask(null)
  const tag = first.headers.get('etag')
  t.equal((await ask(tag)).status, 304)
  writeChunk(folder, 'a/2', 5)
  const changed = await ask(tag)
  t.equal(changed.status, 200)
  t.same((await numbersOf(changed)).slice(8), [5, 5, 5, 5])
})

t.test('what is made from more objects than are recorded is not kept', async (t) => {
  const service = await startToyService(t)
  const folder = below(service, 'one.toy')
  const segments = MAX_ANSWER_OBJECTS + 100
  writeDocument(folder, 'toy.json', { columns: ['a'], segments, rows: 4 })
  for (let segment = 0; segment < segments; segment += 500) writeChunk(folder, `a/${segment}`, segment)
  await untilSettled(folder)
  const first4 = { from: { toy: { paths: ['one.toy'] } }, select: ['a'], limit: 4 }
  const all = { sql: "SELECT count(a) AS a FROM read_toy('one.toy') WHERE a >= 0" }
  for (const [query, expected, isKept] of [
    [first4, [0, 0, 0, 0], true],
    [all, [4 * Math.ceil(segments / 500)], false],
  ] as const) {
    const [first, second] = [await service.query(query), await service.query(query)]
    t.same(await numbersOf(first), expected)
    t.same(await numbersOf(second), expected)
    t.equal(idOf(first) === idOf(second), isKept)
  }
})
