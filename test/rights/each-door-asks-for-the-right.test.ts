import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { DOORS, type Door, type Without } from '../../src/main/auth/doors/doors.ts'
import { STATEMENT_WORDS } from '../../src/main/sql/grammar/parse-statement.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { DATASETS_FUNCTION, SCHEMA_SUFFIX } from '../../src/plan/statement/functions.ts'
import { SYSTEM_RELATIONS } from '../../src/plan/statement/system-relations.ts'
import { SUPER_USER, startTestServer } from '../http/test-server.ts'
import {
  CALLS,
  type DoorRequest,
  LISTINGS,
  OTHERS,
  REFUSING,
  STATEMENTS,
  toolCall,
  toolFailure,
} from './door-requests.ts'
import { type Asked, type EnforcedService, refusal, startEnforced } from './enforced.ts'

type Headers = Readonly<Record<string, string>>

/** A service with tables `open` and `secret`, and users who may read everything, `open` and `a.csv`, and nothing. */
interface World extends EnforcedService {
  readonly all: Headers
  readonly some: Headers
  readonly none: Headers
}

const HIDDEN = { table: 'secret', path: 'hidden/c.csv' }
const ABSENT = { table: 'nothing', path: 'hidden/x.csv' }
const TABLES = ['default', 'open', 'secret']
const PATHS = ['a.csv', 'hidden/c.csv']
const CSV = { format: 'csv' }
const HEADER = 'table_catalog,table_schema,table_name,table_type'

async function startWorld(t: Test, settings: Readonly<Record<string, string>> = {}): Promise<World> {
  const service = await startEnforced(
    t,
    { 'a.csv': 'n\n1\n2\n', 'hidden/c.csv': 'n\n9\n' },
    { settings: { SERVICE_DEFAULT_TABLE: 'secret', ...settings } },
  )
  await service.admin("CREATE EXTERNAL TABLE open STORED AS CSV LOCATION 'a.csv'")
  await service.admin("CREATE EXTERNAL TABLE secret STORED AS CSV LOCATION 'hidden/c.csv'")
  return {
    ...service,
    all: await service.user('all', 'GRANT SELECT ON ALL'),
    some: await service.user('some', 'GRANT SELECT ON TABLE open', "GRANT SELECT ON PATH 'a.csv'"),
    none: await service.user('none'),
  }
}

function send(
  service: EnforcedService,
  { method, path, body, headers: more }: DoorRequest,
  credentials: Headers = {},
): Promise<Asked> {
  const headers = { ...more, ...credentials }
  return service.ask(path, {
    method,
    headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'manual',
  })
}

/** Whether a request was answered by one who may read the file. A file of text has no structure. */
function isAnswered({ path }: DoorRequest, { status, text }: Asked): boolean {
  return path.startsWith('/api/dataset-structure')
    ? /"hidden\/c\.csv": files of CSV/.test(text)
    : status === 200 && !text.includes('"isError":true')
}

function those(kind: Door['kind'], without: Without): readonly string[] {
  return DOORS.flatMap((door) => (door.kind === kind && door.without === without ? [door.name] : []))
}

function refusedPath(path: string): string {
  return `permission denied: SELECT on path ${JSON.stringify(path)}, or no file matches`
}

/** The request to a route that needs nothing more than its name. */
function requestTo(name: string): DoorRequest {
  const [method = '', path = ''] = name.split(' ')
  return OTHERS[name] ?? { method, path }
}

