import { mkdirSync } from 'node:fs'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { startTables, waysToAsk } from './tables.ts'

const tables = await startTables(t)
const { put, at, command, ask, columns, settle } = tables

mkdirSync(at('p'))
writeParquetFile(at('p/a.parquet'), numberedRows(3), 10)
put('c/a.csv', 'n,f,code,day,mixed\n1,1.5,007,2024-01-01,1\n2,2.5,008,2024-01-02,x\n')
await settle()

const create = (name: string, list: string, format: string, location: string): Promise<string> =>
  command(`CREATE OR REPLACE EXTERNAL TABLE ${name} (${list}) STORED AS ${format} LOCATION '${location}'`)

t.test('and no others', async (t) => {
  t.equal(await create('chosen', 'noise DOUBLE NOT NULL, id BIGINT', 'PARQUET', 'p/'), '')
  t.same(await columns('chosen'), ['noise "Float64"', 'id "Int64"'], 'wider than those of the file')
  for (const [way, query] of Object.entries(waysToAsk('chosen', ['id'])))
    t.same(await ask(query), ['id', '0', '1', '2'], way)
  t.match(await ask('SELECT name FROM chosen'), /name/)
  t.same((await ask('SELECT * FROM chosen'))[0], 'noise,id')
  t.equal(await create('more', 'id INT, missing DATE', 'PARQUET', 'p/'), '')
  for (const [way, query] of Object.entries(waysToAsk('more', ['id', 'missing'])))
    t.same(await ask(query), ['id,missing', '0,', '1,', '2,'], `null where no file has them: ${way}`)
})

t.test('a type that the file does not widen to is refused', async (t) => {
  t.match(
    await create('narrow', 'id SMALLINT', 'PARQUET', 'p/'),
    /Column "id" is Int32 in "p\/a\.parquet", which does not fit into Int16, its type in the table narrow/,
  )
  t.match(
    await create('narrow', 'name INT', 'PARQUET', 'p/'),
    /Column "name" is Utf8 in "p\/a\.parquet", which does not fit into Int32/,
  )
  t.match(await ask('FROM narrow'), /There is no table "narrow"/)
  t.match(await create('narrow', 'id FOO', 'PARQUET', 'p/'), /The column "id" cannot be FOO/)
  t.match(await create('narrow', 'id INT[]', 'PARQUET', 'p/'), /The column "id" cannot be INT\[\]/)
})

t.test('of CSV any type that parses', async (t) => {
  t.equal(
    await create('texts', 'n SMALLINT, f FLOAT, code INT, day TIMESTAMP, mixed VARCHAR', 'CSV', 'c/'),
    '',
  )
  t.same(await columns('texts'), [
    'n "Int16"',
    'f "Float32"',
    'code "Int32"',
    'day {"Timestamp":["Microsecond",null]}',
    'mixed "Utf8"',
  ])
  for (const [way, query] of Object.entries(waysToAsk('texts', ['n', 'f', 'code', 'mixed'])))
    t.same(await ask(query), ['n,f,code,mixed', '1,1.5,7,1', '2,2.5,8,x'], way)
  for (const [list, message] of [
    ['mixed INT', /Column "mixed" is Utf8 in "c\/a\.csv", which does not fit into Int32/],
    ['f BIGINT', /Column "f" is Float64 in "c\/a\.csv", which does not fit into Int64/],
    ['n DATE', /Column "n" is Int64 in "c\/a\.csv", which does not fit into Date32/],
    ['n DECIMAL(10, 2)', /The column "n" is Decimal128\(10, 2\), as which text is not read/],
  ] as const)
    t.match(await create('narrow', list, 'CSV', 'c/'), message, list)
  put('c/b.csv', 'n\nx\n')
  await settle()
  t.match(
    await ask('SELECT n FROM texts'),
    /"c\/b\.csv".*line 2.*"x" is no Int16, its type in the table.*REFRESH/s,
  )
  t.match(await command('REFRESH texts'), /Column "n" is Utf8 in "c\/b\.csv", which does not fit into Int16/)
})

t.test('over a location without files too', async (t) => {
  t.equal(await create('nothing', 'n INT, s VARCHAR', 'CSV', 'nothing/'), '')
  for (const [way, query] of Object.entries(waysToAsk('nothing', ['n', 's'])))
    t.same(await ask(query), ['n,s'], way)
  put('nothing/a.csv', 's,n\nx,1\n')
  t.same(await ask('FROM nothing'), ['n,s', '1,x'])
})

t.test('a new file that does not widen into the stored columns is named, and REFRESH', async (t) => {
  mkdirSync(at('q'))
  writeParquetFile(at('q/a.parquet'), numberedRows(3), 10)
  await settle()
  t.equal(await command("CREATE EXTERNAL TABLE stored STORED AS PARQUET LOCATION 'q/'"), '')
  const { tableFromArrays } = await import('apache-arrow')
  writeParquetFile(at('q/b.parquet'), tableFromArrays({ id: Float64Array.of(1.5) }), 10)
  await settle()
  for (const query of ['SELECT id FROM stored', 'SELECT id + 1 FROM stored'])
    t.match(
      await ask(query),
      /Column "id" is Float64 in "q\/b\.parquet", which does not fit into Int32, its type in the table stored.*REFRESH/,
    )
  t.equal(await command('REFRESH stored'), '')
  t.same(await ask('SELECT id FROM stored'), ['id', '0.0', '1.0', '2.0', '1.5'])
})
