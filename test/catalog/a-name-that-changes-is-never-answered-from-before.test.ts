import { writeFileSync } from 'node:fs'
import t from 'tap'
import { type AskedService, idOf, numbersOf } from '../answers/asking.ts'
import { startWithTables } from './start-with-tables.ts'
import { csvSource } from './two-tables.ts'

const from = (table: string) => ({ from: table, select: ['n'] })

/** The ways in which a query names a table. Those of SQL are run by the core and by DuckDB. */
const WAYS: Readonly<Record<string, (service: AskedService, query: { from: string }) => Promise<Response>>> =
  Object.freeze({
    'JSON by POST': (service, query) => service.post(query),
    'JSON by GET': (service, query) => service.get(query),
    'a function in JSON': (service, query) =>
      service.post({ ...query, select: [{ function: 'abs', args: ['n'], alias: 'n' }] }),
    'a simple SELECT': (service, { from }) => service.post({ sql: `SELECT n FROM ${from}` }),
    'a SELECT in brackets': (service, { from }) =>
      service.get({ sql: `SELECT t.n FROM (SELECT * FROM "${from}") t WHERE n > 0` }),
    'a statement of DuckDB': (service, { from }) =>
      service.post({ sql: `SELECT n + 0 * row_number() OVER () AS n FROM ${from}` }),
    'a statement with WITH': (service, { from }) =>
      service.post({ sql: `WITH a AS (FROM ${from}) SELECT a.n FROM a` }),
  })

t.test('whatever way a table is named', async (t) => {
  const { service, catalog } = await startWithTables(t)
  for (const [index, [way, ask]] of Object.entries(WAYS).entries()) {
    const [one, two] = [`one_${index}`, `two_${index}`]
    catalog.define(one, csvSource('a.csv'))
    catalog.define(two, csvSource('b.csv'))

    await t.test(`it is redefined, asked in ${way}`, async (t) => {
      const first = await ask(service, from(one))
      t.same(await numbersOf(first), [1, 2])
      const again = await ask(service, from(one))
      t.equal(idOf(again), idOf(first), 'kept')
      catalog.define(one, csvSource('b.csv'))
      const redefined = await ask(service, from(one))
      t.same(await numbersOf(redefined), [7])
      t.not(redefined.headers.get('etag'), first.headers.get('etag') ?? '')
      catalog.define(one, csvSource('a.csv'))
      t.same(await numbersOf(await ask(service, from(one))), [1, 2], 'as it was at first')
    })

    await t.test(`its right is taken away, asked in ${way}`, async (t) => {
      t.same(await numbersOf(await ask(service, from(two))), [7])
      catalog.deny(two)
      const refused = await ask(service, from(two))
      t.equal(refused.status, 400)
      t.match(await refused.json(), new RegExp(`There is no table "${two}"`))
      t.same(await numbersOf(await ask(service, from(one))), [1, 2], 'the other one is still there')
      catalog.allow(two)
      t.same(await numbersOf(await ask(service, from(two))), [7])
    })
  }
})

t.test('a tag of before is no 304', async (t) => {
  const { service, catalog } = await startWithTables(t)
  const tag = async (table: string): Promise<string> => {
    const response = await service.get(from(table))
    await response.arrayBuffer()
    return response.headers.get('etag') ?? ''
  }
  const [one, two] = [await tag('one'), await tag('two')]
  const ask = (table: string, etag: string) => service.get(from(table), { 'if-none-match': etag })
  t.equal((await ask('one', one)).status, 304)
  t.equal((await ask('two', two)).status, 304)
  catalog.define('one', csvSource('b.csv'))
  catalog.deny('two')
  const redefined = await ask('one', one)
  t.equal(redefined.status, 200)
  t.same(await numbersOf(redefined), [7])
  t.equal((await ask('two', two)).status, 400, 'to know a tag is no right')
  catalog.define('one', csvSource('a.csv'), {
    fields: [{ name: 'n', type: { kind: 'int', bits: 64, signed: true }, nullable: true, metadata: {} }],
    metadata: {},
  })
  const columns = await ask('one', one)
  t.equal(columns.status, 200, 'the same files, defined in another way')
  t.same(await numbersOf(columns), [1, 2])
})

t.test('an answer that streams ends as it began', async (t) => {
  const { service, catalog } = await startWithTables(t)
  const rows = 400_000
  writeFileSync(service.at('large.csv'), `n\n${Array.from({ length: rows }, (_, n) => n).join('\n')}\n`)
  catalog.define('large', csvSource('large.csv'))
  await service.settle()
  const body = (await service.post(from('large'))).body?.getReader()
  const first = await body?.read()
  t.ok(first?.value, 'it has begun')
  catalog.define('large', csvSource('b.csv'))
  t.same(await numbersOf(await service.post(from('large'))), [7], 'an equal query meanwhile')
  const chunks = [first?.value ?? new Uint8Array()]
  for (let next = await body?.read(); next && !next.done; next = await body?.read()) chunks.push(next.value)
  const streamed = await numbersOf(new Response(Buffer.concat(chunks)))
  t.equal(streamed.length, rows)
  catalog.deny('large')
  t.equal((await service.post(from('large'))).status, 400)
})

t.test('who lost the right is not given the answer that is being made', async (t) => {
  const { service, catalog } = await startWithTables(t)
  const rows = 400_000
  writeFileSync(service.at('large.csv'), `n\n${Array.from({ length: rows }, (_, n) => n).join('\n')}\n`)
  catalog.define('large', csvSource('large.csv'))
  await service.settle()
  const streaming = await service.post(from('large'))
  catalog.deny('large')
  const [late, stranger] = await Promise.all([service.post(from('large')), service.get(from('large'))])
  t.equal(late.status, 400)
  t.equal(stranger.status, 400)
  t.equal((await numbersOf(streaming)).length, rows, 'who asked before is given all of it')
})

t.test('equal queries at once get what their table is when they come', async (t) => {
  const { service, catalog } = await startWithTables(t)
  const before = Array.from({ length: 8 }, () => service.post(from('one')))
  await Promise.all(before)
  catalog.define('one', csvSource('b.csv'))
  const after = await Promise.all(Array.from({ length: 8 }, () => service.post(from('one'))))
  for (const response of after) t.same(await numbersOf(response), [7])
})

t.test('a table that was missing is found once it is there, and missed once it is gone', async (t) => {
  const { service, catalog } = await startWithTables(t)
  t.equal((await service.post(from('three'))).status, 400)
  catalog.define('three', csvSource('b.csv'))
  t.same(await numbersOf(await service.post(from('three'))), [7])
  t.same(await numbersOf(await service.post(from('"three"'))), [7], 'as a quoted identifier')
  t.same(await numbersOf(await service.post(from('THREE'))), [7], 'as an identifier')
  catalog.define('THREE', csvSource('a.csv'))
  t.same(await numbersOf(await service.post(from('THREE'))), [1, 2], 'its exact name comes first')
  catalog.drop('three')
  t.equal((await service.post(from('three'))).status, 400)
})
