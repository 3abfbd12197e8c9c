import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import {
  Dictionary,
  Field,
  Float64,
  Int16,
  Int32,
  Schema,
  Table,
  TimestampMillisecond,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import t, { type Test } from 'tap'
import { post } from '../http/test-server.ts'
import { call, SAME } from './json-requests-in-sql.ts'
import { writeParquetFile } from './parquet-file.ts'
import { startTestService, type TestService } from './service.ts'

const ROWS = 3000

/** Names that differ only in case, that need quotes, and that the service might use itself in a statement. */
function rowsFrom(first: number, rows: number): Table {
  const schema = new Schema([
    new Field('id', new Int32(), true),
    new Field('Temp', new Float64(), true),
    new Field('temp', new Int32(), true),
    new Field('depth (m)', new Float64(), true, new Map([['units', 'm']])),
    new Field('name', new Dictionary(new Utf8(), new Int16()), true),
    new Field('row', new Int32(), true),
    new Field('query(1) "x"', new Utf8(), true),
    new Field('time', new TimestampMillisecond(), true),
  ])
  const ids = Array.from({ length: rows }, (_, i) => first + i)
  const values = [
    ids,
    ids.map((id) => (id % 11 === 0 ? null : id % 13 === 0 ? Number.NaN : ((id * 7919) % 1000) / 8)),
    ids.map((id) => (id * 31) % 17),
    ids.map((id) => (id % 5 === 0 ? null : (id % 40) - 20)),
    ids.map((id) => (id % 9 === 0 ? null : `name-${(id * 7) % 23}`)),
    ids.map((id) => -id),
    ids.map((id) => `it's ${id % 3}`),
    ids.map((id) => 1_700_000_000_000 + id * 3_600_000),
  ]
  const columns = schema.fields.map(({ name, type }, index) => [
    name,
    vectorFromArray(values[index] ?? [], type),
  ])
  return new Table(schema, Object.fromEntries(columns))
}

/** A service with the same rows in files of each format, and native DuckDB over these rows. */
async function start(t: Test) {
  const service = await startTestService(t)
  const path = (name: string) => join(service.datasets, name)
  writeParquetFile(path('a.parquet'), rowsFrom(0, 1000), 300)
  writeParquetFile(path('b.parquet'), rowsFrom(1000, ROWS - 1000), 700)
  writeFileSync(path('a.arrow'), tableToIPC(rowsFrom(0, 2000), 'stream'))
  writeFileSync(path('b.arrow'), tableToIPC(rowsFrom(2000, ROWS - 2000), 'file'))
  const csv = await service.query({
    select: rowsFrom(0, 0).schema.fields.map(({ name }) => name),
    from: { parquet: { paths: ['a.parquet', 'b.parquet'] } },
    output: { format: 'csv' },
  })
  writeFileSync(path('all.csv'), await csv.text())

  const instance = await DuckDBInstance.create(':memory:')
  t.teardown(() => instance.closeSync())
  const connection = await instance.connect()
  const files = ['a.parquet', 'b.parquet'].map((name) => `'${path(name)}'`).join(', ')
  await connection.run(`CREATE VIEW t AS SELECT * FROM read_parquet([${files}])`)
  return {
    ...service,
    async native(sql: string): Promise<string[][]> {
      const rows = (await connection.runAndReadAll(sql)).getRows()
      return rows.map((row) => row.map(String))
    },
  }
}

const shared = await start(t)

const SOURCES = {
  Parquet: { parquet: { paths: ['a.parquet', 'b.parquet'] } },
  Arrow: { arrow: { paths: ['*.arrow'] } },
  CSV: { csv: { paths: ['all.csv'] } },
}

async function cells({ rows }: TestService, body: object): Promise<string[][]> {
  const table = await rows(body)
  const columns = table.schema.fields.map((_, index) => [...(table.getChildAt(index) ?? [])])
  return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => String(column[row])))
}

t.test('answers are those of native DuckDB, over every format', async (t) => {
  const service = shared
  for (const [request, sql] of SAME) {
    const expected = await service.native(sql)
    t.ok(expected.length > 0, 'there are rows')
    for (const [format, from] of Object.entries(SOURCES))
      t.same(await cells(service, { ...request, from }), expected, `${format}: ${sql}`)
  }
})

