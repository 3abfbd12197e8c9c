import t from 'tap'
import { basic, post, SUPER_USER } from '../http/test-server.ts'
import { csvGroup, startCrawledService, walkedGroups } from './crawling.ts'

const service = await startCrawledService(t, { walk: async () => walkedGroups([csvGroup('obs')]) })
const { ask, state, url } = service
const ROUTE = '/api/admin/crawlers'
const DEFAULTS = {
  target_prefix: 'obs/',
  format_filter: null,
  table_naming: 'leaf_prefix',
  detect_partitions: true,
  schedule_secs: null,
  event_driven: false,
  options: {},
}

const record = async (name: string): Promise<unknown> => {
  const { status, text } = await ask('GET', `${ROUTE}/${encodeURIComponent(name)}`)
  return status === 200 ? JSON.parse(text) : `${status} ${text}`
}

t.test('a statement and a request make the same crawler', async (t) => {
  const all = {
    name: 'a b',
    target_prefix: '/obs/2024/',
    format_filter: ['csv', 'netcdf'],
    table_naming: 'crawler_prefixed',
    detect_partitions: false,
    schedule_secs: 7200,
    event_driven: true,
    options: { delimiter: ';' },
  }
  t.same(await ask('POST', ROUTE, { ...all, format_filter: [' CSV', 'NetCDF', 'csv '], unknown: 1 }), {
    status: 200,
    text: '',
  })
  t.same(await record('a b'), all)
  t.same(await ask('DELETE', `${ROUTE}/a%20b`), { status: 200, text: '' })
  t.same(await record('a b'), '404 Crawler a b not found')
  const sql = `CREATE CRAWLER "a b" ON '/obs/2024/' WITH ('format' 'csv, NETCDF', table_naming crawler_prefixed,
    detect_partitions off, 'Schedule' '2h', event_driven yes, delimiter ';')`
  t.same(await state(sql), [])
  t.same(await record('a b'), all)
  t.same(await state('SHOW CRAWLERS'), [
    { ...all, schedule_secs: 7200n, format_filter: 'csv,netcdf', options: '{"delimiter":";"}' },
  ])
  t.same(await state('DROP CRAWLER "a b"'), [])
  t.same(await state('SHOW CRAWLERS'), [])
})

t.test('what is left out has its default, and the same name replaces', async (t) => {
  t.same(await state("CREATE CRAWLER c ON 'x'"), [])
  t.same(
    await ask('POST', ROUTE, { name: 'c', target_prefix: 'obs/', format_filter: null, schedule_secs: null }),
    {
      status: 200,
      text: '',
    },
  )
  t.same(await record('c'), { name: 'c', ...DEFAULTS })
  t.same(await state("CREATE OR REPLACE CRAWLER c WITH (target_prefix 'obs/', event_driven true)"), [])
  t.same(await record('c'), { name: 'c', ...DEFAULTS, event_driven: true, schedule_secs: 900 })
  await service.define('c', {
    format_filter: [],
    options: { Schedule: '15m', table_naming: 'crawler_prefixed' },
  })
  t.same(await record('c'), {
    ...{ name: 'c', ...DEFAULTS, target_prefix: '' },
    ...{ format_filter: [], schedule_secs: 900, table_naming: 'crawler_prefixed' },
  })
  t.equal((await service.run('c')).discovered, 0, 'an empty filter matches nothing')
})

t.test('names keep their case, and lists are in order', async (t) => {
  for (const name of ['C', 'ä', 'b', '../x', '%2F']) await service.define(name)
  const { text } = await ask('GET', ROUTE)
  const names = (JSON.parse(text) as readonly { readonly name: string }[]).map(({ name }) => name)
  t.same(names, ['%2F', '../x', 'C', 'b', 'c', 'ä'])
  for (const name of names) {
    t.match(await record(name), { name })
    t.equal((await ask('DELETE', `${ROUTE}/${encodeURIComponent(name)}`)).status, 200, name)
  }
})

