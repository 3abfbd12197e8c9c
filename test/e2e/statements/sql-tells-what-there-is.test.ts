import { appendFileSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createFormats } from '../../../src/plan/format/create-formats.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import { fixture } from '../../formats/fixtures.ts'
import { LINES } from '../../formats/toy-lines/row.ts'
import { post } from '../../http/test-server.ts'
import { untilSettled } from '../../support/settled.ts'
import { startTestService, type TestService } from '../service.ts'

/** The rows of a statement as plain values. Integers of 64 bits are numbers. */
async function rowsOf(service: TestService, sql: string): Promise<unknown[]> {
  const table = await service.rows({ sql })
  return table
    .toArray()
    .map((row) =>
      Object.values(row.toJSON()).map((value) => (typeof value === 'bigint' ? Number(value) : value)),
    )
}

async function json<T>(service: TestService, path: string): Promise<T> {
  return (await fetch(`${service.url}${path}`)).json() as Promise<T>
}

async function failure(t: Test, service: TestService, sql: string): Promise<string> {
  const answer = await service.query({ sql })
  t.equal(answer.status, 400, sql)
  return String(await answer.json())
}

async function serviceWithFiles(t: Test, settings: Record<string, string> = {}): Promise<TestService> {
  const formats = createFormats([...FORMATS.rows, LINES])
  const worker = new URL('../../formats/toy-lines/worker.ts', import.meta.url)
  const service = await startTestService(t, { formats, worker, settings })
  mkdirSync(join(service.datasets, 'obs'))
  writeFileSync(join(service.datasets, 'obs/a.csv'), 'time,depth,name\n2024-01-01T00:00:00,5,a\n')
  writeFileSync(join(service.datasets, 'obs/b.csv'), 'time,depth\n2024-01-02T00:00:00,1.5\n')
  writeFileSync(join(service.datasets, 'semi.csv'), 'x;y\n1;2\n')
  writeFileSync(join(service.datasets, 'a.lines'), '#lines 1 2\nx\n')
  copyFileSync(fixture('parquet', 'flat-required'), join(service.datasets, 'r.parquet'))
  copyFileSync(fixture('arrow', 'required'), join(service.datasets, 'r.arrow'))
  return service
}

// Only the last test that uses this service changes its files.
const service = await serviceWithFiles(t)

