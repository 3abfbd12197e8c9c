import { csv, empty, html, json, text, told, withHeaders } from '../expected.ts'
import { by, get, having, post } from '../requests.ts'
import { type Row, row } from '../row.ts'
import { ANYTHING, all, atLeast, each, including, without } from '../shapes.ts'

/** Operations that clients of the reference ask for, by their method and path. */
const OPERATIONS = [
  ...[
    'query',
    'parse-query',
    'explain-query',
    'explain-analyze-query',
    'admin/external-tables',
    'admin/datasets/upload',
    'admin/datasets/upload/initiate',
    'admin/datasets/upload/complete',
  ].map((path) => ['post', path] as const),
  ...[
    'query/metrics/{query_id}',
    'query/available-columns',
    'tables',
    'tables-with-schema',
    'table-schema',
    'table-extensions',
    'default-table',
    'default-table-schema',
    'catalogs',
    'list-datasets',
    'datasets',
    'dataset-schema',
    'total-datasets',
    'functions',
    'table-functions',
    'info',
    'admin/check',
    'admin/table-config',
    'admin/table-definition',
    'admin/auth/users',
    'admin/auth/roles',
    'admin/datasets/download',
    'admin/datasets/storage',
  ].map((path) => ['get', path] as const),
  ['post', 'admin/crawlers'],
  ['get', 'admin/crawlers'],
  ['get', 'admin/crawlers/{name}'],
  ['post', 'admin/crawlers/{name}/run'],
  ['delete', 'admin/crawlers/{name}'],
  ['get', 'admin/crawlers/{name}/runs'],
  ['put', 'admin/datasets/upload/part'],
  ['put', 'admin/table-extensions/{table_name}'],
  ['delete', 'admin/datasets'],
  ['delete', 'admin/datasets/upload'],
  ['delete', 'admin/table-extensions/{table_name}'],
] as const

function operation([method, path]: readonly [string, string], shape: Readonly<Record<string, unknown>> = {}) {
  return json(atLeast({ paths: atLeast({ [`%base%/api/${path}`]: atLeast({ [method]: atLeast(shape) }) }) }))
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a client', version: '1' } },
}
const MCP_HEADERS = { accept: 'application/json, text/event-stream' }
const mcp = (body: object) => having(MCP_HEADERS, post('/mcp', body))

function tool(name: string, args: object) {
  return mcp({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name, arguments: args } })
}

