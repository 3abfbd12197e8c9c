/** A request with a mistake outside of the query, its status, and what the message must name. */
export interface HttpMistake {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly status: number
  readonly names: readonly string[]
}

const JSON_TYPE = { 'content-type': 'application/json' }
const post = (body: string, status: number, names: readonly string[]): HttpMistake => ({
  method: 'POST',
  path: '/api/query',
  headers: JSON_TYPE,
  body,
  status,
  names,
})

export const IN_HTTP: readonly HttpMistake[] = [
  // Routes
  { path: '/api/qurey', status: 404, names: ['GET /api/qurey', '/api/query'] },
  { path: '/query', status: 404, names: ['/api/query'] },
  { path: '/api/tables/', status: 404, names: ['GET /api/tables?'] },
  { path: '/api/datasets-list', status: 404, names: ['/openapi.json'] },
  { path: '/api/explain-query', status: 405, names: ['POST', 'not GET'] },
  { method: 'PUT', path: '/api/query', status: 405, names: ['POST or GET', 'not PUT'] },
  { method: 'POST', path: '/api/list-datasets', status: 405, names: ['GET', 'not POST'] },
  { path: `/api/query?q=${'x'.repeat(20_000)}`, status: 431, names: ['16384', 'POST /api/query'] },
  { path: '/api/sql', status: 404, names: ['POST or GET /api/query'] },
  { path: '/api/files', status: 404, names: ['GET /api/list-datasets'] },
  { path: '/openapi.yaml', status: 404, names: ['GET /openapi.json'] },
  // Bodies
  {
    method: 'POST',
    path: '/api/query',
    body: '{"sql":"SELECT 1"}',
    status: 415,
    names: ['Content-Type: application/json'],
  },
  {
    method: 'POST',
    path: '/api/query',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: '{"sql":"SELECT 1"}',
    status: 415,
    names: ['Content-Type: application/json', 'x-www-form-urlencoded'],
  },
  post('SELECT 1', 400, ['line 1, column 1', '"SELECT"']),
  post("{'sql': 'SELECT 1'}", 400, ['line 1, column 2', 'double quotes']),
  post('{"sql": "SELECT 1",}', 400, ['line 1, column 20', 'comma']),
  post('{"sql": "SELECT\n1"}', 400, ['line 1, column 16', '\\n']),
  post('{"sql": "SELECT 1"', 400, ['line 1, column 19', '"{" is not closed']),
  post('{"select": ["a"], "limit": None}', 400, ['line 1, column 28', 'null']),
  post('', 400, ['empty']),
  post('[{"sql": "SELECT 1"}]', 422, ['object', 'array']),
  post('"SELECT 1"', 422, ['object', 'string', '{"sql": "SELECT 1"}']),
  post(`{"sql": "${'x'.repeat(2 << 20)}"}`, 413, ['2097152']),
  post('WITH a AS (SELECT 1) FROM a', 400, ['line 1, column 1', '{"sql": "SELECT 1"}']),
  {
    method: 'POST',
    path: '/api/query',
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    body: '{"sql":"SELECT 1"}',
    status: 415,
    names: ['not compressed', 'Content-Encoding: gzip'],
  },
  // Parameters
  { path: '/api/query', status: 400, names: ['`q`', '/api/query?q=', 'POST'] },
  { path: '/api/query?q=SELECT+1', status: 400, names: ['line 1, column 1', '"SELECT"'] },
  { path: '/api/query?sql=SELECT+1', status: 400, names: ['`q`'] },
  { path: '/api/list-datasets?limit=ten', status: 400, names: ['`limit`', "'ten'"] },
  { path: '/api/list-datasets?pattern=/data/*', status: 400, names: ['absolute', 'dataset root'] },
  { path: '/api/dataset-schema', status: 400, names: ['`file`', '/api/dataset-schema?file='] },
  { path: '/api/dataset-schema?file=observations', status: 400, names: ['"observations"', '.parquet'] },
  {
    path: '/api/dataset-schema?file=observatons/*.parquet',
    status: 400,
    names: ['"observations/*.parquet"'],
  },
  { path: '/api/dataset-schema?file=renamed.csv', status: 400, names: ['Parquet', 'read_parquet'] },
  { path: '/api/table-schema', status: 400, names: ['`table_name`'] },
  { path: '/api/table-schema?table_name=defualt', status: 404, names: ['defualt'] },
  { path: '/api/query/metrics/latest', status: 400, names: ['UUID'] },
  { path: '/api/query/metrics/6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11', status: 404, names: ['not found'] },
]
