import t from 'tap'
import { ADMIN } from '../accounts/asked-accounts.ts'
import { startTwo } from './services.ts'

t.test('the super-user alone sees it in lists', async (t) => {
  const { here, host } = await startTwo(t)
  t.equal(await here.state(`ATTACH 'http://${host}/' AS far`), null)
  const get = async (path: string, headers: Readonly<Record<string, string>> = ADMIN) => {
    const answer = await fetch(`${here.url}${path}`, { headers })
    return { status: answer.status, body: answer.status === 200 ? await answer.json() : await answer.text() }
  }
  const far = {
    name: 'far',
    schemas: [
      {
        name: 'public',
        tables: [
          { name: 'Big View', table_type: 'VIEW' },
          { name: 'default', table_type: 'BASE TABLE' },
          { name: 'obs', table_type: 'BASE TABLE' },
        ],
      },
    ],
  }
  const { body } = await get('/api/catalogs')
  t.same((body as { catalogs: object[] }).catalogs.slice(1), [far])
  t.notMatch(JSON.stringify((await get('/api/catalogs', {})).body), 'far')
  t.match(await here.lines('SHOW TABLES', ADMIN), [
    'table_catalog,table_schema,table_name,table_type',
    'far,public,Big View,VIEW',
  ])
  t.notMatch(JSON.stringify(await here.lines('SHOW TABLES')), 'far')
  t.same(
    await here.lines(
      "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'far' ORDER BY 1",
      ADMIN,
    ),
    ['table_name', 'Big View', 'default', 'obs'],
  )
  t.same(
    await here.lines("SELECT schema_name FROM information_schema.schemata WHERE catalog_name = 'far'", ADMIN),
    ['schema_name', 'public'],
  )
  t.same(await here.lines('SELECT * FROM service.system.attached', ADMIN), [
    'name,kind,address,secret,persistent,state,last_error',
    `far,service,http://${host},,false,answers,`,
  ])
  const parameters = 'table_name=obs&catalog=far&schema=public'
  const schema = await get(`/api/table-schema?${parameters}`)
  t.match(JSON.stringify(schema), /"n".*"word"/)
  t.equal((await get(`/api/table-schema?${parameters}`, {})).status, 404)
  t.equal((await get('/api/table-schema?table_name=no&catalog=far&schema=public')).status, 404)
  t.same((await get(`/api/admin/table-definition?${parameters}`)).body, {
    table_catalog: 'far',
    table_schema: 'public',
    table_name: 'obs',
    definition: null,
  })
  t.same(await here.lines('SHOW CREATE TABLE far.public.obs', ADMIN), [
    'table_catalog,table_schema,table_name,definition',
    'far,public,obs,',
  ])
  t.equal(await here.state('DETACH far'), null)
  t.same(await here.lines('SELECT * FROM service.system.attached', ADMIN), [
    'name,kind,address,secret,persistent,state,last_error',
  ])
})
