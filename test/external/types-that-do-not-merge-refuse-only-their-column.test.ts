import t from 'tap'
import { writeNetcdf } from '../../src/sample/write-netcdf.ts'
import { startTables } from './tables.ts'

const { put, ask, command, settle, url } = await startTables(t)

const times = { name: 'time', dimensions: ['time'], attributes: {}, values: Float64Array.of(1, 2) }
const codes = { name: 'qc', dimensions: ['time'], attributes: {}, values: Float64Array.of(3, 4) }
const letters = { name: 'qc', dimensions: ['time'], attributes: {}, values: Buffer.from('ab') }

put('csv/a.csv', 'temp,qc\n1,1\n2,2\n')
put('csv/b.csv', 'temp,qc\n3,true\n')
put('nc/a.nc', writeNetcdf({ time: 2 }, {}, [times, codes]))
put('nc/b.nc', writeNetcdf({ time: 2 }, {}, [times, letters]))
put('part/qc=1/a.csv', 'temp,qc\n1,1\n')
put('part/qc=2/b.csv', 'temp,qc\n2,true\n')
await settle()

const CONFLICT = /Incompatible types for field 'qc': \w+ in '(csv|nc)\/a\.\w+' vs \w+ in '(csv|nc)\/b\.\w+'/

for (const { from, read, column, rows } of [
  { from: { csv: { paths: ['csv/*.csv'] } }, read: "read_csv('csv/*.csv')", column: 'temp', rows: 3 },
  { from: { nc: { paths: ['nc/*.nc'] } }, read: "read_netcdf('nc/*.nc')", column: 'time', rows: 4 },
]) {
  t.test(read, async (t) => {
    await t.test('queries that do not name the column run', async (t) => {
      for (const query of [
        { from, select: [column] },
        { from, select: [{ column, alias: 'qc' }] },
        { from, select: [{ function: 'abs', args: [column], alias: 'a' }] },
        { from, select: [column], sort_by: [{ Asc: column }] },
        `SELECT ${column} FROM ${read}`,
        `SELECT ${column.toUpperCase()} AS qc FROM ${read}`,
        `SELECT x.${column} + 0 FROM ${read} AS x`,
        `SELECT ${column} FROM (SELECT ${column}, 1 AS one FROM ${read})`,
        `SELECT ${column} FROM (SELECT * FROM ${read})`,
        `SELECT a.${column} FROM ${read} a, (SELECT 1 AS one) b`,
        `SELECT ${column} FROM ${read} UNION ALL SELECT ${column} FROM ${read} WHERE false`,
      ]) {
        const answer = await ask(query)
        t.type(answer, Array, `${JSON.stringify(query)}: ${answer}`)
        t.equal(answer.length, rows + 1, JSON.stringify(query))
      }
      t.same(await ask(`SELECT count(*) AS n FROM ${read}`), ['n', `${rows}`])
      t.same(await ask(`SELECT count(${column}) AS n, count(*) + 0 AS m FROM ${read}`), [
        'n,m',
        `${rows},${rows}`,
      ])
    })
    await t.test('those that name it, and all columns, are the 400', async (t) => {
      for (const query of [
        { from, select: [column, 'qc'] },
        { from, select: [column], filters: [{ is_not_null: { column: 'qc' } }] },
        { from, select: [column], sort_by: [{ Desc: 'qc' }] },
        { from, distinct: { on: ['qc'], select: ['qc'] } },
        { from, select: [{ function: 'abs', args: ['qc'], alias: 'a' }] },
        `SELECT qc FROM ${read}`,
        `SELECT "QC" FROM ${read}`,
        `SELECT x.Qc FROM ${read} AS x`,
        `SELECT * FROM ${read}`,
        `SELECT x.* FROM ${read} AS x`,
        `SELECT DISTINCT * FROM ${read}`,
        `SELECT *, 1 AS one FROM ${read}`,
        `SELECT * EXCLUDE (${column}) FROM ${read}`,
        `SELECT COLUMNS('.*') FROM ${read}`,
        `FROM ${read}`,
        `SELECT x FROM ${read} AS x`,
        `SELECT * EXCLUDE (qc) FROM ${read}`,
        `SELECT typeof(qc) FROM ${read}`,
        `SELECT ${column} AS qc FROM ${read} WHERE qc IS NOT NULL`,
        `SELECT ${column} + 0 AS qc FROM ${read} WHERE qc IS NOT NULL`,
        `SELECT count(*) FROM ${read} WHERE qc IS NULL`,
        `SELECT ${column} FROM ${read} ORDER BY qc`,
        `SELECT ${column} FROM (SELECT ${column}, qc FROM ${read})`,
        `SELECT * FROM ${read} a JOIN (SELECT 1 AS one) b ON true`,
        `SELECT qc FROM ${read} a JOIN (SELECT 1 AS qc) b ON true`,
        `SELECT * FROM ${read}_schema`.replace(/\((.*)\)_schema$/, (_, args) => `_schema(${args})`),
      ])
        t.match(await ask(query), CONFLICT, JSON.stringify(query))
    })
  })
}

t.test('schemas are the 400', async (t) => {
  const answer = await fetch(`${url}/api/dataset-schema?file=${encodeURIComponent('nc/*.nc')}`)
  t.match(await answer.text(), CONFLICT)
  t.match(await command("CREATE EXTERNAL TABLE obs STORED AS NC LOCATION 'nc/'"), CONFLICT)
})

t.test('a column of paths replaces it', async (t) => {
  t.same(await ask("SELECT temp, qc FROM read_csv('part/**/*.csv') ORDER BY temp"), ['temp,qc', '1,1', '2,2'])
})

t.test('a file that was added to a table is refused only where its column is named', async (t) => {
  put('later/a.nc', writeNetcdf({ time: 2 }, {}, [times, codes]))
  await settle()
  t.equal(await command("CREATE EXTERNAL TABLE later STORED AS NC LOCATION 'later/'"), '')
  put('later/b.nc', writeNetcdf({ time: 2 }, {}, [times, letters]))
  await settle()
  const MISFIT = /Column "qc" is Utf8 in "later\/b\.nc", which does not fit into Float64/
  const rows = ['time', '1.0', '2.0', '1.0', '2.0']
  t.same(await ask('SELECT time FROM later'), rows)
  t.same(await ask('SELECT time + 0 AS time FROM later'), rows)
  t.same(await ask({ from: 'later', select: ['time'] }), rows)
  t.match(await ask('SELECT * FROM later'), MISFIT)
  t.match(await ask('SELECT qc IS NULL FROM later'), MISFIT)
  t.match(await ask({ from: 'later', select: ['qc'] }), MISFIT)
})

t.test('a mistake in a statement is told, and not the column', async (t) => {
  t.match(await ask("SELECT tem FROM read_csv('csv/*.csv')"), /"tem"/)
  t.match(await ask("SELECT nothing(temp) FROM read_csv('csv/*.csv')"), /nothing/)
})
