import { copyFileSync, mkdirSync } from 'node:fs'
import t from 'tap'
import { startTables } from './tables.ts'

const tables = await startTables(t)
const { put, at, command, ask, columns, settle } = tables

const create = (format: string, location: string, options: string): Promise<string> =>
  command(
    `CREATE OR REPLACE EXTERNAL TABLE x STORED AS ${format} LOCATION '${location}' OPTIONS (${options})`,
  )

t.test('of CSV', async (t) => {
  put('a.csv', '# comment\nn;s\n1,5;NA\n2,5;x\n')
  put('tabs.csv', 'n\ts\n1\tx\n')
  await settle()
  t.equal(
    await create(
      'CSV',
      'a.csv',
      "'DELIMITER' ';', decimal ',', comment '#', na 'NA,-', infer_records '1000'",
    ),
    '',
  )
  t.same(await ask('FROM x'), ['n,s', '1.5,', '2.5,x'])
  t.equal(await create('CSV', 'tabs.csv', "delimiter '\\t', header no"), '')
  t.same(await ask('FROM x'), ['column0,column1', 'n,s', '1,x'])
  t.equal(await create('CSV', 'tabs.csv', "delimiter '\\t', header 'a, b', skip 1"), '')
  t.same(await ask('FROM x'), ['a,b', '1,x'])
  for (const [options, message] of [
    ["delimiter 'ab'", /OPTIONS: CSV delimiter must be a single character/],
    ["infer_records 'many'", /OPTIONS: infer_records must be a whole number of records/],
    ["units 'perhaps'", /OPTIONS: units must be true or false, 1 or 0, yes or no, on or off/],
    ["skip '-1'", /OPTIONS: skip must be a whole number/],
    ["delimiter ';', quote ';'", /OPTIONS: .*must not be the quote/],
  ] as const)
    t.match(await create('CSV', 'a.csv', options), message)
})

t.test('of arrays', async (t) => {
  mkdirSync(at('c'))
  copyFileSync('src/sample/sst.nc', at('c/sst.nc'))
  await settle()
  t.equal(
    await create('NC', 'c/', "'read_dimensions' 'lat', use_rust_reader 'on', enable_statistics 'false'"),
    '',
  )
  const names = (await columns('x')).map((column) => column.split(' ')[0])
  t.same(await ask("SELECT column_name FROM read_netcdf_schema('c/sst.nc', dimensions = ['lat'])"), [
    'column_name',
    ...names,
  ])
  t.match(
    await create('NC', 'c/', "use_rust_reader 'perhaps'"),
    /OPTIONS: use_rust_reader must be true or false/,
  )
  t.match(await create('HDF5', 'h/', "convention 'other'"), /OPTIONS: convention must be/)
  t.equal(await create('H5', 'h/', "convention 'none', unify_phony_dimensions yes"), '')
})

t.test('others are kept without effect, and secrets are not kept', async (t) => {
  put('b.csv', 'n\n1\n')
  await settle()
  t.equal(
    await create('CSV', 'b.csv', "nobody 'knows', password 'hunter2', aws_secret_access_key 'hunter3'"),
    '',
  )
  t.same(await ask('FROM x'), ['n', '1'])
  const shown = await command('SHOW CREATE TABLE x')
  t.notMatch(shown, /hunter/)
})
