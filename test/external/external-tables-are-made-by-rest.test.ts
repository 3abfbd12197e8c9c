import t from 'tap'
import { basic, SUPER_USER } from '../http/test-server.ts'
import { startTables } from './tables.ts'

const tables = await startTables(t, { settings: { SERVICE_ENABLE_SQL: 'false' } })
const { put, ask, columns, settle, url } = tables

const ROUTE = '/api/admin/external-tables'

function send(body: unknown, headers: Record<string, string> = SUPER_USER): Promise<Response> {
  return fetch(url + ROUTE, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

put('obs/year=2024/a.csv', 'n;s\n1;x\n')
put('other.csv', 'm\n7\n')
await settle()

const OBS = { name: 'obs', location: 'obs/', file_type: 'csv', options: { Delimiter: ';', whatever: 'x' } }

t.test('and answered with nothing', async (t) => {
  const created = await send({ ...OBS, partition_cols: ['year'], unknown_member: 1 })
  t.equal(created.status, 200)
  t.equal(await created.text(), '')
  t.same(await columns('obs'), ['n "Int64"', 's "Utf8"', 'year "Utf8"'])
  t.same(await ask({ from: 'obs', select: ['n', 's', 'year'] }), ['n,s,year', '1,x,2024'])
})

t.test('one of the same name is replaced, unless it is to stay', async (t) => {
  const other = { name: 'obs', location: 'other.csv', file_type: 'CSV' }
  t.equal((await send({ ...other, if_not_exists: true })).status, 200)
  t.same(await columns('obs'), ['n "Int64"', 's "Utf8"', 'year "Utf8"'])
  t.equal((await send(other)).status, 200)
  t.same(await columns('obs'), ['m "Int64"'])
  t.equal((await send({ ...other, name: 'default' })).status, 200)
  t.same(await ask({ select: ['m'] }), ['m', '7'], 'the placeholder too')
})

t.test('a name is taken as it is', async (t) => {
  for (const name of ['a.b', 'With "quotes"', "it's", 'Größe', ' ']) {
    t.equal((await send({ name, location: 'other.csv', file_type: 'CSV' })).status, 200, name)
    t.same(await ask({ from: name, select: ['m'] }), ['m', '7'], name)
  }
})

t.test('an empty folder will do', async (t) => {
  t.equal((await send({ name: 'none', location: 'nothing/', file_type: 'PARQUET' })).status, 200)
  t.same(await columns('none'), [])
})

t.test('what cannot be a table is refused', async (t) => {
  for (const [body, status, message] of [
    [{ ...OBS, file_type: 'XLSX' }, 400, /^STORED AS XLSX: no such file format was found/],
    [{ ...OBS, file_type: "c's-v!" }, 200, /^$/],
    [{ ...OBS, location: '../outside' }, 400, /which no query leaves/],
    [{ ...OBS, name: 'pg_tables' }, 400, /The name "pg_tables" is not available/],
    [{ ...OBS, name: '__x' }, 400, /The name "__x" is not available/],
    [{ ...OBS, partition_cols: ['a', 'A'] }, 400, /partition_cols: "a" is given twice/],
    [{ ...OBS, options: { delimiter: ';', DELIMITER: ',' } }, 400, /options: "delimiter" is given twice/],
    [{ ...OBS, options: { delimiter: 'abc' } }, 400, /OPTIONS: CSV delimiter must be a single character/],
    [{ location: 'obs/', file_type: 'CSV' }, 422, /^".*name.* is missing/],
    [{ ...OBS, location: undefined }, 422, /location.* is missing/],
    [{ ...OBS, file_type: 7 }, 422, /file_type.* must be a string/],
    [{ ...OBS, partition_cols: 'year' }, 422, /partition_cols.* must be an array of strings/],
    [{ ...OBS, partition_cols: [1] }, 422, /partition_cols\[0\].* must be a string/],
    [{ ...OBS, options: ['a'] }, 422, /options.* must be an object of strings/],
    [{ ...OBS, options: { skip: 1 } }, 422, /options\.skip.* must be a string/],
    [{ ...OBS, if_not_exists: 'yes' }, 422, /if_not_exists.* must be true or false/],
    [[], 422, /A table is a JSON object/],
    ['{"name": ', 400, /line 1/],
  ] as const) {
    const answer = await send(body)
    const text = await answer.text()
    t.equal(answer.status, status, text)
    t.match(text, message)
  }
  const plain = await send({ ...OBS, file_type: 'XLSX' })
  t.match(plain.headers.get('content-type'), /^text\/plain/)
})

t.test('by the super-user alone', async (t) => {
  t.equal((await send(OBS, {})).status, 401)
  t.equal((await send(OBS, { authorization: basic('somebody', 'else') })).status, 401)
  const alias = await fetch(`${url}/admin/api/admin/external-tables`, { method: 'POST' })
  t.not(alias.status, 200)
})
