/** Text that has one value in all rows of a file: a dictionary in Arrow answers to JSON queries, plain text everywhere else. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DataType, type Table } from 'apache-arrow'
import t from 'tap'
import { writeClassic } from '../../netcdf/write-classic.ts'
import { startTestService } from '../service.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', 'fixtures', 'netcdf')
const ARGO = ['D5900865_001', 'D1900857_000'] as const
const [ONE, OTHER] = ARGO.map((name) => `argo/${name}.nc`)
const BOTH = [ONE, OTHER]

const service = await startTestService(t)
mkdirSync(join(service.datasets, 'argo'))
for (const name of ARGO)
  copyFileSync(join(FIXTURES, 'argo', `${name}.nc`), join(service.datasets, 'argo', `${name}.nc`))
copyFileSync(join(FIXTURES, 'grid-cdf1.nc'), join(service.datasets, 'grid.nc'))

/** An attribute, a variable without dimensions but that of its characters, and a variable of texts. */
const NAMES = ['PRES.units', 'DATA_TYPE', 'PLATFORM_NUMBER', 'PRES'] as const
const TYPES = ['Dictionary<Int32, Utf8>', 'Dictionary<Int32, Utf8>', 'Utf8', 'Float32']
const PLAIN = ['Utf8', 'Utf8', 'Utf8', 'Float32']
const inSql = (paths: readonly (string | undefined)[], columns: readonly string[] = NAMES): string =>
  `SELECT ${columns.map((name) => `"${name}"`).join(', ')} FROM read_netcdf([${paths.map((path) => `'${path}'`).join(', ')}])`
const inJson = (paths: readonly (string | undefined)[], select: readonly string[] = NAMES) => ({
  select,
  from: { netcdf: { paths } },
})

t.test('schemas say so', async (t) => {
  const response = await fetch(`${service.url}/api/dataset-schema?file=${ONE}`)
  const { fields } = (await response.json()) as { fields: { name: string; data_type: unknown }[] }
  const types = new Map(fields.map(({ name, data_type }) => [name, data_type]))
  t.same(types.get('PRES.units'), { Dictionary: ['Int32', 'Utf8'] })
  t.same(types.get('DATA_TYPE'), { Dictionary: ['Int32', 'Utf8'] })
  t.equal(types.get('PLATFORM_NUMBER'), 'Utf8', 'text along a dimension is text')
  t.equal(types.get('PRES._FillValue'), 'Float32', 'a number is a number')
  const inTable = await service.rows({
    sql: `SELECT data_type FROM read_netcdf_schema('${ONE}') WHERE column_name = 'PRES.units'`,
  })
  t.equal(inTable.getChildAt(0)?.get(0), 'Dictionary(Int32, Utf8)')
})

t.test('in an Arrow stream, of one file and of several', async (t) => {
  for (const paths of [[ONE], BOTH]) {
    const table = await service.rows(inJson(paths))
    t.same(typesOf(table), TYPES)
    t.same(new Set(table.getChild('PRES.units')), new Set(['decibar']))
    t.same(new Set(table.getChild('DATA_TYPE')), new Set(['Argo profile']))
    const plain = await service.rows({ sql: inSql(paths) })
    t.same(rowsOf(table), rowsOf(plain), 'the rows are those of SQL')
  }
})

t.test('in an Arrow file of one file; of several files they become text', async (t) => {
  const output = { format: 'ipc' }
  t.same(typesOf(await service.rows({ ...inJson([ONE]), output })), TYPES)
  t.same(typesOf(await service.rows({ ...inJson(BOTH), output })), PLAIN)
})

t.test('in SQL they are text, on both engines', async (t) => {
  const onCore = await service.rows({ sql: inSql(BOTH) })
  const columns = NAMES.slice(1)
  const inDuckDb = await service.rows({
    sql: inSql(BOTH, columns).replace('SELECT', `SELECT upper(lower("PRES.units")) AS "PRES.units",`),
  })
  t.same(typesOf(onCore), PLAIN)
  t.same(typesOf(inDuckDb), PLAIN)
  t.same(
    rowsOf(inDuckDb),
    rowsOf(onCore).map(([units, ...others]) => [String(units).toUpperCase(), ...others]),
  )
})

