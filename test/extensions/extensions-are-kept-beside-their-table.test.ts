import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { startTestService, type TestService } from '../e2e/service.ts'
import { SUPER_USER } from '../http/test-server.ts'

const MCP = {
  enabled: true,
  tool_name: 'obs',
  exposed_columns: ['depth', { name: 'platform', description: 'x' }],
}
const PRESET = {
  presets: [
    { name: 'surface', filters: [{ column: 'depth', op: '<', value: 10 }] },
    {
      name: 'some',
      description: "It's two",
      filters: [
        { column: 'platform', op: 'in', value: ['b', 'c'] },
        { column: 'depth', op: 'between', value: [5, 50] },
      ],
    },
  ],
}

interface Extended extends TestService {
  admin(sql: string): Promise<{ readonly status: number; readonly text: string }>
  send(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly text: string }>
  extensions(table: string): Promise<unknown>
  /** The depths that a JSON query gives, or its error. */
  depths(query: object): Promise<unknown>
}

async function start(t: Test, dataDir?: string): Promise<Extended> {
  const service = await startTestService(t, { workers: 1, ...(dataDir !== undefined && { dataDir }) })
  mkdirSync(join(service.datasets, 'd'), { recursive: true })
  const rows = ['a,1', 'a,20', 'b,5', 'b,70', 'c,30']
  writeFileSync(join(service.datasets, 'd/a.csv'), `platform,depth\n${rows.join('\n')}\n`)
  const headers = { ...SUPER_USER, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }
  return {
    ...service,
    send,
    admin: (sql) => send('POST', '/api/query', { sql }),
    extensions: async (table) => {
      const { status, text } = await send('GET', `/api/table-extensions?table_name=${table}`)
      return status === 200 ? JSON.parse(text) : status
    },
    async depths(query) {
      const body = { select: ['depth'], sort_by: [{ Asc: 'depth' }], output: { format: 'json' }, ...query }
      const { status, text } = await send('POST', '/api/query', body)
      return status === 200 ? JSON.parse(text).rows.flat() : JSON.parse(text)
    },
  }
}

const TABLE = "CREATE EXTERNAL TABLE obs STORED AS CSV LOCATION 'd/'"
const set = (kind: string, value: unknown, table = 'obs') =>
  `SET EXTENSION '${kind}' FOR ${table} TO '${JSON.stringify(value).replaceAll("'", "''")}'`

t.test('they are set, shown, kept over a restart and a REFRESH, and gone with the table', async (t) => {
  const service = await start(t)
  t.equal((await service.admin(TABLE)).status, 200)
  t.same(await service.extensions('obs'), {})
  t.equal((await service.admin(set('mcp', MCP))).status, 200)
  t.equal((await service.admin(set('preset', PRESET))).status, 200)
  const all = { mcp: MCP, preset: PRESET }
  t.same(await service.extensions('obs'), all)
  t.same(await service.extensions('OBS'), all)
  for (const sql of ['SHOW EXTENSIONS FOR obs', 'SHOW EXTENSION FOR public.OBS'])
    t.same(
      (await service.rows({ sql })).toArray().map((row) => JSON.parse(row?.['extensions'])),
      [all],
    )
  t.equal((await service.admin('REFRESH obs')).status, 200)
  t.same(await service.extensions('obs'), all)
  await service.close()
  const again = await start(t, service.dataDir)
  t.same(await again.extensions('obs'), all)
  t.equal((await again.admin("DROP EXTENSION 'mcp' FOR obs")).status, 200)
  t.equal((await again.admin("DROP EXTENSION 'mcp' FOR obs")).status, 200, 'also if it has none')
  t.same(await again.extensions('obs'), { preset: PRESET })
  t.equal((await again.admin('DROP TABLE obs')).status, 200)
  t.equal(await again.extensions('obs'), 404)
  t.equal((await again.admin(TABLE)).status, 200)
  t.same(await again.extensions('obs'), {})
})

