import t from 'tap'
import { SUPER_USER, startTestServer } from './test-server.ts'

const EMPTY = { fields: [], metadata: {} }

t.test('empty, in the schema public of the one catalog, for everybody', async (t) => {
  const { url } = await startTestServer(t)
  for (const headers of [{}, SUPER_USER]) {
    const get = async (path: string) => (await fetch(url + path, { headers })).json()
    t.same(await get('/api/tables'), ['default'])
    t.same(await get('/api/tables-with-schema'), [{ table_name: 'default', columns: [] }])
    t.same(await get('/api/default-table'), 'default')
    t.same(await get('/api/default-table-schema'), EMPTY)
    t.same(await get('/api/query/available-columns'), [])
    t.same(await get('/api/table-functions'), [])
    if (headers === SUPER_USER) continue
    t.same(await get('/api/catalogs'), {
      default_catalog: 'service',
      default_schema: 'public',
      catalogs: [
        {
          name: 'service',
          schemas: [{ name: 'public', tables: [{ name: 'default', table_type: 'BASE TABLE' }] }],
        },
      ],
    })
  }
})

t.test('its schema is found by name, and with the schema and the catalog', async (t) => {
  const { url } = await startTestServer(t, { env: { SERVICE_NAME: 'ocean' } })
  const found = [
    'table_name=default',
    'table_name=default&schema=public',
    'table_name=default&schema=public&catalog=ocean',
  ]
  for (const query of [...found, 'table_name=default&catalog=ignored'])
    t.same(await (await fetch(`${url}/api/table-schema?${query}`)).json(), EMPTY, query)
  const missing = {
    'table_name=nope': 'Table ocean.public.nope not found',
    'table_name=default&schema=system': 'Table ocean.system.default not found',
    'table_name=default&schema=public&catalog=nope': 'Table nope.public.default not found',
    'table_name=public.default': 'Table ocean.public.public.default not found',
  }
  for (const [query, message] of Object.entries(missing)) {
    const answer = await fetch(`${url}/api/table-schema?${query}`)
    t.equal(answer.status, 404, query)
    t.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    t.equal(await answer.text(), message)
  }
  t.equal((await fetch(`${url}/api/table-schema`)).status, 400)
})

t.test('only under that name, whatever the default table is called', async (t) => {
  const { url } = await startTestServer(t, { env: { SERVICE_DEFAULT_TABLE: 'argo' } })
  const get = async (path: string) => (await fetch(url + path)).json()
  t.same(await get('/api/default-table'), 'argo')
  t.same(await get('/api/tables'), ['default'])
  t.same(await get('/api/default-table-schema'), EMPTY)
  t.same(await get('/api/query/available-columns'), [])
})
