import { join } from 'node:path'
import t, { type Test } from 'tap'
import { send } from '../../http/test-server.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const FROM = { parquet: { paths: ['rows.parquet'] } }
const JSON_OUTPUT = { format: 'json' }
const NDJSON_OUTPUT = { format: 'ndjson' }

const { datasets, url, query } = await startTestService(t)
writeParquetFile(join(datasets, 'rows.parquet'), numberedRows(2000), 500)

async function textOf(t: Test, body: object, format: string): Promise<string> {
  const answer = await query({ ...body, output: { format } })
  const text = await answer.text()
  t.equal(answer.status, 200, text)
  return text
}

async function json(t: Test, body: object) {
  return JSON.parse(await textOf(t, body, 'json'))
}

async function lines(t: Test, body: object) {
  const text = await textOf(t, body, 'ndjson')
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
}

t.test('a document has the columns and the rows, whoever runs the query', async (t) => {
  const columns = [
    { name: 'id', type: 'Int32' },
    { name: 'name', type: 'Utf8' },
  ]
  const rows = Array.from({ length: 2000 }, (_, id) => [id, `name-${id % 7}`])
  for (const body of [
    { from: FROM, select: ['id', 'name'] },
    { from: FROM, select: ['id', 'name'], sort_by: [{ Asc: 'id' }] },
    { sql: "SELECT id, name FROM read_parquet('rows.parquet')" },
    { sql: "SELECT id, name || '' AS name FROM read_parquet('rows.parquet') ORDER BY id" },
  ]) {
    t.same(await json(t, body), { columns, rows })
    t.same(
      await lines(t, body),
      rows.map(([id, name]) => ({ id, name })),
    )
  }
  const groups = await json(t, {
    sql: "SELECT name, count(*) AS n FROM read_parquet('rows.parquet') GROUP BY name ORDER BY name LIMIT 2",
  })
  t.same(groups.rows, [
    ['name-0', 286],
    ['name-1', 286],
  ])
})

t.test('an answer without rows is a document, too', async (t) => {
  for (const body of [
    { from: FROM, select: ['id'], limit: 0 },
    { from: FROM, select: ['id'], filters: [{ column: 'id', gt: 5000 }] },
    { sql: "SELECT id FROM read_parquet('rows.parquet') WHERE abs(id) < 0" },
  ]) {
    t.same(await json(t, body), { columns: [{ name: 'id', type: 'Int32' }], rows: [] })
    t.same(await lines(t, body), [])
  }
})

t.test('values of SQL', async (t) => {
  const sql = `SELECT 9007199254740993 AS big, 9007199254740992 AS exact,
    1.50::DECIMAL(10, 2) AS price, 'NaN'::DOUBLE AS nan, '-inf'::DOUBLE AS inf, 0.1::FLOAT AS small, true AS yes, NULL AS nothing,
    'say "x"' || chr(10) || '🌊' AS words, '\\xAB\\x00'::BLOB AS bytes, DATE '2024-02-29' AS day,
    TIMESTAMP '2024-02-29 12:30:00.5' AS at, [1, NULL, 3] AS list, {'a': 1, 'b': ['x']} AS struct, MAP {'k': 1.5} AS map,
    row(1, 'z') AS unnamed`
  const expected = {
    big: '9007199254740993',
    exact: 9007199254740992,
    price: '1.50',
    nan: null,
    inf: null,
    small: 0.1,
    yes: true,
    nothing: null,
    words: 'say "x"\n🌊',
    bytes: 'qwA=',
    day: '2024-02-29',
    at: '2024-02-29T12:30:00.500',
    list: [1, null, 3],
    struct: { a: 1, b: ['x'] },
    map: [['k', '1.5']],
    unnamed: [1, 'z'],
  }
  const [line] = await lines(t, { sql })
  t.same(line, expected)
  const document = await json(t, { sql })
  t.same(document.rows, [Object.values(line)])
  t.same(
    document.columns.map(({ name }: { name: string }) => name),
    Object.keys(line),
  )
})

t.test('an object cannot have two members of a name, an array can', async (t) => {
  const sql = "SELECT id AS a, id + 1 AS a FROM read_parquet('rows.parquet') LIMIT 1"
  const refused = await query({ sql, output: NDJSON_OUTPUT })
  t.equal(refused.status, 400)
  t.match(await refused.json(), /several columns are named "a".*use json/)
  t.same((await json(t, { sql })).rows, [[0, 1]])
})

t.test('the media type is that of the output, and never chosen by `Accept`', async (t) => {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const ask = { from: FROM, select: ['id'], limit: 1 }
  const types = async (output: object | undefined) => {
    const answer = await query({ ...ask, output }, { headers })
    await answer.arrayBuffer()
    return [answer.headers.get('content-type'), answer.headers.get('content-disposition')]
  }
  t.same(await types(undefined), ['application/vnd.apache.arrow.stream', null])
  t.same(await types(JSON_OUTPUT), ['application/json', null])
  t.same(await types(NDJSON_OUTPUT), ['application/x-ndjson', 'attachment; filename="output.ndjson"'])
})

t.test('an EXPLAIN is rows like any others', async (t) => {
  for (const explain of ['EXPLAIN', 'EXPLAIN ANALYZE']) {
    const { columns, rows } = await json(t, { sql: `${explain} SELECT id FROM read_parquet('rows.parquet')` })
    t.equal(columns.length, rows[0].length)
    t.match(JSON.stringify(rows), /rows\.parquet/)
  }
})

t.test('the metrics count the rows and the bytes', async (t) => {
  const answer = await query({ from: FROM, select: ['id'], output: JSON_OUTPUT })
  const text = await answer.text()
  const id = answer.headers.get('x-service-query-id')
  const metrics = (await (await fetch(`${url}/api/query/metrics/${id}`)).json()) as Record<string, unknown>
  t.match(metrics, { result_num_rows: 2000, result_size_in_bytes: Buffer.byteLength(text) })
})

t.test('a URL has a tag, and coded bytes', async (t) => {
  for (const output of [JSON_OUTPUT, NDJSON_OUTPUT]) {
    const asked = `${url}/api/query?q=${encodeURIComponent(JSON.stringify({ from: FROM, select: ['id'], output }))}`
    const { message, text } = await send(asked, {})
    const tag = String(message.headers['etag'])
    t.equal(message.headers['content-length'], String(text.length))
    const again = await send(asked, { headers: { 'if-none-match': tag } })
    t.equal(again.message.statusCode, 304)
    const coded = await fetch(asked, { headers: { 'accept-encoding': 'gzip' } })
    t.equal(coded.headers.get('content-encoding'), 'gzip')
    t.equal(await coded.text(), text)
  }
})

t.test('a message lists the formats that work', async (t) => {
  const refused = await query({ from: FROM, select: ['id'], output: { format: 'JSON' } })
  t.equal(refused.status, 400)
  t.match(await refused.json(), /expected csv, json, ndjson, ipc/)
})