t.test('the table has a row for each door, and no door twice', async (t) => {
  const names = (kind: Door['kind']) => DOORS.flatMap((door) => (door.kind === kind ? [door.name] : []))
  for (const kind of ['route', 'reader', 'table function', 'statement', 'system table', 'cache'] as const)
    t.equal(new Set(names(kind)).size, names(kind).length, kind)
  const { app, url } = await startTestServer(t)
  // The printed tree does not tell `/docs/*` and `/docs*` apart.
  const rows = names('route').map((name) => name.replace('/*', '*'))
  const routes = routesIn(app.printRoutes({ commonPrefix: false }))
  t.ok(routes.length > 30)
  for (const route of routes) t.ok(rows.includes(route), route)
  for (const row of rows) t.ok(routes.includes(row), `${row} is there`)
  const readers = [...FORMATS.fromKeys.keys(), ...FORMATS.functions.keys()]
  for (const reader of readers) t.ok(names('reader').includes(reader), reader)
  for (const fn of [
    DATASETS_FUNCTION,
    ...[...FORMATS.functions.keys()].map((name) => name + SCHEMA_SUFFIX),
    'read_netcdf_variables',
    'read_hdf5_variables',
    'read_zarr_variables',
  ])
    t.ok(names('table function').includes(fn), fn)
  const words = names('statement').flatMap((name) => [name, name.split(' ')[0]])
  for (const word of STATEMENT_WORDS) t.ok(words.includes(word), word)
  for (const { schema, name } of SYSTEM_RELATIONS)
    t.ok(names('system table').includes(`${schema}.${name}`), `${schema}.${name}`)
  const { caches } = (await (await fetch(`${url}/api/info`)).json()) as { caches: object }
  for (const cache of Object.keys(caches)) t.ok(names('cache').includes(cache), cache)
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/caches.md'), 'utf8')
  const kept = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => /`(src\/[\w/-]+\.ts)`/.exec(line.split('|')[1] ?? '')?.[1] ?? [])
  for (const file of kept) t.ok(names('cache').includes(file), file)
  for (const name of names('cache'))
    t.ok(!name.includes('/') || kept.includes(name), `${name} is on the page`)
})

/** The routes in a tree as Fastify prints it, without those of HEAD that come with GET. */
function routesIn(tree: string): readonly string[] {
  const above: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', text = '', methods = ''] = /^([│ ]*)[├└]── (.*?)(?: \((.*)\))?$/.exec(line) ?? []
    if (text === '') return []
    const depth = indent.length / 4
    const path = depth === 0 ? text : `${above[depth - 1]}${text}`
    above[depth] = path
    return methods
      .split(', ')
      .flatMap((method) => (method === 'HEAD' || method === '' ? [] : [`${method} ${path}`]))
  })
}

