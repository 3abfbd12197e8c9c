import { cpSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { samples } from '../formats/fixtures.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { untilSettled } from '../support/settled.ts'
import { type Asked, type EnforcedService, GRANT_ALL, grantOn, refusal, startEnforced } from './enforced.ts'
import { denyPath, grantPath, refusedPaths } from './one-by-one.ts'

/** The ways in which a path is asked for, and the path as it stands in the error. */
function doorsTo(path: string, service: EnforcedService): Readonly<Record<string, () => Promise<Asked>>> {
  const from = { from: { csv: { paths: [path] } }, select: ['n'] }
  const send = (url: string, query: object) =>
    service.ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(query),
    })
  const get = (url: string, method: string, query: object) =>
    service.ask(`${url}?q=${encodeURIComponent(JSON.stringify(query))}`, { method })
  return {
    JSON: () => service.asked(from),
    'JSON by GET': () => get('/api/query', 'GET', from),
    'JSON with a function': () =>
      service.asked({ ...from, select: [{ function: 'abs', args: ['n'], alias: 'n' }] }),
    'simple SELECT': () => service.asked({ sql: `SELECT n FROM read_csv('${path}')` }),
    'a filter': () => service.asked({ sql: `SELECT n FROM read_csv('${path}') WHERE n = 5` }),
    count: () => service.asked({ sql: `SELECT count(*) FROM read_csv('${path}')` }),
    'statement of DuckDB': () =>
      service.asked({ sql: `SELECT n + 0 * row_number() OVER () AS n FROM read_csv('${path}')` }),
    'a path made of parts': () => {
      const [first = '', ...rest] = path
      return service.asked({ sql: `SELECT n + 1 AS m FROM read_csv('${first}' || '${rest.join('')}')` })
    },
    union: () => service.asked({ sql: `SELECT 1 AS n UNION ALL SELECT n FROM read_csv('${path}')` }),
    'a subquery in WHERE': () =>
      service.asked({ sql: `SELECT 1 AS n WHERE 1 IN (SELECT n FROM read_csv('${path}'))` }),
    'EXPLAIN in SQL': () => service.asked({ sql: `EXPLAIN SELECT n FROM read_csv('${path}')` }),
    'EXPLAIN ANALYZE in SQL': () =>
      service.asked({ sql: `EXPLAIN ANALYZE SELECT n FROM read_csv('${path}')` }),
    DESCRIBE: () => service.asked({ sql: `DESCRIBE SELECT * FROM read_csv('${path}')` }),
    SUMMARIZE: () => service.asked({ sql: `SUMMARIZE SELECT * FROM read_csv('${path}')` }),
    read_csv_schema: () => service.asked({ sql: `FROM read_csv_schema('${path}')` }),
    'explain-query': () => send('/api/explain-query', from),
    'explain-analyze-query': () => send('/api/explain-analyze-query', from),
    'dataset-schema': () => service.ask(`/api/dataset-schema?file=${encodeURIComponent(path)}`),
  }
}

const isRefused = ({ status, text }: Asked, path: string): boolean =>
  status === 400 && (text === JSON.stringify(refusedPaths(path)) || text === refusedPaths(path))

t.test('a path that may no longer be read', async (t) => {
  const service = await startEnforced(t, { 'd/a.csv': 'n\n1\n', 'd/b.csv': 'n\n2\n' })
  await untilSettled(service.datasets)
  for (const path of ['d/a.csv', 'd/*.csv'])
    for (const [door, ask] of Object.entries(doorsTo(path, service))) {
      await service.allow(grantPath('d/*'))
      for (let time = 0; time < 2; time++) {
        const { status, text } = await ask()
        t.equal(status, 200, `${door} ${text.slice(0, 300)}`)
      }
      await service.allow(grantPath('d/*'), denyPath('**/a.csv'))
      t.ok(isRefused(await ask(), path), `${door} to ${path}, denied`)
      await service.allow(grantPath('d/b.csv'))
      t.ok(isRefused(await ask(), path), `${door} to ${path}, not granted`)
    }
  t.equal((await service.asked({ sql: "SELECT n FROM read_csv('d/b.csv')" })).status, 200)
  for (const [door, ask] of Object.entries(doorsTo('d/none.csv', service)))
    t.ok(isRefused(await ask(), 'd/none.csv'), `${door} to nothing`)
})