t.test('columns have the names, metadata and order that the request gives them', async (t) => {
  const { rows, query } = shared
  const select = [
    'depth (m)',
    { column: 'temp', alias: 'Depth (m)' },
    { function: 'abs', args: ['temp'] },
    { value: 1.5 },
    { value: 'a\0b', alias: 'zero' },
  ]
  const names = ['depth (m)', 'Depth (m)', 'abs(tmp.temp)', 'Float64(1.5)', 'zero']
  for (const limit of [0, 2]) {
    const { schema, numRows } = await rows({ select, from: SOURCES.Arrow, sort_by: [{ Asc: 'id' }], limit })
    t.equal(numRows, limit)
    t.same(
      schema.fields.map(({ name }) => name),
      names,
    )
    t.same([...(schema.fields[0]?.metadata ?? [])], [['units', 'm']])
  }
  const csv = await query({
    select: ['id', { column: 'name', alias: 'a "b", c' }],
    from: SOURCES.Arrow,
    sort_by: [{ Desc: 'id' }],
    limit: 1,
    output: { format: 'csv' },
  })
  t.equal(await csv.text(), 'id,"a ""b"", c"\n2999,name-17\n')
})

t.test('two calls that are written alike are two, and each is made once', async (t) => {
  const rows = await cells(shared, {
    select: ['id', call('random', 'a'), call('random', 'b')],
    distinct: { on: ['id'], select: ['a', 'b', call('abs', 'same', 'a'), 'id'] },
    sort_by: [{ Asc: 'id' }, { Asc: 'a' }, { Asc: 'b' }],
    from: SOURCES.Parquet,
  })
  t.equal(rows.length, ROWS)
  t.ok(rows.every(([a, , same]) => a === same))
  t.ok(rows.some(([a, b]) => a !== b))
})

t.test('text is compared byte by byte, a byte order mark included', async (t) => {
  const select = ['id', call('concat', 'marked', { value: '\ufeff' }, 'name')]
  const first = async (text: string): Promise<readonly (string | undefined)[]> => {
    const filter = { column: 'marked', eq: text }
    const rows = await cells(shared, { select, filter, from: SOURCES.Parquet, limit: 1 })
    return rows.map(([id]) => id)
  }
  t.same(await first('\ufeffname-7'), ['1'])
  t.same(await first('name-7'), [])
})

t.test('no rows are an empty answer', async (t) => {
  const { rows } = shared
  const none = [
    { filter: { column: 'id', lt: 0 } },
    { filter: { column: 'a', lt: 0 } },
    { offset: ROWS },
    { limit: 0 },
  ]
  for (const rest of none) {
    const select = ['id', call('abs', 'a', 'id')]
    const table = await rows({ select, from: SOURCES.Parquet, sort_by: [{ Asc: 'a' }], ...rest })
    t.same(
      table.schema.fields.map(({ name, type }) => `${name}: ${type}`),
      ['id: Int32', 'a: Int32'],
    )
    t.equal(table.numRows, 0)
  }
  const empty = await rows({ select: [{ value: 1, alias: 'one' }], sort_by: [{ Asc: 'one' }] })
  t.equal(empty.numRows, 0, 'the default table')
})