t.test('the columns of files, as one table', async (t) => {
  t.same(await rowsOf(service, "FROM read_csv_schema('obs/*.csv')"), [
    ['time', 'Timestamp(s)', true],
    ['depth', 'Float64', true],
    ['name', 'Utf8', true],
  ])
  t.same(await rowsOf(service, "FROM read_csv_schema(['semi.csv'], delimiter := ';')"), [
    ['x', 'Int64', true],
    ['y', 'Int64', true],
  ])
  t.same(
    await rowsOf(service, "FROM read_lines_schema('a.lines')"),
    [
      ['number', 'Int64', true],
      ['text', 'Utf8', true],
    ],
    'of a format that was handed in',
  )
  for (const name of ['parquet', 'arrow']) {
    const file = `r.${name}`
    const schema = await json<{ fields: { name: string; nullable: boolean }[] }>(
      service,
      `/api/dataset-schema?file=${file}`,
    )
    t.same(
      (await rowsOf(service, `FROM read_${name}_schema('${file}')`)).map((row) => [
        (row as unknown[])[0],
        (row as unknown[])[2],
      ]),
      schema.fields.map((each) => [each.name, each.nullable]),
      name,
    )
  }
  t.match(
    await failure(t, service, "FROM read_csv_schema('nothing*.csv')"),
    /No file matched "nothing\*\.csv"/,
  )
  t.match(
    await failure(t, service, 'FROM read_csv_schema(5)'),
    /^read_csv_schema: its first argument is a path/,
  )
  t.match(
    await failure(t, service, "FROM read_csv_schema('a.csv', delim := 1)"),
    /^sql, line 1, column 6: read_csv_schema has no delim; did you mean delimiter\? It is read_csv_schema\(paths, delimiter = ','/,
  )
  t.match(await failure(t, service, "FROM read_png_schema('a.png')"), /not available to queries/)
})

t.test('the datasets there are, a page of them', async (t) => {
  const listed = await json<Record<string, unknown>[]>(service, '/api/list-datasets')
  t.equal(listed.length, 6)
  t.same(
    await rowsOf(service, 'FROM list_datasets()'),
    listed.map((entry) => Object.values(entry)),
    'are those of the listing',
  )
  const table = await service.rows({ sql: 'FROM list_datasets()' })
  t.same(
    table.schema.fields.map(({ name, type }) => `${name} ${type}`),
    [
      'file_name Utf8',
      'file_format Utf8',
      'can_inspect Bool',
      'can_partial_explore Bool',
      'size Uint64',
      'last_modified Utf8',
    ],
  )
  const names = async (call: string): Promise<unknown[]> =>
    (await rowsOf(service, `SELECT file_name FROM ${call}`)).flat()
  t.same(await names("list_datasets('**/*.csv')"), ['obs/a.csv', 'obs/b.csv', 'semi.csv'])
  t.same(await names("list_datasets('**/*.csv', 1)"), ['obs/b.csv', 'semi.csv'])
  t.same(await names("list_datasets('**/*.csv', 1, 1)"), ['obs/b.csv'])
  t.same(await names('list_datasets("limit" := 1)'), ['r.parquet'])
  t.same(await names('list_datasets("offset" := 100)'), [])
  t.match(await failure(t, service, "FROM list_datasets('../*')"), /\.\./)
  t.match(await failure(t, service, 'FROM list_datasets(5)'), /^list_datasets: its pattern is a string/)
  t.match(
    await failure(t, service, "FROM list_datasets('*', -1)"),
    /^list_datasets: its offset is a whole number/,
  )
})

t.test('in joins, in conditions, with other functions, and explained', async (t) => {
  t.same(
    await rowsOf(
      service,
      `SELECT s.column_name, count(*) FROM read_csv_schema('obs/*.csv') s, list_datasets('obs/*') d
       JOIN read_csv('obs/*.csv') r ON d.file_format = 'csv' WHERE s.data_type = 'Utf8' GROUP BY ALL`,
    ),
    [['name', 4]],
  )
  t.same(
    await rowsOf(
      service,
      `WITH sizes AS (SELECT file_name, size FROM list_datasets()) SELECT count(*) FROM sizes
       WHERE size > (SELECT min(size) FROM sizes) AND size IS NOT NULL`,
    ),
    [[5]],
  )
  const plan = await post(`${service.url}/api/explain-query`, {
    sql: "FROM list_datasets('obs/*') d, read_csv('obs/*.csv') r WHERE d.size > r.depth",
  })
  const text = await plan.text()
  t.match(text, /"Function": "LIST_DATASETS"/)
  t.match(text, /"Format": "csv"/)
  t.notMatch(text, /_SCAN_/)
  const explained = await service.rows({ sql: "EXPLAIN ANALYZE FROM read_csv_schema('obs/*.csv')" })
  t.equal(explained.numRows, 2)
})

t.test('an answer is kept until what it lists is another', async (t) => {
  await untilSettled(service.datasets)
  const idOf = async (): Promise<string | null> => {
    const answer = await service.query({ sql: "FROM list_datasets('obs/*')" })
    await answer.arrayBuffer()
    return answer.headers.get('x-service-query-id')
  }
  t.equal(await idOf(), await idOf(), 'nothing has changed')
  const count = async (): Promise<unknown> =>
    (await rowsOf(service, "SELECT sum(size) FROM list_datasets('obs/*')"))[0]
  const before = await count()
  appendFileSync(join(service.datasets, 'obs/a.csv'), '2024-01-03T00:00:00,7,b\n')
  t.notSame(await count(), before, 'a file that has grown')
  const grown = await count()
  writeFileSync(join(service.datasets, 'obs/c.csv'), 'time\n')
  t.notSame(await count(), grown, 'a file that is new')
  const schema = "SELECT count(*) FROM read_csv_schema('obs/*.csv')"
  t.same(await rowsOf(service, schema), [[3]])
  writeFileSync(join(service.datasets, 'obs/c.csv'), 'time,salinity\n')
  t.same(await rowsOf(service, schema), [[4]])
})

t.test('the version, also under the name of the service', async (t) => {
  const service = await serviceWithFiles(t, { SERVICE_NAME: 'tide_8' })
  const info = await json<Record<string, string>>(service, '/api/info')
  t.same(await rowsOf(service, 'SELECT tide_8_version() AS version'), [[info['tide_8_version']]])
  const named = {
    select: [{ function: 'tide_8_version', args: [], alias: 'v' }],
    from: { csv: { paths: ['semi.csv'] } },
  }
  t.same([...((await service.rows(named)).getChild('v') ?? [])], [info['tide_8_version']], 'in JSON')
  t.same(
    await rowsOf(service, 'SELECT service_version() AS version'),
    [[info['tide_8_version']]],
    'as always',
  )
})