t.test('what is no crawler is refused, and says what to do', async (t) => {
  const body = { name: 'bad', target_prefix: 'obs/' }
  for (const [wrong, status, message] of [
    [{ name: 'bad' }, 422, /"target_prefix" is missing/],
    [{ target_prefix: 'obs/' }, 422, /"name" is missing/],
    [{ ...body, name: 7 }, 422, /"name" must be a string/],
    [{ ...body, table_naming: 'nope' }, 422, /"table_naming" must be "leaf_prefix" or "crawler_prefixed"/],
    [{ ...body, schedule_secs: -1 }, 422, /"schedule_secs" must be a whole number/],
    [{ ...body, schedule_secs: 1.5 }, 422, /"schedule_secs"/],
    [{ ...body, format_filter: 'csv' }, 422, /"format_filter" must be an array/],
    [{ ...body, format_filter: [1] }, 422, /format_filter\[0\]/],
    [{ ...body, options: { a: 1 } }, 422, /options\.a/],
    [{ ...body, options: { a: 'x', A: 'y' } }, 400, /options: "a" is given twice/],
    [{ ...body, schedule_secs: 1e12 }, 400, /schedule/],
    [{ ...body, name: '' }, 400, /name/],
    [{ ...body, name: 'a\u0007b' }, 400, /control characters/],
    [{ ...body, name: 'x'.repeat(256) }, 400, /255 bytes/],
    [{ ...body, target_prefix: 'a/../../b' }, 400, /which no query leaves/],
    [{ ...body, options: { table_naming: 'nope' } }, 400, /Unknown table_naming "nope"/],
    [[body], 422, /A crawler is a JSON object/],
  ] as const) {
    const { status: actual, text } = await ask('POST', ROUTE, wrong)
    t.equal(actual, status, text)
    t.match(text.startsWith('"') ? JSON.parse(text) : text, message)
  }
  for (const [sql, message] of [
    ['CREATE CRAWLER bad', /target_prefix/],
    ["CREATE CRAWLER bad ON 'a' WITH (target_prefix 'b')", /another folder/],
    ["CREATE CRAWLER bad ON 'a' WITH (schedule '5w')", /schedule: "5w" is no time/],
    ["CREATE CRAWLER bad ON 'a' WITH (schedule '')", /schedule/],
    ["CREATE CRAWLER bad ON 'a' WITH (detect_partitions maybe)", /detect_partitions must be true or false/],
    ["CREATE CRAWLER bad ON 'a' WITH (format csv, format csv)", /given twice/],
    ["CREATE CRAWLER bad ON ''' WITH", /quote/],
    ['RUN CRAWLER', /the name of a crawler/],
  ] as const)
    t.match(await state(sql), message, sql)
  t.same(await state('SHOW CRAWLERS'), [])
})

t.test('of one that is not there: 404 to look at it, 400 to run or to drop it', async (t) => {
  await service.define('profiles')
  t.same(await ask('GET', `${ROUTE}/profile`), { status: 404, text: 'Crawler profile not found' })
  t.same(await ask('GET', `${ROUTE}/profile/runs`), { status: 404, text: 'Crawler profile not found' })
  const text = 'There is no crawler "profile", did you mean "profiles"?'
  t.same(await ask('POST', `${ROUTE}/profile/run`), { status: 400, text })
  t.same(await ask('DELETE', `${ROUTE}/profile`), { status: 400, text })
  t.equal(await state('RUN CRAWLER profile'), text)
  t.equal(await state('DROP CRAWLER profile'), text)
})

t.test('others learn nothing', async (t) => {
  for (const [method, path] of [
    ['GET', ROUTE],
    ['POST', ROUTE],
    ['GET', `${ROUTE}/profiles`],
    ['POST', `${ROUTE}/profiles/run`],
    ['GET', `${ROUTE}/profiles/runs`],
    ['DELETE', `${ROUTE}/profiles`],
  ] as const) {
    const answer = await fetch(url + path, { method })
    t.same([answer.status, await answer.text()], [401, ''], `${method} ${path}`)
  }
  for (const sql of ['SHOW CRAWLERS', 'RUN CRAWLER profiles', 'SELECT * FROM service.system.crawler_runs'])
    t.match(await (await post(`${url}/api/query`, { sql })).text(), 'super-user', sql)
  const info = async (headers: Record<string, string>) =>
    (await (await fetch(`${url}/api/info`, { headers })).json()) as Record<string, unknown>
  t.equal((await info(SUPER_USER))['crawler_count'], 1)
  t.notOk('crawler_count' in (await info({})))
  t.equal((await fetch(url + ROUTE, { headers: { authorization: basic('a', 'b') } })).status, 401)
})

t.test('a report may be asked for in any format', async (t) => {
  service.put('obs/a.csv', 'n\n1\n')
  await service.settle()
  t.same(await service.lines('RUN CRAWLER profiles'), [
    'crawler,discovered,created,updated,skipped,failed,skipped_files,vanished,unread,dry_run',
    'profiles,1,"[""obs""]",[],[],[],0,[],[],false',
  ])
})

t.test('they outlive the service', async (t) => {
  const { dataDir } = service
  const before = await ask('GET', ROUTE)
  await service.close()
  const next = await startCrawledService(t, { dataDir, settings: { SERVICE_CRAWLER_ENABLE: 'off' } })
  t.same(await next.ask('GET', ROUTE), before)
  t.match(await next.state('SHOW CREATE TABLE obs'), [{ definition: /Kept by the crawler "profiles"/ }])
  await next.define('another')
  t.equal((await next.ask('DELETE', `${ROUTE}/profiles`)).status, 200, 'timers alone are off')
})