/** Documents, pages and MCP: H 10. */
export const DOCUMENTS: readonly Row[] = [
  row(
    'H10.1',
    'the document',
    get('/openapi.json'),
    json(atLeast({ openapi: '3.1.0', info: atLeast({ title: 'service Rest API', version: String }) })),
  ),
  ...OPERATIONS.map((asked) =>
    row('H10.1', `${asked[0]} ${asked[1]}`, get('/openapi.json'), operation(asked)),
  ),
  ...['datasets', 'query/available-columns', 'table-functions', 'admin/table-config'].map((path) =>
    row(
      'H10.1',
      `${path} is deprecated`,
      get('/openapi.json'),
      operation(['get', path], { deprecated: true }),
    ),
  ),
  ...['health', 'ready'].map((path) =>
    row('H10.1', `${path} is in the document`, get('/openapi.json'), operation(['get', path]), {
      differs: '`/api/health` and `/api/ready` in the OpenAPI document',
    }),
  ),
  row('H10.1', 'without the alias and MCP', get('/openapi.json'), {
    ...json(null),
    form: { kind: 'text', shape: /^(?!.*"(?:\/ocean\/data)?\/(?:admin|mcp))/s },
  }),
  row('H10.1', 'each endpoint once', get('/openapi.json'), json(atLeast({ tags: ANYTHING }))),
  row(
    'H10.1',
    'the schemas',
    get('/openapi.json'),
    json(
      atLeast({
        components: atLeast({
          schemas: atLeast({
            Query: ANYTHING,
            QueryBody: ANYTHING,
            Filter: ANYTHING,
            Select: ANYTHING,
            OutputFormat: ANYTHING,
          }),
          securitySchemes: { 'basic-auth': { type: 'http', scheme: 'basic' } },
        }),
      }),
    ),
  ),
  row(
    'H10.1',
    'the body of a query',
    get('/openapi.json'),
    operation(['post', 'query'], {
      requestBody: atLeast({
        content: atLeast({ 'application/json': atLeast({ schema: { $ref: '#/components/schemas/Query' } }) }),
      }),
    }),
  ),
  row(
    'H10.1',
    'who may ask',
    get('/openapi.json'),
    operation(['post', 'query'], { security: [{}, { 'basic-auth': [] }] }),
  ),
  row(
    'H10.1',
    'who may administrate',
    get('/openapi.json'),
    operation(['get', 'admin/check'], { security: [{ 'basic-auth': [] }], tags: ['admin'] }),
  ),
  row(
    'H10.1',
    'its titles',
    get('/openapi.json'),
    json(
      atLeast({
        info: {
          title: 'Title',
          version: String,
          description: 'Description',
          termsOfService: 'https://a.example/terms',
          contact: { name: 'Contact', url: 'https://a.example/contact', email: 'a@a.example' },
          license: { name: 'Licence', url: 'https://a.example/licence' },
        },
      }),
    ),
    { world: 'titles' },
  ),
  row('H10.1', 'without authentication', by('wrong password', get('/openapi.json')), json(ANYTHING)),
  row('H10.2', 'the explorer', get('/swagger'), withHeaders({ location: '%base%/swagger/' }, empty(303))),
  row(
    'H10.2',
    'its page',
    get('/swagger/'),
    withHeaders({ 'access-control-allow-origin': null }, html(/swagger/i)),
  ),
  row('H10.2', 'nothing from other hosts', get('/swagger/'), html(/^(?!.*(?:src|href)="https?:)/s)),
  row(
    'H10.3',
    'the second explorer',
    get('/scalar'),
    withHeaders({ location: '%base%/scalar/' }, empty(303)),
  ),
  row('H10.3', 'its page', get('/scalar/'), html(/scalar/i)),
  row('H10.3', 'nothing from other hosts', get('/scalar/'), html(/^(?!.*(?:src|href)="https?:)/s)),
  row('H12.4', 'the home page', get('/'), html(/2\.0\.0/)),
  ...['/swagger', '/scalar/', '/api/health', '/docs/'].map((path) =>
    row(
      'H12.4',
      `it links ${path}`,
      get('/'),
      html(new RegExp(`href="%base%${path}"|href="%base%${path}/"`)),
    ),
  ),
  row(
    'I4.5',
    'the way to the documentation',
    get('/docs'),
    withHeaders({ location: '%base%/docs/' }, empty(303)),
  ),
  row('I4.5', 'the documentation', get('/docs/'), html(/halocline/)),
  row('I4.5', 'a page that is none', get('/docs/nope'), told(404), { differs: 'Errors before a handler' }),
  row(
    'H10.5',
    'the pages of administration',
    get('/admin'),
    withHeaders({ location: '%base%/admin/' }, empty(303)),
    { later: 'the page', isNoRoute: true },
  ),
  row('H10.5', 'a path of theirs', get('/admin/tables'), html(/<html/), {
    later: 'the page',
    isNoRoute: true,
  }),

  row(
    'H10.6',
    'a client of MCP',
    mcp(INITIALIZE),
    json(
      atLeast({ jsonrpc: '2.0', id: 1, result: atLeast({ serverInfo: ANYTHING, capabilities: ANYTHING }) }),
    ),
  ),
  row(
    'H10.6',
    'its tools',
    mcp({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
    json(
      atLeast({
        result: atLeast({
          tools: all(
            each(atLeast({ annotations: atLeast({ readOnlyHint: true }) })),
            including(
              ...['list_tables', 'describe_table', 'run_sql', 'export_query'].map((name) =>
                atLeast({ name }),
              ),
            ),
          ),
        }),
      }),
    ),
  ),
  row(
    'H10.6',
    'rows',
    tool('run_sql', { sql: 'SELECT count(*) AS n FROM obs' }),
    json(atLeast({ result: ANYTHING })),
  ),
  row(
    'H10.6',
    'a tool that fails is a result',
    tool('run_sql', { sql: 'SELECT nope FROM obs' }),
    json(atLeast({ result: atLeast({ isError: true }) })),
  ),
  row(
    'H10.6',
    'nothing is written',
    by('super-user', tool('run_sql', { sql: 'DROP TABLE obs' })),
    json(atLeast({ result: atLeast({ isError: true }) })),
  ),
  row('H10.6', 'tables', tool('list_tables', {}), { ...json(null), form: { kind: 'text', shape: /obs/ } }),
  row('H10.6', 'wrong credentials', by('wrong password', mcp(INITIALIZE)), empty(401)),
  row(
    'H10.6',
    'not under the alias',
    by('super-user', { ...mcp(INITIALIZE), path: '/admin/mcp' }),
    told(404),
    { isNoRoute: true },
  ),
  row('H10.6', 'switched off', mcp(INITIALIZE), told(404), { world: 'MCP off' }),
  row(
    'H10.6',
    'SQL off takes run_sql away',
    mcp({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
    json(atLeast({ result: atLeast({ tools: without(atLeast({ name: 'run_sql' })) }) })),
    { world: 'SQL off' },
  ),
  row('H10.4', 'the way to the explorer', get('/'), html(/swagger/)),
  row('H12.4', 'its pictures', get('/favicon.svg'), {
    status: 200,
    type: 'image/svg+xml',
    form: { kind: 'bytes', head: '<svg' },
    headers: {},
  }),
  row('H12.4', 'its other picture', get('/favicon.ico'), {
    status: 200,
    type: 'image/svg+xml',
    form: { kind: 'bytes', head: '<svg' },
    headers: {},
  }),
  row('H12.4', 'its style', get('/assets/pages.css'), {
    status: 200,
    type: 'text/css',
    form: { kind: 'text', shape: /\{/ },
    headers: {},
  }),
  row('H12.4', 'its code', get('/assets/home.js'), {
    status: 200,
    type: 'text/javascript',
    form: { kind: 'text', shape: /./ },
    headers: {},
  }),
  row('I4.4', 'ready', get('/api/ready'), text(200, 'Ready'), {
    differs: '`/api/health` and `/api/ready` in the OpenAPI document',
  }),
  row('I4.1', 'what a file holds', get('/api/dataset-structure?file=grid/one.nc'), json(ANYTHING), {
    differs: '`/api/dataset-structure`',
  }),
  row(
    'I4.2',
    'a query in the page',
    get(`/api/query?q=${encodeURIComponent('{"sql":"SELECT 1 AS one","output":{"format":"csv"}}')}`),
    csv('one\n1\n'),
    { differs: '`GET /api/query?q=…`' },
  ),
]
