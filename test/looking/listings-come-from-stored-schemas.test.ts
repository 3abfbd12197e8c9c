import t from 'tap'
import { createCatalog } from '../../src/main/catalog/create-catalog.ts'
import { createNamesIn } from '../../src/main/sql/gate/names-in.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { field } from '../../src/plan/types/schema.ts'
import { put } from '../catalog/definitions.ts'
import { SUPER_USER, startTestServer } from '../http/test-server.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'

const COLUMNS = {
  fields: [field('id', { kind: 'int', bits: 64, signed: true }, false), field('a "b".c\n', { kind: 'utf8' })],
  metadata: {},
}
const SIGNAL = new AbortController().signal

/** A server whose catalog has these tables, of files that do not exist. */
async function serverWith(names: readonly string[], columns = COLUMNS) {
  const catalog = createCatalog({
    name: 'ocean',
    defaultTable: 'b',
    formats: FORMATS,
    namesIn: createNamesIn(KNOWN_NAMES),
  })
  await catalog.change(
    names.map((name) => put(name, `gone/${name.length}.csv`, 'CSV', columns)),
    SIGNAL,
  )
  const { url } = await startTestServer(t, { catalog, env: { SERVICE_NAME: 'ocean' } })
  const get = (path: string, headers = {}) => fetch(url + path, { headers })
  return {
    get,
    json: async <T = object>(path: string, headers = {}) => (await get(path, headers)).json() as Promise<T>,
  }
}

t.test('the files may be gone, and the names odd', async (t) => {
  const odd = 'a.b "c"\n'
  const { get, json } = await serverWith(['b', odd, 'Z'])
  const columns = [
    {
      name: 'id',
      data_type: 'Int64',
      nullable: false,
      dict_id: 0,
      dict_is_ordered: false,
      metadata: {},
    },
    {
      name: 'a "b".c\n',
      data_type: 'Utf8',
      nullable: true,
      dict_id: 0,
      dict_is_ordered: false,
      metadata: {},
    },
  ]
  t.strictSame(await json('/api/tables'), ['Z', odd, 'b', 'default'])
  t.strictSame(await json('/api/tables-with-schema'), [
    { table_name: 'Z', columns },
    { table_name: odd, columns },
    { table_name: 'b', columns },
    { table_name: 'default', columns: [] },
  ])
  t.strictSame(await json('/api/default-table'), 'b')
  t.strictSame(await json('/api/default-table-schema'), { fields: columns, metadata: {} })
  t.strictSame(await json('/api/query/available-columns'), ['id', 'a "b".c\n'])
  const named = `/api/table-schema?${new URLSearchParams({ table_name: odd, schema: 'public', catalog: 'ocean' })}`
  t.strictSame(await json(named), { fields: columns, metadata: {} })
  t.equal((await get('/api/table-schema?table_name=ocean.public.b')).status, 404, 'a dot is part of the name')
})

t.test('those of the service itself are for the super-user', async (t) => {
  const { get, json } = await serverWith([])
  type Catalogs = { catalogs: { name: string; schemas: { name: string }[] }[] }
  const schemas = async (headers = {}) =>
    (await json<Catalogs>('/api/catalogs', headers)).catalogs.map(({ name, schemas }) => [
      name,
      schemas.map((each) => each.name),
    ])
  t.strictSame(await schemas(), [['ocean', ['public']]])
  t.strictSame(await schemas(SUPER_USER), [['ocean', ['information_schema', 'public', 'system']]])
  const metrics = '/api/table-schema?table_name=query_metrics&schema=system&catalog=ocean'
  t.equal((await get(metrics)).status, 404)
  t.equal((await get('/api/table-schema?table_name=query_metrics', SUPER_USER)).status, 404)
  const { fields } = await json<{ fields: { name: string }[] }>(metrics, SUPER_USER)
  t.match(
    fields.map(({ name }) => name),
    ['query_id', 'username', 'finished_at'],
  )
})

t.test('all of many tables are listed', async (t) => {
  const names = Array.from({ length: 1000 }, (_, index) => `table_${index}`)
  const { json } = await serverWith(names)
  t.strictSame(await json('/api/tables'), ['default', ...names].toSorted())
  const listed = await json<{ table_name: string; columns: unknown[] }[]>('/api/tables-with-schema')
  t.strictSame(
    listed.map(({ table_name }) => table_name),
    ['default', ...names].toSorted(),
  )
  t.equal(
    listed.reduce((sum, { columns }) => sum + columns.length, 0),
    2000,
  )
})

t.test('the statement of a table is for the super-user', async (t) => {
  const { get, json } = await serverWith(['b'])
  const path = '/api/admin/table-definition?table_name=b'
  t.equal((await get(path)).status, 401)
  t.strictSame(await json(path, SUPER_USER), {
    table_catalog: 'ocean',
    table_schema: 'public',
    table_name: 'b',
    definition: "CREATE EXTERNAL TABLE b STORED AS CSV LOCATION 'gone/1.csv'",
  })
  t.match(await json('/api/admin/table-definition?table_name=default', SUPER_USER), { definition: null })
  t.match(await json('/api/admin/table-definition?table_name=tables&schema=information_schema', SUPER_USER), {
    definition: null,
  })
  const missing = await get('/api/admin/table-definition?table_name=nope', SUPER_USER)
  t.equal(missing.status, 404)
  t.equal(await missing.text(), 'Table ocean.public.nope not found')
  t.equal((await get('/api/admin/table-definition', SUPER_USER)).status, 400)
  for (const query of ['', '?table_name=nope'])
    t.strictSame(Object.keys(await json(`/api/admin/table-config${query}`, SUPER_USER)), ['message'])
})
