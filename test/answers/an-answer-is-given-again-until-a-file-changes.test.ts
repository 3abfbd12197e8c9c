import { appendFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { csv, idOf, numbersOf, startAskedService } from './asking.ts'

const FORMS = {
  JSON: { from: { csv: { paths: ['*.csv'] } }, select: ['n'] },
  SQL: { sql: "SELECT n FROM read_csv('*.csv')" },
  'SQL in DuckDB': { sql: "SELECT n + 0 * row_number() OVER () AS n FROM read_csv('*.csv')" },
  'CSV file': { from: { csv: { paths: ['*.csv'] } }, select: ['n'], output: { format: 'csv' } },
  'Arrow file': { from: { csv: { paths: ['*.csv'] } }, select: ['n'], output: { format: 'arrow' } },
}

const CHANGES: Record<string, (at: (path: string) => string) => readonly number[]> = {
  'rewritten in place': (at) => {
    writeFileSync(at('a.csv'), csv(7, 8), { flag: 'r+' })
    return [7, 8]
  },
  'rewritten in place with its time set back': (at) => {
    utimesSync(at('a.csv'), 1, 1)
    writeFileSync(at('a.csv'), csv(5, 6), { flag: 'r+' })
    utimesSync(at('a.csv'), 1, 1)
    return [5, 6]
  },
  'appended to': (at) => {
    appendFileSync(at('a.csv'), '9\n')
    return [5, 6, 9]
  },
  replaced: (at) => {
    writeFileSync(at('a.new'), csv(3))
    renameSync(at('a.new'), at('a.csv'))
    return [3]
  },
  'joined by another': (at) => {
    writeFileSync(at('b.csv'), csv(4))
    return [3, 4]
  },
  removed: (at) => {
    rmSync(at('a.csv'))
    return [4]
  },
}

for (const [form, query] of Object.entries(FORMS)) {
  t.test(form, async (t) => {
    const service = await startAskedService(t)
    writeFileSync(service.at('a.csv'), csv(1, 2))
    const numbers = async (response: Response): Promise<readonly number[]> =>
      form === 'CSV file'
        ? (await response.text()).trim().split('\n').slice(1).map(Number)
        : numbersOf(response)
    await service.settle()
    const first = await service.post(query)
    t.same(await numbers(first), [1, 2])
    const again = await service.post(query)
    t.same(await numbers(again), [1, 2])
    t.equal(idOf(again), idOf(first), 'from the same run')
    t.equal(again.headers.get('etag'), first.headers.get('etag') ?? again.headers.get('etag'))
    for (const header of ['content-type', 'content-disposition'])
      t.equal(again.headers.get(header), first.headers.get(header))
    let before = first
    for (const [change, make] of Object.entries(CHANGES)) {
      const expected = make(service.at)
      const at = await service.post(query)
      t.same(await numbers(at), expected, change)
      t.not(idOf(at), idOf(before))
      await service.settle()
      before = await service.post(query)
      t.same(await numbers(before), expected, change)
      const kept = await service.post(query)
      t.same(await numbers(kept), expected, change)
      t.equal(idOf(kept), idOf(before), 'kept once it is settled')
    }
  })
}

t.test('under load, every query sees what was there when it was asked', async (t) => {
  const service = await startAskedService(t)
  const query = FORMS.JSON
  let version = 1
  writeFileSync(service.at('a.csv'), csv(version))
  let isOver = false
  let asked = 0
  const clients = Array.from({ length: 16 }, async () => {
    while (!isOver) {
      const atLeast = version
      const response = await service.post(query)
      if (response.status === 400) continue
      const [found = 0] = await numbersOf(response)
      if (found < atLeast) t.fail(`asked after version ${atLeast}, answered with ${found}`)
      asked++
    }
  })
  for (let next = 2; next <= 40; next++) {
    // Time itself: the file rests long enough for its answer to be kept, or not.
    await setTimeout(next % 3 === 0 ? 60 : 5)
    if (next % 2 === 0) {
      writeFileSync(service.at('a.new'), csv(next))
      renameSync(service.at('a.new'), service.at('a.csv'))
    } else writeFileSync(service.at('a.csv'), csv(next), { flag: 'r+' })
    version = next
  }
  isOver = true
  await Promise.all(clients)
  t.ok(asked > 0)
  t.same(await numbersOf(await service.post(query)), [40])
})

t.test('what is not the same twice is not kept', async (t) => {
  const service = await startAskedService(t)
  writeFileSync(service.at('a.csv'), csv(...Array(50).keys()))
  await service.settle()
  const queries = [
    { sql: 'SELECT random() AS n' },
    { sql: 'SELECT "uuid"() AS n' },
    { sql: 'SELECT now() AS n' },
    { sql: 'SELECT current_timestamp AS n' },
    { sql: "SELECT age(TIMESTAMP '2000-01-01') AS n" },
    { sql: "SELECT n FROM read_csv('a.csv') USING SAMPLE 3 ROWS" },
    { sql: "SELECT n FROM read_csv('a.csv') ORDER BY random()" },
    { sql: "EXPLAIN ANALYZE SELECT n FROM read_csv('a.csv')" },
    {
      from: { csv: { paths: ['a.csv'] } },
      select: [{ function: 'random', args: [], alias: 'r' }],
    },
  ]
  for (const query of queries) {
    const ids = new Set<string | null>()
    for (let i = 0; i < 3; i++) {
      const response = await service.post(query)
      t.equal(response.status, 200, JSON.stringify(query))
      await response.arrayBuffer()
      ids.add(idOf(response))
    }
    t.equal(ids.size, 3, JSON.stringify(query))
  }
})

t.test('no-store asks for a run of its own, and leaves nothing', async (t) => {
  const service = await startAskedService(t)
  writeFileSync(service.at('a.csv'), csv(1))
  await service.settle()
  const ids: (string | null)[] = []
  for (const headers of [
    { 'cache-control': 'max-age=0, No-Store' },
    {},
    {},
    { 'cache-control': 'no-store' },
  ]) {
    const response = await service.post(FORMS.JSON, headers)
    t.same(await numbersOf(response), [1])
    ids.push(idOf(response))
  }
  const [own, kept, again, bypassed] = ids
  t.equal(again, kept)
  t.equal(new Set([own, kept, bypassed]).size, 3)
})

t.test('no-store neither uses nor fills any of the four caches', async (t) => {
  const service = await startAskedService(t, { workers: 1 })
  writeParquetFile(service.at('a.parquet'), numberedRows(1000), 100)
  await service.settle()
  const caches = async (): Promise<unknown> => {
    const info = (await (await fetch(`${service.url}/api/info`)).json()) as { caches: unknown }
    return info.caches
  }
  const query = { from: { parquet: { paths: ['a.parquet'] } }, select: ['id'] }
  const statement = { sql: "SELECT id + 0 * row_number() OVER () AS n FROM read_parquet('a.parquet')" }
  const ask = async (headers: Record<string, string>): Promise<void> => {
    for (const each of [query, statement]) await (await service.post(each, headers)).arrayBuffer()
  }
  const empty = await caches()
  await ask({ 'cache-control': 'no-store' })
  t.same(await caches(), empty)
  await ask({})
  const filled = await caches()
  // The worker and the engine of the statement each keep the ten columns.
  t.match(filled, { footers: { entries: 1 }, answers: { entries: 2 }, columns: { hits: 0, misses: 20 } })
  await ask({ 'cache-control': 'no-store' })
  t.same(await caches(), filled)
  await ask({})
  t.match(await caches(), { answers: { hits: 2, entries: 2 } })
})

t.test('with SERVICE_CACHE_BYTES=0 nothing is kept', async (t) => {
  const service = await startAskedService(t, { settings: { SERVICE_CACHE_BYTES: '0' } })
  writeFileSync(service.at('a.csv'), csv(1))
  await service.settle()
  const one = await service.post(FORMS.JSON)
  const other = await service.post(FORMS.JSON)
  t.same(await numbersOf(one), await numbersOf(other))
  t.not(idOf(one), idOf(other))
})

t.test('an answer is for the caller who asked for it', async (t) => {
  const service = await startAskedService(t)
  writeFileSync(service.at('a.csv'), csv(1))
  await service.settle()
  const authorization = `Basic ${Buffer.from('service-admin:service-password').toString('base64')}`
  const own = await service.post(FORMS.JSON, { authorization })
  const anonymous = await service.post(FORMS.JSON)
  t.not(idOf(own), idOf(anonymous))
  t.equal(idOf(await service.post(FORMS.JSON, { authorization })), idOf(own))
  t.equal((await service.post(FORMS.JSON, { authorization: `${authorization}x` })).status, 401)
  const metrics = await fetch(`${service.url}/api/query/metrics/${idOf(own)}`)
  t.equal(metrics.status, 404, 'nobody is told the id of the run of another one')
})