t.test('over HTTP they are put in place of all others', async (t) => {
  const { admin, send, extensions } = await start(t)
  const path = '/api/admin/table-extensions/obs'
  t.match(await send('PUT', path, {}), { status: 400, text: 'The table "obs" does not exist.' })
  await admin(TABLE)
  t.same(await send('PUT', path, { mcp: MCP, preset: null }), { status: 200, text: '' })
  t.same(await extensions('obs'), { mcp: MCP })
  t.equal((await send('PUT', path, { preset: PRESET })).status, 200)
  t.same(await extensions('obs'), { preset: PRESET })
  t.same(await send('DELETE', path), { status: 200, text: '' })
  t.same(await extensions('obs'), {})
  t.equal((await send('DELETE', '/api/admin/table-extensions/none')).status, 400)
  t.equal(await extensions('none'), 404)
  t.equal((await send('GET', '/api/table-extensions')).status, 400)
  for (const [body, message] of [
    [[], /^"Extensions are a JSON object/],
    [{ mpc: {} }, /^mpc: unknown member, did you mean "mcp"\?/],
    [{ mcp: [] }, /^mcp: expected an object/],
    [{ mcp: { enable: true } }, /^mcp\.enable: unknown member, did you mean "enabled"/],
    [{ mcp: { enabled: 'yes' } }, /^mcp\.enabled: expected true or false/],
    [{ mcp: { tool_name: 'a b' } }, /^mcp\.tool_name: /],
    [
      { mcp: { exposed_columns: ['dept'] } },
      /^mcp\.exposed_columns\[0\]: there is no column "dept", did you mean/,
    ],
    [
      { mcp: MCP, preset: { presets: [{ name: 'a', filters: [{ column: 'no', op: '=', value: 1 }] }] } },
      /^preset\..*"no"/,
    ],
    [{ mcp: { exposed_columns: [{ description: 'x' }] } }, /^mcp\.exposed_columns\[0\]\.name: /],
    [{ mcp: { guardrails: 1 } }, /^mcp\.guardrails: /],
    [{ mcp: { title: 'x'.repeat(70_000) } }, /^mcp: it has 70012 characters/],
    [{ preset: {} }, /^preset\.presets: expected an array/],
    [{ preset: { presets: [{ name: 'a' }] } }, /^preset\.presets\[0\]\.filters: /],
    [
      {
        preset: {
          presets: [
            { name: 'a', filters: [] },
            { name: 'a', filters: [] },
          ],
        },
      },
      /"a" is there twice/,
    ],
    ...(
      [
        [{ column: 'no', op: '=', value: 1 }, /filters\[0\]\.column: there is no column "no"/],
        [{ column: 'depth', op: '~', value: 1 }, /filters\[0\]\.op: "~" is no operator/],
        [{ column: 'depth', op: 'between', value: [1] }, /filters\[0\]\.value: expected two values/],
        [{ column: 'depth', op: 'in', value: [] }, /filters\[0\]\.value: expected at least one/],
        [{ column: 'depth', op: '=' }, /filters\[0\]\.value: /],
        [{ column: 'depth', op: '<', value: true }, /^preset "a"\[0\]\.lt: /],
      ] as const
    ).map(([filter, text]) => [{ preset: { presets: [{ name: 'a', filters: [filter] }] } }, text] as const),
  ] as const) {
    const answer = await send('PUT', path, body)
    t.ok([400, 422].includes(answer.status), JSON.stringify(body).slice(0, 80))
    t.match(answer.text, message)
  }
  t.same(await extensions('obs'), {}, 'nothing has changed')
})

t.test('a statement that is wrong changes nothing, and says where', async (t) => {
  const { admin, extensions } = await start(t)
  await admin(TABLE)
  for (const [sql, message] of [
    ["SET EXTENSION 'tool' FOR obs TO '{}'", /"tool" is no kind of extension, which are mcp or preset/],
    ["SET EXTENSION 'mcp' FOR none TO '{}'", /The table "none" does not exist/],
    ["SET EXTENSION 'mcp' FOR \"default\" TO '{}'", /is a table of the service itself/],
    ["SET EXTENSION 'mcp' FOR obs TO '{'", /The text behind TO is not valid JSON: line 1/],
    ["SET EXTENSION 'mcp' FOR obs TO '[]'", /mcp: expected an object/],
    ["SET EXTENSION mcp FOR obs TO '{}'", /the kind of an extension in single quotes/],
    ["SET EXTENSION 'mcp' FOR obs", /expected "." or TO/],
    ["DROP EXTENSION 'x' FOR obs", /is no kind of extension/],
    ['SHOW EXTENSIONS obs', /FOR/],
    ['SHOW EXTENSIONS FOR none', /There is no table "none"/],
  ] as const) {
    const answer = await admin(sql)
    t.equal(answer.status, 400, sql)
    t.match(JSON.parse(answer.text), message, sql)
  }
  t.same(await extensions('obs'), {})
})

t.test('a preset adds its filters to a query in JSON', async (t) => {
  const { admin, depths, send } = await start(t)
  await admin(TABLE)
  await admin(`CREATE VIEW v AS SELECT * FROM obs WHERE platform <> 'a'`)
  await admin(set('preset', PRESET))
  await admin(set('preset', PRESET, 'v'))
  t.same(await depths({ from: 'obs' }), [1, 5, 20, 30, 70])
  t.same(await depths({ from: 'obs', preset: 'surface' }), [1, 5])
  t.same(await depths({ from: 'obs', preset: 'some' }), [5, 30])
  t.same(await depths({ from: 'obs', preset: null }), [1, 5, 20, 30, 70])
  const more = { filters: [{ column: 'platform', eq: 'b' }] }
  t.same(await depths({ from: 'obs', preset: 'surface', ...more }), [5])
  t.same(await depths({ from: 'v', preset: 'surface' }), [5])
  t.same(
    await depths({
      from: 'v',
      preset: 'some',
      select: [{ function: 'abs', args: ['depth'], alias: 'depth' }],
    }),
    [5, 30],
    'in DuckDB, too',
  )
  t.match(
    await depths({ from: 'obs', preset: 'surfac' }),
    /^preset: the table has no preset "surfac", did you mean/,
  )
  t.match(await depths({ from: 'none', preset: 'surface' }), /none/)
  t.match(
    await depths({ from: { csv: { paths: ['d/a.csv'] } }, preset: 'surface' }),
    /^preset: files have no presets/,
  )
  t.match(
    await depths({ from: 'service.system.users', preset: 'x', select: ['username'], sort_by: null }),
    /no preset "x"/,
  )
  const explained = await send('POST', '/api/explain-query', {
    select: ['depth'],
    from: 'obs',
    preset: 'surface',
  })
  t.match(explained.text, /depth < Int64\(10\)/)
  const changed = { presets: [{ name: 'surface', filters: [{ column: 'depth', op: '>=', value: 70 }] }] }
  await admin(set('preset', changed))
  t.same(await depths({ from: 'obs', preset: 'surface' }), [70], 'an answer that was kept is not given again')
  await admin("DROP EXTENSION 'preset' FOR obs")
  t.match(await depths({ from: 'obs', preset: 'surface' }), /no preset "surface"; it has none/)
})