for (const [title, settings, isAnonymous] of [
  ['a user and callers without credentials', {}, false],
  [
    'callers without credentials where nobody is anonymous',
    { SERVICE_AUTH_ANONYMOUS_ENABLED: 'false' },
    true,
  ],
] as const)
  t.test(`without the right: ${title}`, async (t) => {
    const world = await startWorld(t, settings)
    if (isAnonymous) await world.allow({ effect: 'grant', target: { kind: 'all' } })
    const without: readonly Headers[] = isAnonymous ? [{}] : [world.none, {}]
    const same = async (request: DoorRequest, headers: Headers, status: number, text: string) =>
      t.same(
        await send(world, request, headers),
        { status, text: request.method === 'HEAD' ? '' : text },
        `${request.method} ${request.path} ${JSON.stringify(request.body)}`,
      )

    t.same(Object.keys(REFUSING).toSorted(), those('route', 'refused').toSorted())
    for (const name of those('route', 'refused'))
      for (const asked of [HIDDEN, ABSENT])
        for (const request of REFUSING[name]?.(asked) ?? [])
          for (const headers of without) {
            const plain = request.path.startsWith('/api/dataset-s')
            const path = plain ? refusedPath(asked.path) : JSON.stringify(refusedPath(asked.path))
            const text = request.of === 'table' ? refusal(asked.table) : path
            if (request.path === '/mcp') await same(request, headers, 200, toolFailure(JSON.parse(text)))
            else await same(request, headers, 400, text)
          }
    for (const request of Object.values(REFUSING).flatMap((of) => of(HIDDEN)))
      for (const headers of [world.all, SUPER_USER]) {
        const answer = await send(world, request, headers)
        t.ok(
          isAnswered(request, answer),
          `${request.path} ${JSON.stringify(request.body)} ${answer.text.slice(0, 200)}`,
        )
      }

    for (const name of those('route', 'left out')) {
      const listing = LISTINGS[name]
      if (listing === undefined) throw new Error(name)
      const [most, one] = listing.of === 'tables' ? [TABLES, ['open']] : [PATHS, ['a.csv']]
      const told = async (headers: Headers) => {
        const names = listing.names((await send(world, requestTo(name), headers)).text)
        return typeof names === 'number' ? names : names.toSorted()
      }
      const as = async (headers: Headers, names: readonly string[]) => {
        const is = await told(headers)
        t.same(is, typeof is === 'number' ? names.length : names, name)
      }
      await as(SUPER_USER, most)
      await as(world.all, most)
      await as(world.some, one)
      for (const headers of without) await as(headers, [])
    }

    const told = (table: string) => toolCall('describe_table', { table })
    for (const headers of without)
      for (const table of ['secret', 'nothing']) {
        const message = `There is no table "${table}" that you may read; list_tables names those that there are.`
        await same(told(table), headers, 200, toolFailure(message))
      }

    const schema = (table: string) => requestTo(`GET /api/table-schema?table_name=${table}`)
    for (const headers of without)
      for (const table of ['secret', 'nothing'])
        await same(schema(table), headers, 404, `Table service.public.${table} not found`)
    t.equal((await send(world, schema('open'), world.some)).status, 200)
    const extensions = (table: string) => requestTo(`GET /api/table-extensions?table_name=${table}`)
    for (const headers of without)
      for (const table of ['secret', 'nothing'])
        await same(extensions(table), headers, 404, `Table service.public.${table} not found`)
    await same(extensions('open'), world.some, 200, '{}')
    for (const headers of without) {
      await same(requestTo('GET /api/default-table-schema'), headers, 200, '{"fields":[],"metadata":{}}')
      await same(requestTo('GET /api/query/available-columns'), headers, 200, '[]')
    }
    await same(requestTo('GET /api/query/available-columns'), world.all, 200, '["n"]')

    for (const name of those('route', 'open')) {
      const expected = await send(world, requestTo(name), SUPER_USER)
      for (const headers of [...without, world.all])
        await same(requestTo(name), headers, expected.status, expected.text)
    }
    for (const name of those('route', 'admin')) {
      await same(requestTo(name), {}, 401, '')
      await same(requestTo(name), world.all, 403, '')
      const { status, text } = await send(world, requestTo(name), SUPER_USER)
      const isThrough = [200, 422].includes(status) || /^There is no |is there already/.test(text)
      t.ok(isThrough, `${name}: ${status}`)
    }

    for (const reader of those('reader', 'refused'))
      for (const { path } of [HIDDEN, ABSENT]) {
        const body = reader.startsWith('read_')
          ? { sql: `SELECT * FROM ${reader}('${path}')` }
          : { from: { [reader]: { paths: [path] } }, select: ['n'] }
        const request = { method: 'POST', path: '/api/query', body }
        for (const headers of without) await same(request, headers, 400, JSON.stringify(refusedPath(path)))
        // What is no store is no dataset of this format.
        if (path === HIDDEN.path && !reader.endsWith('zarr'))
          t.notMatch((await send(world, request, world.all)).text, /denied/, reader)
      }
    const rows = (from: string): DoorRequest => ({
      method: 'POST',
      path: '/api/query',
      body: { sql: `SELECT * FROM ${from}`, output: { format: 'csv' } },
    })
    for (const fn of those('table function', 'refused'))
      for (const { path } of [HIDDEN, ABSENT])
        for (const headers of without)
          await same(rows(`${fn}('${path}')`), headers, 400, JSON.stringify(refusedPath(path)))
    for (const fn of those('table function', 'left out')) {
      const count = async (headers: Headers) =>
        (await send(world, rows(`${fn}()`), headers)).text.trim().split('\n').length - 1
      t.equal(await count(world.all), PATHS.length)
      t.equal(await count(world.some), 1)
      for (const headers of without) t.equal(await count(headers), 0)
    }
    for (const fn of those('table function', 'open')) {
      const call = CALLS[fn]
      if (call === undefined) throw new Error(fn)
      for (const headers of without) t.equal((await send(world, rows(call), headers)).status, 200, fn)
    }

    const run = (sql: string): DoorRequest => ({ method: 'POST', path: '/api/query', body: { sql } })
    for (const words of those('statement', 'refused'))
      for (const { table } of [HIDDEN, ABSENT])
        for (const headers of without)
          await same(run(STATEMENTS[words]?.(table) ?? ''), headers, 400, refusal(table))
    for (const words of those('statement', 'left out')) {
      const sql = STATEMENTS[words]?.('secret') ?? ''
      const shown = async (headers: Headers) => (await world.asked({ sql, output: CSV }, headers)).text
      const line = (table: string) => `service,public,${table},BASE TABLE`
      const lines = (...tables: string[]) => `${[HEADER, ...tables.map(line)].join('\n')}\n`
      t.equal(await shown(world.all), lines(...TABLES))
      t.equal(await shown(world.some), lines('open'))
      for (const headers of without) t.equal(await shown(headers), lines())
    }
    for (const words of those('statement', 'open'))
      for (const headers of [...without, world.all])
        t.equal((await send(world, run(STATEMENTS[words]?.('secret') ?? ''), headers)).status, 200, words)
    for (const call of ['DESCRIBE read_csv', 'SUMMARIZE read_csv'])
      for (const { path } of [HIDDEN, ABSENT])
        for (const headers of without)
          await same(run(`${call}('${path}')`), headers, 400, JSON.stringify(refusedPath(path)))
    await superUserAlone(t, world, [...without, world.all])
  })