t.test('mistakes are told by the place where they are', async (t) => {
  const { query } = shared
  const errors: readonly (readonly [Readonly<Record<string, unknown>>, RegExp])[] = [
    [{ sort_by: [{ Asc: 'nope' }] }, /^sort_by\[0\].Asc: there is no column "nope" in parquet/],
    [{ sort_by: [{ asc: 'id' }] }, /^sort_by\[0\]: expected exactly one member/],
    [
      { select: [call('abss', 'a', 'id')] },
      /^select\[0\].function: there is no scalar function "abss", did you mean "abs"/,
    ],
    [{ select: [call('sum', 'a', 'id')] }, /^select\[0\].function: "sum" makes one value of many rows/],
    [
      { select: [call('ABS', 'a', 'id')] },
      /^select\[0\].function: there is no scalar function "ABS", did you mean "abs"/,
    ],
    [
      { select: [call('getenv', 'a', { value: 'HOME' })] },
      /^select\[0\].function: there is no scalar function "getenv"/,
    ],
    [{ select: [call('read_csv', 'a', { value: '/etc/passwd' })] }, /^select\[0\].function: /],
    [
      { select: ['id', call('upper', 'b', call('abs', 'a', 'name'))] },
      /^select\[1\].args\[0\]: No function matches .*'abs\(VARCHAR\)'/,
    ],
    [
      { select: ['id', call('upper', 'b', call('btrim', 'a', 'id'))] },
      /^select\[1\].args\[0\]: btrim does not take these arguments, as there is no trim\(INTEGER\)\. It is btrim\(text VARCHAR\)/,
    ],
    [{ select: [call('abs', 'a', 'nope')] }, /^select\[0\].args\[0\]: there is no column "nope"/],
    [{ select: ['id', call('abs', 'id', 'id')] }, /^select\[1\]: an earlier output column is named "id"/],
    [
      { distinct: { on: ['temp'], select: ['id'] } },
      /^distinct.on\[0\]: there is no column "temp" in select; it has "id"/,
    ],
    [{ distinct: { on: ['id'], select: ['id', 'id'] } }, /^distinct.select\[1\]: an earlier output column/],
    [
      { select: [call('abs', 'a', 'id')], filter: { column: 'a', eq: 'x' } },
      /^filter.eq: column "a" is Int32, which does not compare/,
    ],
    [
      {
        select: [call('abs', 'a', 'id')],
        filter: {
          or: [
            { column: 'a', eq: 1 },
            { column: 'b', eq: 1 },
          ],
        },
      },
      /^filter.or\[1\]: there is no column "b"/,
    ],
  ]
  for (const [request, message] of errors) {
    const answer = await query({ select: ['id'], from: SOURCES.Parquet, ...request })
    t.equal(answer.status, 400, JSON.stringify(request))
    t.match(await answer.json(), message)
  }
})

t.test('EXPLAIN says what DuckDB runs and what the core', async (t) => {
  const { url } = shared
  const answer = await post(`${url}/api/explain-query`, {
    select: ['Temp', call('even', 'a', 'depth (m)')],
    filters: [
      { column: 'id', gt: 7 },
      { column: 'a', lt: 9 },
    ],
    sort_by: [{ Desc: 'time' }],
    limit: 5,
    from: SOURCES.Parquet,
  })
  t.equal(answer.status, 200)
  const [{ Plan }] = (await answer.json()) as [{ Plan: Node }]
  const nodes = flatten(Plan)
  t.same(Plan['Output'], ['Temp', 'a'])
  const scan = nodes.at(-1)
  t.match(scan, {
    'Node Type': 'TableScan',
    Engine: 'core',
    'Full Filters': ['id > Int32(7)'],
    'File Count': 2,
  })
  t.same(scan?.['Output'], ['id', 'Temp', 'depth (m)', 'time'])
  t.ok(nodes.slice(0, -1).every((node) => node['Engine'] === 'DuckDB'))
  const types = nodes.map((node) => node['Node Type'])
  t.ok(types.includes('TopN') && types.includes('Filter'), String(types))
})

interface Node {
  readonly [member: string]: unknown
  readonly Plans: readonly Node[]
}

function flatten(node: Node): Node[] {
  return [node, ...node.Plans.flatMap(flatten)]
}

t.test('without SQL for clients, JSON still sorts', async (t) => {
  const { query, datasets, rows } = await startTestService(t, { settings: { SERVICE_ENABLE_SQL: 'false' } })
  writeFileSync(join(datasets, 'a.csv'), 'id\n2\n1\n3\n')
  const table = await rows({ select: ['id'], sort_by: [{ Asc: 'id' }], from: { csv: { paths: ['a.csv'] } } })
  t.same([...(table.getChild('id') ?? [])], [1n, 2n, 3n])
  t.equal((await query({ sql: 'SELECT 1' })).status, 400)
})
