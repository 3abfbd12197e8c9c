import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { expectedTable, expectedValues, sampleFile, sampleNames } from '../../bbf/samples.ts'
import { columnValues } from '../../formats/values.ts'
import { answersOf } from '../answers.ts'
import { startTestService, type TestService } from '../service.ts'

const BAD = [
  'size_differs',
  'size1_last',
  'repeated_name',
  'empty_dim_name',
  'binary',
  'corrupt_tail',
] as const

function copySamples({ datasets }: TestService): void {
  for (const name of [...sampleNames(), ...BAD.map((each) => `bad_${each}`)])
    copyFileSync(sampleFile(name), join(datasets, `${name}.bbf`))
}

/** The rows of a table, column by column. */
async function columnsOf({ rows }: TestService, body: object) {
  return columnValues(await rows(body))
}

t.test('tables of the reference reader', async (t) => {
  const service = await startTestService(t)
  copySamples(service)
  // It has no columns.
  t.match(await answersOf(service).failure({ sql: "SELECT * FROM read_bbf('empty.bbf')" }), /has no columns/)
  for (const name of sampleNames().filter((each) => each !== 'empty')) {
    const values = expectedValues(name)
    const from = { bbf: { paths: [`${name}.bbf`] } }
    const select = expectedTable(name).columns.map((column) => column.name)
    t.strictSame(await columnsOf(service, { select, from }), values, `${name} in JSON`)
    const sql = `SELECT * FROM read_bbf('${name}.bbf')`
    t.strictSame(await columnsOf(service, { sql }), values, `${name} in SQL`)
    const { scalarOf } = answersOf(service)
    const rows = expectedTable(name).rows.length
    t.equal(await scalarOf(`SELECT count(*) FROM read_bbf('${name}.bbf')`), rows, `count(*) of ${name}`)
    // Window functions are DuckDB's.
    const numbered = `SELECT max(n) FROM (SELECT row_number() OVER () AS n FROM read_bbf('${name}.bbf'))`
    t.equal(await scalarOf(numbered), rows === 0 ? null : rows, `rows of ${name} in DuckDB`)
  }
})

t.test('rows are those of the grid of the named columns', async (t) => {
  const service = await startTestService(t)
  copySamples(service)
  const { rowsOf, scalarOf } = answersOf(service)
  const of = (name: string) => `read_bbf('${name}.bbf')`
  const whole = expectedTable('profiles').rows.length
  const keys = await rowsOf({ sql: `SELECT __entry_key FROM ${of('profiles')}` })
  t.ok(keys.length < whole, 'scalars alone have one row in each entry')
  t.equal(new Set(keys.map((row) => row['__entry_key'])).size, keys.length)
  t.equal(await scalarOf(`SELECT count(__entry_key) FROM ${of('profiles')}`), keys.length)
  const inJson = await rowsOf({ select: ['__entry_key'], from: { bbf: { paths: ['profiles.bbf'] } } })
  t.strictSame(inJson, keys)
  t.equal(await scalarOf(`SELECT count(*) FROM ${of('rle')} WHERE st IS NULL`), 1)
})

t.test('what is wrong with a file, or with columns that are named together, is a 400', async (t) => {
  const service = await startTestService(t)
  copySamples(service)
  const { failure, rowsOf } = answersOf(service)
  const sql = (columns: string, name: string) => ({
    sql: `SELECT ${columns} FROM read_bbf('bad_${name}.bbf')`,
  })
  t.match(
    await failure(sql('a, bb', 'size_differs')),
    /cannot broadcast \(x=3\) to \(x=2\): dimension 'x' has size 3/,
  )
  t.match(await failure(sql('a, bb', 'size1_last')), /cannot broadcast .*dimension 'x'/)
  t.match(await failure(sql('count(*)', 'size_differs')), /cannot broadcast/)
  t.ok((await rowsOf(sql('a', 'size_differs'))).length > 0)
  t.ok((await rowsOf(sql('bb', 'size_differs'))).length > 0)
  t.match(await failure(sql('*', 'repeated_name')), /duplicate nd dimension name 'x'/)
  t.match(await failure(sql('*', 'empty_dim_name')), /nd dimension at axis 0 has an empty name/)
  t.ok((await rowsOf(sql('__entry_key', 'repeated_name'))).length > 0)
  t.match(
    await failure(sql('bin', 'binary')),
    /"bin" in "bad_binary.bbf" holds what no column has: binary values/,
  )
  t.match(await failure({ select: ['bin'], from: { bbf: { paths: ['bad_binary.bbf'] } } }), /binary values/)
  t.strictSame(await rowsOf(sql('v', 'binary')), [{ v: 1 }, { v: 2 }])
  t.match(await failure(sql('*', 'corrupt_tail')), /"bad_corrupt_tail.bbf" cannot be read as BBF/)
  writeFileSync(join(service.datasets, 'cut.bbf'), 'BBF1')
  t.match(await failure({ sql: "SELECT * FROM read_bbf('cut.bbf')" }), /too few for any BBF file/)
})

t.test('several files are one table', async (t) => {
  const service = await startTestService(t)
  copySamples(service)
  const { scalarOf, rowsOf } = answersOf(service)
  const names = ['empty', 'groups', 'profiles', 'tiny']
  const rows = names.reduce((sum, name) => sum + expectedTable(name).rows.length, 0)
  const paths = names.map((name) => `'${name}.bbf'`).join()
  t.equal(await scalarOf(`SELECT count(*) FROM read_bbf([${paths}])`), rows)
  const entries = await rowsOf({ sql: `SELECT __entry_key AS k FROM read_bbf([${paths}]) ORDER BY k` })
  const keys = names.flatMap((name) => expectedTable(name).rows.map(([key]) => key))
  t.strictSame(new Set(entries.map(({ k }) => k)), new Set(keys))
})
