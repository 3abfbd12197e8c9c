import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { tableFromArrays, tableToIPC } from 'apache-arrow'
import t from 'tap'
import { numberedRows, writeParquetFile } from '../e2e/parquet-file.ts'
import { startTables, waysToAsk } from './tables.ts'

const tables = await startTables(t)
const { put, at, command, ask, columns, settle } = tables

put('obs/a.csv', 'n,s\n1,x\n')
put('obs/deep/b.CSV', 'n,s\n2,y\n')
put('obs/readme.txt', 'no, table\n')
put('obs/.hidden.csv', 'n,s\n9,z\n')
put('plain.txt', 'n,s\n3,w\n')
await settle()

t.test('a folder: all below it with an extension of the format', async (t) => {
  for (const [index, location] of ['obs/', 'obs', './obs/'].entries()) {
    t.equal(await command(`CREATE EXTERNAL TABLE folder${index} STORED AS CSV LOCATION '${location}'`), '')
    for (const [way, query] of Object.entries(waysToAsk(`folder${index}`, ['n', 's'])))
      t.same(await ask(query), ['n,s', '1,x', '2,y'], way)
  }
})

t.test('a file, whatever its extension', async (t) => {
  t.equal(await command("CREATE EXTERNAL TABLE file STORED AS csv LOCATION 'plain.txt'"), '')
  for (const [way, query] of Object.entries(waysToAsk('file', ['n', 's'])))
    t.same(await ask(query), ['n,s', '3,w'], way)
})

t.test('a glob, whatever the extensions', async (t) => {
  t.equal(await command("CREATE EXTERNAL TABLE pattern STORED AS CSV LOCATION '*/*.csv'"), '')
  t.same(await ask({ from: 'pattern', select: ['n'] }), ['n', '1'])
})

t.test('of every format that is read', async (t) => {
  mkdirSync(at('p'))
  writeParquetFile(at('p/a.parquet'), numberedRows(3), 10)
  writeParquetFile(at('p/b.geoparquet'), numberedRows(2, 3), 10)
  put('i/a.arrow', tableToIPC(tableFromArrays({ n: Int32Array.of(1, 2) }), 'file'))
  put('i/b.ipc', tableToIPC(tableFromArrays({ n: Int32Array.of(3) }), 'stream'))
  mkdirSync(at('h'))
  copyFileSync('test/fixtures/hdf5/attributes-v200.h5', at('h/a.h5'))
  mkdirSync(at('c'))
  copyFileSync('src/sample/sst.nc', at('c/sst.nc'))
  await settle()
  for (const [format, location, read] of [
    ['PARQUET', 'p/', 'read_parquet'],
    ['GeoParquet', 'p/', 'read_parquet'],
    ['ARROW', 'i/', 'read_arrow'],
    ['NC', 'c/', 'read_netcdf'],
    ['netcdf', 'c/', 'read_netcdf'],
    ['HDF5', 'h/', 'read_hdf5'],
    ['H5', 'h/', 'read_hdf5'],
  ] as const) {
    t.equal(
      await command(`CREATE OR REPLACE EXTERNAL TABLE every STORED AS ${format} LOCATION '${location}'`),
      '',
    )
    const list = (await columns('every')).map((column) => column.slice(0, column.indexOf(' ')))
    t.ok(list.length > 0, format)
    const pattern = location.replace(/\/$/, '/*')
    const shown = list.map((name) => `"${name}"`).join(', ')
    const expected = await ask(`SELECT ${shown} FROM ${read}('${pattern}')`)
    t.type(expected, Array, format)
    for (const [way, query] of Object.entries(waysToAsk('every', list)))
      if (way !== 'DuckDB' || format === 'PARQUET' || format === 'ARROW')
        t.same(await ask(query), expected, `${format}: ${way}`)
    const [first = ''] = list
    t.same(
      await ask(`SELECT count("${first}"), max("${first}" || '') FROM every`),
      await ask(`SELECT count("${first}"), max("${first}" || '') FROM ${read}('${pattern}')`),
      `${format}: in DuckDB`,
    )
  }
})