t.test('a tag is no right, and a HEAD is no way round', async (t) => {
  const service = await startEnforced(t, { 'a.csv': 'n\n1\n' })
  await untilSettled(service.datasets)
  const url = `${service.url}/api/query?q=${encodeURIComponent(JSON.stringify({ from: { csv: { paths: ['a.csv'] } }, select: ['n'] }))}`
  await service.allow(GRANT_ALL)
  const first = await fetch(url)
  await first.arrayBuffer()
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  t.equal((await fetch(url, { headers })).status, 304)
  await service.allow()
  t.equal((await fetch(url, { headers })).status, 400)
  t.equal((await fetch(url, { method: 'HEAD', headers })).status, 400)
})

t.test('rules on paths do not apply to the files of a table, and those on tables not to paths', async (t) => {
  const service = await startEnforced(t, { 'd/a.csv': 'n\n1\n' })
  await service.admin("CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'd/'")
  await service.admin("CREATE VIEW v AS SELECT n FROM read_csv('d/a.csv')")
  await service.allow(grantOn('t'), grantOn('v'), denyPath('**'))
  t.equal((await service.asked({ sql: 'SELECT n FROM t' })).status, 200)
  t.same(
    await service.asked({ sql: 'SELECT n FROM v' }),
    { status: 400, text: refusal('v') },
    'a view names a path',
  )
  await service.allow(grantPath('d/a.csv'))
  t.same(await service.asked({ sql: 'SELECT n FROM t' }), { status: 400, text: refusal('t') })
  t.equal((await service.asked({ sql: "SELECT n FROM read_csv('d/a.csv')" })).status, 200)
})

t.test('a store is read by the right to its folder or its marker', async (t) => {
  const service = await startEnforced(t, {})
  const [sample] = samples('zarr')
  const location = sample?.location ?? ''
  const store = basename(location)
  cpSync(location, join(service.datasets, 'open/store'), { recursive: true })
  cpSync(location, join(service.datasets, 'secret/store'), { recursive: true })
  const datasets = async () => JSON.parse((await service.ask('/api/datasets')).text) as readonly string[]
  const doors = (path: string): readonly (() => Promise<Asked>)[] => [
    () => service.asked({ from: { zarr: { paths: [path] } }, select: ['x'] }),
    () => service.asked({ sql: `SELECT count(*) FROM read_zarr('${path}')` }),
    () => service.asked({ sql: `FROM read_zarr_schema('${path}')` }),
    () => service.ask(`/api/dataset-schema?file=${path}`),
  ]
  await service.allow(grantPath('open/*'))
  const [shown = '', ...more] = await datasets()
  t.same(more, [], `only ${shown} of ${store} is listed`)
  for (const ask of doors('open/store').slice(1)) t.equal((await ask()).status, 200)
  const listed = JSON.parse(
    (await service.ask('/api/datasets', { headers: SUPER_USER })).text,
  ) as readonly string[]
  t.equal(listed.length, 2)
  for (const path of ['secret/store', shown.replace('open', 'secret'), 'secret/nothing', 'secret', '*/store'])
    for (const ask of doors(path)) t.ok(isRefused(await ask(), path), path)
  await service.allow(grantPath(shown), denyPath('*/store/*/**'))
  for (const ask of doors('open/store').slice(1))
    t.ok(isRefused(await ask(), 'open/store'), 'the marker is denied')
  await service.allow(grantPath(shown), denyPath('*/store/*/*/**'))
  for (const ask of doors('open/store').slice(1)) t.equal((await ask()).status, 200)
})

t.test('a table of no such name tells no path, and the document of the API none either', async (t) => {
  const service = await startEnforced(t, { 'secret/a.csv': 'n\n1\n', 'observations/2024-01.parquet': 'x' })
  for (const name of ['secret', 'secret/a', 'secret/a.csv'])
    t.same(await service.asked({ from: name, select: ['n'] }), { status: 400, text: refusal(name) })
  const document = await service.ask('/openapi.json')
  t.equal(document.status, 200)
  const other = await startEnforced(t, {})
  const version = (text: string): string => text.replaceAll(/127\.0\.0\.1:\d+/g, '')
  t.equal(version(document.text), version((await other.ask('/openapi.json')).text))
})
