/** A table and a file that a request asks for. */
interface AskedFor {
  readonly table: string
  readonly path: string
}

export interface DoorRequest {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** A call of a tool by MCP. */
export function toolCall(name: string, args: object): DoorRequest {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  return { ...post('/mcp', body), headers: { accept: 'application/json, text/event-stream' } }
}

/** The answer to such a call that has failed. */
export function toolFailure(message: string): string {
  const result = { content: [{ type: 'text', text: message }], isError: true }
  return JSON.stringify({ result, jsonrpc: '2.0', id: 1 })
}

/** Requests that ask at a route for a table or a file, each with what it asks for. */
export type RequestsOf = (asked: AskedFor) => readonly (DoorRequest & { readonly of: 'table' | 'path' })[]

const post = (path: string, body: object): DoorRequest => ({ method: 'POST', path, body })
const get = (path: string): DoorRequest => ({ method: 'GET', path })

/** Queries in each language, for the core and for DuckDB. */
function queries({
  table,
  path,
}: AskedFor): readonly { readonly body: object; readonly of: 'table' | 'path' }[] {
  return [
    { of: 'table', body: { from: table, select: ['n'] } },
    { of: 'table', body: { from: table, select: [{ function: 'abs', args: ['n'], alias: 'm' }] } },
    { of: 'table', body: { sql: `SELECT n FROM ${table}` } },
    { of: 'table', body: { sql: `SELECT n + 0 AS m FROM ${table}` } },
    { of: 'table', body: { sql: `SELECT 1 AS one WHERE 1 IN (SELECT n FROM ${table})` } },
    { of: 'path', body: { from: { csv: { paths: [path] } }, select: ['n'] } },
    { of: 'path', body: { sql: `SELECT n FROM read_csv('${path}')` } },
    { of: 'path', body: { sql: `SELECT n + 0 AS m FROM read_csv('${path}')` } },
    { of: 'path', body: { sql: `WITH c AS (SELECT * FROM read_csv('${path}')) SELECT * FROM c` } },
  ]
}

/** By the names of doors that refuse. */
export const REFUSING: Readonly<Record<string, RequestsOf>> = {
  'POST /api/query': (asked) => queries(asked).map(({ body, of }) => ({ ...post('/api/query', body), of })),
  'GET /api/query': (asked) =>
    queries(asked).flatMap(({ body, of }) =>
      ['GET', 'HEAD'].map((method) => ({
        method,
        path: `/api/query?q=${encodeURIComponent(JSON.stringify(body))}`,
        of,
      })),
    ),
  'POST /api/explain-query': (asked) =>
    queries(asked).map(({ body, of }) => ({ ...post('/api/explain-query', body), of })),
  'POST /api/explain-analyze-query': (asked) =>
    queries(asked).map(({ body, of }) => ({ ...post('/api/explain-analyze-query', body), of })),
  'POST /mcp': (asked) => [
    ...queries(asked).flatMap(({ body, of }) =>
      'sql' in body ? [{ ...toolCall('run_sql', { sql: body.sql }), of }] : [],
    ),
    { ...toolCall('run_sql', { sql: `DESCRIBE ${asked.table}` }), of: 'table' },
    { ...toolCall('run_sql', { sql: `EXPLAIN SELECT n FROM ${asked.table}` }), of: 'table' },
    { ...toolCall('export_query', { sql: `SELECT n FROM ${asked.table}`, format: 'csv' }), of: 'table' },
  ],
  'GET /api/dataset-schema': ({ path }) => [
    { ...get(`/api/dataset-schema?file=${encodeURIComponent(path)}`), of: 'path' },
  ],
  'GET /api/dataset-structure': ({ path }) => [
    { ...get(`/api/dataset-structure?file=${encodeURIComponent(path)}`), of: 'path' },
  ],
}

/** What each listing tells: names, or how many there are. */
export const LISTINGS: Readonly<
  Record<
    string,
    { readonly of: 'tables' | 'paths'; readonly names: (text: string) => readonly string[] | number }
  >
> = {
  'GET /api/list-datasets': {
    of: 'paths',
    names: (text) => JSON.parse(text).map(({ file_path }: { file_path: string }) => file_path),
  },
  'GET /api/datasets': { of: 'paths', names: JSON.parse },
  'GET /api/total-datasets': { of: 'paths', names: Number },
  'GET /api/tables': { of: 'tables', names: JSON.parse },
  'GET /api/tables-with-schema': {
    of: 'tables',
    names: (text) => JSON.parse(text).map(({ table_name }: { table_name: string }) => table_name),
  },
  'GET /api/catalogs': {
    of: 'tables',
    names: (text) =>
      JSON.parse(text).catalogs.flatMap(
        ({ schemas }: { schemas: { name: string; tables: { name: string }[] }[] }) =>
          schemas.flatMap(({ name, tables }) => (name === 'public' ? tables.map((table) => table.name) : [])),
      ),
  },
  'GET /api/info': { of: 'tables', names: (text) => JSON.parse(text).table_count },
}

/** Statements that begin with these words. Those that refuse read a table. */
export const STATEMENTS: Readonly<Record<string, (table: string) => string>> = {
  DESCRIBE: (table) => `DESCRIBE ${table}`,
  DESC: (table) => `DESC ${table}`,
  SUMMARIZE: (table) => `SUMMARIZE ${table}`,
  EXPLAIN: (table) => `EXPLAIN SELECT n FROM ${table}`,
  'EXPLAIN ANALYZE': (table) => `EXPLAIN ANALYZE SELECT n + 0 AS m FROM ${table}`,
  CREATE: (table) => `CREATE VIEW v AS SELECT * FROM ${table}`,
  DROP: (table) => `DROP TABLE ${table}`,
  'CREATE SECRET': () => "CREATE SECRET s (TYPE service, TOKEN 't')",
  'CREATE PERSISTENT SECRET': () => "CREATE PERSISTENT SECRET s (TYPE service, TOKEN 't')",
  'CREATE TEMPORARY SECRET': () => "CREATE TEMPORARY SECRET s (TYPE service, TOKEN 't')",
  'DROP SECRET': () => 'DROP SECRET IF EXISTS s',
  'ANALYZE FILES': () => 'ANALYZE FILES',
  ATTACH: () => "ATTACH 'service://127.0.0.1:1' AS far",
  DETACH: () => 'DETACH far',
  'SHOW SECRETS': () => 'SHOW SECRETS',
  REFRESH: (table) => `REFRESH ${table}`,
  'SHOW TABLES': () => 'SHOW TABLES',
  'SHOW FUNCTIONS': () => "SHOW FUNCTIONS LIKE 'abs'",
  'SHOW COLUMNS': (table) => `SHOW COLUMNS FROM ${table}`,
  'SHOW EXTENSIONS': (table) => `SHOW EXTENSIONS FOR ${table}`,
  'SET EXTENSION': (table) => `SET EXTENSION 'mcp' FOR ${table} TO '{}'`,
  'SET EXTENSIONS': (table) => `SET EXTENSIONS FOR ${table} TO '{}'`,
  'DROP EXTENSION': (table) => `DROP EXTENSION 'mcp' FOR ${table}`,
  'SHOW CREATE TABLE': (table) => `SHOW CREATE TABLE ${table}`,
  'CREATE CRAWLER': () => "CREATE CRAWLER k ON 'hidden/'",
  'RUN CRAWLER': () => 'RUN CRAWLER k',
  'SHOW CRAWLERS': () => 'SHOW CRAWLERS',
  'DROP CRAWLER': () => 'DROP CRAWLER k',
  GRANT: () => 'GRANT SELECT ON ALL TO ROLE nobody',
  DENY: () => 'DENY SELECT ON ALL TO ROLE nobody',
  REVOKE: () => 'REVOKE SELECT ON ALL FROM ROLE nobody',
}

/** An upload that nobody has begun, which only the super-user is told. */
const NO_UPLOAD = '6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11'

/** Requests to the doors that are open, and to those of the super-user, where a path alone is no request. */
export const OTHERS: Readonly<Record<string, DoorRequest>> = {
  'POST /api/parse-query': post('/api/parse-query', { sql: 'SELECT * FROM nothing' }),
  'POST /api/admin/crawlers': post('/api/admin/crawlers', { name: 'c', target_prefix: 'hidden/' }),
  'GET /api/admin/crawlers/:name': get('/api/admin/crawlers/c'),
  'POST /api/admin/crawlers/:name/run': post('/api/admin/crawlers/c/run?dry_run=true', {}),
  'GET /api/admin/crawlers/:name/runs': get('/api/admin/crawlers/c/runs'),
  'DELETE /api/admin/crawlers/:name': { method: 'DELETE', path: '/api/admin/crawlers/none' },
  'POST /api/admin/external-tables': post('/api/admin/external-tables', {}),
  'GET /api/admin/table-definition': get('/api/admin/table-definition?table_name=secret'),
  'POST /api/admin/datasets/upload': post('/api/admin/datasets/upload?path=up.bin&overwrite=true', {}),
  'POST /api/admin/datasets/upload/initiate': post(
    '/api/admin/datasets/upload/initiate?path=hidden/c.csv',
    {},
  ),
  'PUT /api/admin/datasets/upload/part': {
    method: 'PUT',
    path: `/api/admin/datasets/upload/part?upload_id=${NO_UPLOAD}&part_number=1`,
    body: {},
  },
  'POST /api/admin/datasets/upload/complete': post(
    `/api/admin/datasets/upload/complete?upload_id=${NO_UPLOAD}`,
    {},
  ),
  'DELETE /api/admin/datasets/upload': {
    method: 'DELETE',
    path: `/api/admin/datasets/upload?upload_id=${NO_UPLOAD}`,
  },
  'GET /api/admin/datasets/download': get('/api/admin/datasets/download?path=hidden/c.csv'),
  'DELETE /api/admin/datasets': { method: 'DELETE', path: '/api/admin/datasets?path=none.bin' },
  'PUT /api/admin/table-extensions/:table_name': {
    method: 'PUT',
    path: '/api/admin/table-extensions/secret',
    body: {},
  },
  'DELETE /api/admin/table-extensions/:table_name': {
    method: 'DELETE',
    path: '/api/admin/table-extensions/secret',
  },
  'GET /docs/*': get('/docs/'),
  'GET /swagger/*': get('/swagger/'),
  'GET /scalar/*': get('/scalar/'),
}

/** Calls of table functions that are not of the service. */
export const CALLS: Readonly<Record<string, string>> = {
  generate_series: 'generate_series(2)',
  range: 'range(2)',
  repeat: "repeat('a', 2)",
  unnest: 'unnest([1, 2])',
}