t.test('new files count at once, and new columns after REFRESH', async (t) => {
  put('growing/a.csv', 'n\n1\n')
  await settle()
  t.equal(await command("CREATE EXTERNAL TABLE growing STORED AS CSV LOCATION 'growing/'"), '')
  t.same(await ask({ from: 'growing', select: ['n'] }), ['n', '1'])
  put('growing/b.csv', 'n,extra\n2,new\n')
  for (const [way, query] of Object.entries(waysToAsk('growing', ['n'])))
    t.same(await ask(query), ['n', '1', '2'], way)
  t.match(await ask({ from: 'growing', select: ['extra'] }), /there is no column "extra" in growing/)
  t.same(await ask('SELECT * FROM growing'), ['n', '1', '2'])
  t.equal(await command('REFRESH TABLE growing'), '')
  t.same(await ask('SELECT * FROM growing'), ['n,extra', '1,', '2,new'])
  rmSync(at('growing/a.csv'))
  t.same(await ask('SELECT * FROM growing'), ['n,extra', '2,new'])
})

t.test('without files there are no rows', async (t) => {
  rmSync(at('growing'), { recursive: true })
  for (const [way, query] of Object.entries(waysToAsk('growing', ['n', 'extra'])))
    t.same(await ask(query), ['n,extra'], way)
  t.same(await ask('SELECT count(*) FROM growing'), ['count_star()', '0'])
  t.equal(await command('REFRESH growing'), '', 'the columns stay')
  t.same(await ask('SELECT * FROM growing'), ['n,extra'])
  put('growing/c.csv', 'n,extra\n7,again\n')
  t.same(await ask('SELECT * FROM growing'), ['n,extra', '7,again'])
})

t.test('a location may be empty at first', async (t) => {
  t.equal(
    await command("CREATE EXTERNAL TABLE later STORED AS CSV PARTITIONED BY (year INT) LOCATION 'later/'"),
    '',
  )
  t.same(await columns('later'), [])
  t.same(await ask({ from: 'later', select: ['year'] }), ['year'])
  t.same(await ask('SELECT count(*) FROM later'), ['count_star()', '0'])
  put('later/year=2024/a.csv', 'n\n1\n')
  await settle()
  for (const [way, query] of Object.entries(waysToAsk('later', ['n', 'year'])))
    t.same(await ask(query), ['n,year', '1,2024'], way)
  put('later/year=2025/b.csv', 'n,new\n1.5,x\n')
  await settle()
  t.same(
    await ask('SELECT * FROM later'),
    ['n,new,year', '1.0,,2024', '1.5,x,2025'],
    'columns are found by each query',
  )
  t.same(await ask('SELECT * FROM later WHERE year = 2024'), ['n,year', '1,2024'])
  t.same(await columns('later'), [])
  t.equal(await command('REFRESH later'), '')
  t.same(await columns('later'), ['n "Float64"', 'new "Utf8"', 'year "Int32"'])
  put('later/year=2025/c.csv', 'other\n1\n')
  t.same(await ask('SELECT * FROM later WHERE year = 2024'), ['n,new,year', '1.0,,2024'])
})

t.test('without any column it has no rows either', async (t) => {
  t.equal(await command("CREATE EXTERNAL TABLE bare STORED AS CSV LOCATION 'bare/'"), '')
  t.same(await ask('SELECT count(*) FROM bare'), ['count_star()', '0'])
  t.same(await ask('SELECT * FROM bare'), [''])
  t.same(await ask({ from: 'bare', select: [{ value: 1, alias: 'one' }] }), ['one'])
  t.match(await ask('SELECT n + 1 FROM bare'), /The table "bare" has no columns: no file is in its location/)
  t.match(await ask('SELECT * FROM "default"'), /The table "default" has no columns/)
})

t.test('a location outside of the root is refused', async (t) => {
  for (const location of ['../x', '/etc', 'file:///etc/passwd', 'datasets://obs', ''])
    t.not(await command(`CREATE EXTERNAL TABLE outside STORED AS CSV LOCATION '${location}'`), '', location)
  t.match(await ask('FROM outside'), /There is no table "outside"/)
})
