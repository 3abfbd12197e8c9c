import t from 'tap'
import { startTables } from './tables.ts'

const tables = await startTables(t)
const { put, command, ask, columns, settle } = tables

put('a.csv', 'a\n1\n')
put('b.csv', 'b\n2\n')
await settle()

const of = (file: string): string => `STORED AS CSV LOCATION '${file}'`

t.test('it fails, replaces, or keeps', async (t) => {
  t.equal(await command(`CREATE EXTERNAL TABLE Obs ${of('a.csv')}`), '')
  t.match(
    await command(`CREATE EXTERNAL TABLE oBS ${of('b.csv')}`),
    /There is a table "Obs" already; write OR REPLACE to put another in its place, or IF NOT EXISTS to keep it/,
  )
  t.equal(await command(`CREATE EXTERNAL TABLE IF NOT EXISTS obs ${of('b.csv')}`), '')
  t.same(await columns('obs'), ['a "Int64"'])
  t.equal(await command(`CREATE OR REPLACE EXTERNAL TABLE service.public.obs ${of('b.csv')}`), '')
  t.same(await ask('FROM OBS'), ['b', '2'])
  t.match(await command(`CREATE OR REPLACE EXTERNAL TABLE obs ${of('../x')}`), /no query leaves/)
  t.same(await ask('FROM obs'), ['b', '2'], 'what fails replaces nothing')
})

t.test('the placeholder may be replaced by a plain CREATE', async (t) => {
  t.equal(await command(`CREATE EXTERNAL TABLE "default" ${of('a.csv')}`), '')
  t.same(await ask({ select: ['a'] }), ['a', '1'])
  t.match(
    await command(`CREATE EXTERNAL TABLE "default" ${of('b.csv')}`),
    /There is a table "default" already/,
  )
})

t.test('a name must be available', async (t) => {
  for (const name of ['__x', 'pg_x', 'DuckDB_x', 'sqlite_x', 'pragma_x'])
    t.match(
      await command(`CREATE EXTERNAL TABLE ${name} ${of('a.csv')}`),
      /is not available: names that begin with/,
      name,
    )
  t.match(
    await command(`CREATE EXTERNAL TABLE other.x ${of('a.csv')}`),
    /tables and views are in service\.public alone/,
  )
  t.match(await command(`CREATE EXTERNAL TABLE other.public.x ${of('a.csv')}`), /service\.public alone/)
  t.match(await command('REFRESH nothing'), /The table "nothing" does not exist/)
  t.match(await command('REFRESH "system".query_metrics'), /service\.public alone/)
})

t.test('of two at the same time one is there', async (t) => {
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      command(`CREATE EXTERNAL TABLE race ${of(index % 2 === 0 ? 'a.csv' : 'b.csv')}`),
    ),
  )
  t.equal(outcomes.filter((message) => message === '').length, 1)
  t.ok(outcomes.every((message) => message === '' || /already/.test(message)))
})