/** Statements and tables that are the super-user's own. */
async function superUserAlone(t: Test, world: World, others: readonly Headers[]): Promise<void> {
  const requests = [
    ...those('statement', 'super-user').map((words) => ({ sql: STATEMENTS[words]?.('secret') ?? '' })),
    ...SYSTEM_RELATIONS.flatMap(({ schema, name, columns }) => {
      const qualified = `service.${schema}.${name}`
      return [
        { sql: `SELECT * FROM ${qualified}` },
        { sql: `SELECT count(*) + 1 FROM (SELECT * FROM ${qualified}) WHERE 1 = 1` },
        { sql: `DESCRIBE ${qualified}` },
        { from: qualified, select: [columns.fields[0]?.name] },
      ]
    }),
  ]
  for (const body of requests)
    for (const headers of others) {
      const { status, text } = await world.asked(body, headers)
      t.equal(status, 400, JSON.stringify(body))
      t.match(text, /super-user/, JSON.stringify(body))
    }
}

t.test('what is the super-user’s own is so without enforcement too', async (t) => {
  const world = await startWorld(t, { SERVICE_AUTH_ENFORCE: 'false' })
  await superUserAlone(t, world, [{}, world.none, world.all])
  for (const request of Object.values(REFUSING).flatMap((of) => of(HIDDEN)))
    t.ok(isAnswered(request, await send(world, request)), 'and nothing else is refused')
})

t.test('under the alias each route is the super-user’s', async (t) => {
  const world = await startWorld(t)
  const routes = DOORS.filter(({ kind, name }) => kind === 'route' && name.includes(' /api/'))
  for (const { name } of routes) {
    const plain = REFUSING[name]?.(HIDDEN)[0] ?? requestTo(name)
    const aliased = { ...plain, path: `/admin${plain.path}` }
    t.same(await send(world, aliased), { status: 401, text: '' }, name)
    t.same(await send(world, aliased, world.all), { status: 403, text: '' }, name)
    t.equal(
      (await send(world, aliased, SUPER_USER)).status,
      (await send(world, plain, SUPER_USER)).status,
      name,
    )
  }
})

t.test('metrics are for the one who ran the query, and the super-user', async (t) => {
  const world = await startWorld(t)
  const run = async (headers: Headers): Promise<string> => {
    const response = await fetch(`${world.url}/api/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ sql: 'SELECT 1 AS one' }),
    })
    await response.arrayBuffer()
    return response.headers.get('x-service-query-id') ?? ''
  }
  const unknown = await world.ask('/api/query/metrics/00000000-0000-4000-8000-000000000000')
  t.equal(unknown.status, 404)
  for (const owner of [world.some, {}])
    for (const path of ['/api/query/metrics', '/admin/api/query/metrics']) {
      const id = await run(owner)
      t.equal((await world.ask(`${path}/${id}`, { headers: SUPER_USER })).status, 200)
      if (path.startsWith('/admin')) continue
      t.equal((await world.ask(`${path}/${id}`, { headers: owner })).status, 200)
      for (const other of [world.some, world.none, world.all, {}])
        if (other !== owner && JSON.stringify(other) !== JSON.stringify(owner))
          t.same(await world.ask(`${path}/${id}`, { headers: other }), unknown)
    }
})