t.test('in CSV and JSON they are text', async (t) => {
  for (const format of ['csv', 'json', 'ndjson']) {
    const text = await (await service.query({ ...inJson(BOTH), output: { format } })).text()
    const plain = await (await service.query({ sql: inSql(BOTH), output: { format } })).text()
    t.match(text, 'decibar')
    t.equal(text, plain, format)
  }
})

t.test('they are compared, sorted and grouped as text', async (t) => {
  const names = ['.user_manual_version', 'DATA_MODE', 'PLATFORM_NUMBER'] as const
  const all = await service.rows(inJson(BOTH, names))
  const rows = rowsOf(all)
  const version = rows[0]?.[0]
  const filters = [{ column: names[0], eq: version }]
  t.same(
    rowsOf(await service.rows({ ...inJson(BOTH, names), filters })),
    rows.filter(([each]) => each === version),
  )
  const sorted = await service.rows({ ...inJson(BOTH, names), sort_by: [{ Asc: 'PLATFORM_NUMBER' }] })
  t.same(rowsOf(sorted).toSorted(), rows.toSorted())
  const grouped = await service.rows({
    sql: `SELECT "PRES.units" AS units, count(*) AS n FROM (${inSql(BOTH)}) GROUP BY units`,
  })
  t.equal(grouped.numRows, 1)
})

t.test('a file that lacks the attribute has nulls', async (t) => {
  const table = await service.rows(inJson([ONE, 'grid.nc'], ['PRES.units', 'PRES']))
  t.same(typesOf(table), ['Dictionary<Int32, Utf8>', 'Float32'])
  t.ok(table.getChildAt(0)?.nullCount)
  t.same(new Set(table.getChildAt(0)), new Set(['decibar', null]))
})

t.test('text that has one value in one file and several in another is text', async (t) => {
  const chars = (of: string) => Buffer.from(of)
  const file = (dimensions: readonly number[], bytes: Uint8Array) =>
    writeClassic({
      version: 1,
      records: 0,
      attributes: [],
      dimensions: [
        { name: 'obs', size: 2 },
        { name: 'strlen', size: 4 },
      ],
      variables: [
        { name: 'station', dimensions, type: 2, attributes: [], bytes },
        { name: 'v', dimensions: [0], type: 3, attributes: [], bytes: Buffer.from([0, 1, 0, 2]) },
      ],
    })
  writeFileSync(join(service.datasets, 'one.nc'), file([1], chars('east')))
  writeFileSync(join(service.datasets, 'several.nc'), file([0, 1], chars('westnort')))
  const names = ['station', 'v']
  const table = await service.rows(inJson(['one.nc', 'several.nc'], names))
  t.same(typesOf(table), ['Utf8', 'Int16'])
  const rows = [
    ['east', 1],
    ['east', 2],
    ['west', 1],
    ['nort', 2],
  ]
  t.same(rowsOf(table), rows)
  t.same(rowsOf(await service.rows({ sql: inSql(['one.nc', 'several.nc'], names) })), rows)
  t.same(typesOf(await service.rows(inJson(['one.nc'], names))), ['Dictionary<Int32, Utf8>', 'Int16'])
})

function typesOf(table: Table): string[] {
  return table.schema.fields.map(({ type }) =>
    DataType.isDictionary(type) ? `Dictionary<${type.indices}, ${type.dictionary}>` : String(type),
  )
}

function rowsOf(table: Table): unknown[][] {
  const columns = table.schema.fields.map((_, index) => [...(table.getChildAt(index) ?? [])])
  return Array.from({ length: table.numRows }, (_, row) => columns.map((values) => values[row]))
}
