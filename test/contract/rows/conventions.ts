import { empty, json, stream, text, told, withHeaders } from '../expected.ts'
import { by, bytes, del, get, having, post, put, query, sql, using } from '../requests.ts'
import { type Row, row } from '../row.ts'
import { atLeast, each } from '../shapes.ts'

const BEFORE = 'Errors before a handler'
const NO_ROUTE = { differs: BEFORE, isNoRoute: true } as const
const LONG = `{"select": ["id"], "from": "${'x'.repeat(2_097_152)}"}`
const DATASETS = each({
  file_path: String,
  format: String,
  can_inspect: false,
  can_partial_explore: false,
  size: Number,
  last_modified: String,
})

/** What holds for all routes. */
export const CONVENTIONS: readonly Row[] = [
  row('H1.1', 'a trailing slash is another path', get('/api/health/'), told(404), NO_ROUTE),
  row('H1.1', 'so it is of tables', get('/api/tables/'), told(404), NO_ROUTE),
  row('H1.1', 'and of POST', post('/api/query/', { sql: 'SELECT 1 AS one' }), told(404), NO_ROUTE),
  row('H1.1', 'upper and lower case of paths differ', get('/api/Tables'), told(404), NO_ROUTE),
  row(
    'H1.1',
    'path parameters are decoded',
    get('/api/query/metrics/not%20one'),
    told(400, 'Invalid UUID format'),
  ),
  row('H1.1', 'a path that cannot be decoded', get('/api/query/metrics/%E0%A4%A'), told(400), {
    differs: BEFORE,
  }),
  row('H1.1', '+ is a space', get('/api/table-schema?table_name=no+table'), text(404, /no table not found/)),
  row('H1.1', 'and %20 is', get('/api/table-schema?table_name=no%20table'), text(404, /no table not found/)),
  row('H1.1', 'unknown parameters are ignored', get('/api/default-table?color=blue'), json('default')),
  row(
    'H1.1',
    'a repeated parameter that is known',
    get('/api/list-datasets?limit=1&limit=1'),
    told(400, /limit/),
    { differs: BEFORE },
  ),
  row('H1.1', 'so it is of schemas', get('/api/dataset-schema?file=a&file=b'), told(400, /file/), {
    differs: BEFORE,
  }),
  row(
    'H1.1',
    'and of tables',
    get('/api/table-schema?table_name=obs&table_name=obs'),
    told(400, /table_name/),
    { differs: BEFORE },
  ),
  row('H1.1', 'a repeated parameter that is unknown', get('/api/default-table?a=1&a=2'), json('default')),
  row(
    'H1.1',
    'Accept is ignored',
    having({ accept: 'text/html' }, get('/api/default-table')),
    json('default'),
  ),
  row(
    'H1.1',
    'also by queries',
    having({ accept: 'application/json' }, sql('SELECT 1 AS one')),
    stream(['one']),
  ),
  row(
    'H1.1',
    'unknown headers are ignored',
    having({ 'x-color': 'blue' }, get('/api/default-table')),
    json('default'),
  ),

  row('H1.2', 'an unknown path', get('/api/nope'), told(404, /nope/), NO_ROUTE),
  row('H1.2', 'an unknown path of administration', get('/api/admin/nope'), told(404), NO_ROUTE),
  row('H1.2', 'an unknown path by POST', post('/api/nope', {}), told(404), NO_ROUTE),
  row('H1.2', 'an unknown path outside of /api', get('/nope'), told(404), NO_ROUTE),
  ...[
    '/api/health',
    '/api/info',
    '/api/tables',
    '/api/list-datasets',
    '/api/functions',
    '/api/table-schema',
  ].map((path) =>
    row(
      'H1.2',
      'another method of a GET route',
      post(path, {}),
      withHeaders({ allow: /^GET, ?HEAD$/ }, told(405, /GET/)),
      NO_ROUTE,
    ),
  ),
  ...['/api/parse-query', '/api/explain-query', '/api/explain-analyze-query'].map((path) =>
    row(
      'H1.2',
      'another method of a POST route',
      get(path),
      withHeaders({ allow: 'POST' }, told(405, /POST/)),
      NO_ROUTE,
    ),
  ),
  ...['PUT', 'DELETE', 'PATCH'].map((method) =>
    row(
      'H1.2',
      `a query by ${method}`,
      using(method, query({})),
      withHeaders({ allow: /POST/ }, told(405)),
      NO_ROUTE,
    ),
  ),
  ...['/api/query', '/api/parse-query', '/api/explain-query', '/api/explain-analyze-query'].flatMap(
    (path) => [
      row(
        'H1.2',
        'no Content-Type',
        having({ 'content-type': undefined }, post(path, '{}')),
        told(415, /application\/json/),
        { differs: BEFORE },
      ),
      row(
        'H1.2',
        'a Content-Type that is no JSON',
        having({ 'content-type': 'text/plain' }, post(path, '{}')),
        told(415, /application\/json/),
        { differs: BEFORE },
      ),
      row(
        'H1.2',
        'a form',
        having({ 'content-type': 'application/x-www-form-urlencoded' }, post(path, 'a=1')),
        told(415),
        { differs: BEFORE },
      ),
      row('H1.2', 'a body that is no JSON', post(path, '{"sql":'), told(400, /column|line/), {
        differs: BEFORE,
      }),
      row('H1.2', 'an empty body', post(path, ''), told(400), { differs: BEFORE }),
      row('H1.2', 'a body larger than 2 MiB', post(path, LONG), told(413), { differs: BEFORE }),
      ...['[]', '"text"', '1', 'true'].map((body) =>
        row('H1.2', `a body that is JSON and no object: ${body}`, post(path, body), told(422), {
          differs: BEFORE,
        }),
      ),
    ],
  ),
  ...[
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/vnd.a+json',
    'APPLICATION/JSON',
  ].map((type) =>
    row(
      'H1.2',
      `a Content-Type of JSON: ${type}`,
      having({ 'content-type': type }, sql('SELECT 1 AS one')),
      stream(['one']),
    ),
  ),
  row(
    'H1.2',
    'a typed body of administration that is no object',
    by('super-user', post('/api/admin/external-tables', '[]')),
    told(422),
    { differs: BEFORE },
  ),
  row('H1.2', 'one that is no JSON', by('super-user', post('/api/admin/external-tables', '{')), told(400), {
    differs: BEFORE,
  }),
  row(
    'H1.2',
    'one without a media type',
    by('super-user', having({ 'content-type': undefined }, post('/api/admin/external-tables', '{}'))),
    told(415),
    { differs: BEFORE },
  ),
  row('H1.2', 'one beyond 2 MiB', by('super-user', post('/api/admin/external-tables', LONG)), told(413), {
    differs: BEFORE,
  }),
  ...['limit=abc', 'limit=-1', 'limit=', 'limit=1.5', 'offset=abc', 'offset=-1', 'offset='].flatMap(
    (parameter) =>
      ['/api/list-datasets', '/api/datasets'].map((path) =>
        row(
          'H1.2',
          `a value that is none: ${parameter}`,
          get(`${path}?${parameter}`),
          told(400, /limit|offset/),
          { differs: BEFORE },
        ),
      ),
  ),
  row('H1.2', 'a parameter that is missing', get('/api/dataset-schema'), told(400, /file/), {
    differs: BEFORE,
  }),
  row('H1.2', 'a parameter that is missing of tables', get('/api/table-schema'), told(400, /table_name/), {
    differs: BEFORE,
  }),
  row(
    'H1.2',
    'a parameter that is missing of extensions',
    get('/api/table-extensions'),
    told(400, /table_name/),
    { differs: BEFORE },
  ),
  row(
    'H1.2',
    'booleans are true and false',
    by('super-user', bytes('POST', '/api/admin/datasets/upload?path=%new%.bin&overwrite=yes', 'x')),
    told(400, /overwrite/),
    { differs: BEFORE },
  ),

  row('H1.3', 'errors of the query family are one JSON string', query({}), told(400)),
  row('H1.3', 'also of metrics', get('/api/query/metrics/x'), told(400, 'Invalid UUID format')),
  row(
    'H1.3',
    'other errors are plain text',
    get('/api/table-schema?table_name=nope'),
    withHeaders({ 'content-type': 'text/plain; charset=utf-8' }, text(404, /nope/)),
  ),
  row(
    'H1.3',
    'without credentials: no body, and no dialog',
    by('anonymous', get('/api/admin/check')),
    withHeaders({ 'www-authenticate': null }, empty(401)),
  ),
  row(
    'H1.3',
    'as another user',
    by('reader', get('/api/admin/check')),
    withHeaders({ 'www-authenticate': null }, empty(403)),
  ),

  ...['GET', 'POST', 'PUT', 'DELETE'].map((method) =>
    row(
      'H1.4',
      `a preflight of ${method} is answered without credentials`,
      using(
        'OPTIONS',
        having({ origin: 'https://a.example', 'access-control-request-method': method }, get('/api/query')),
      ),
      withHeaders(
        {
          'access-control-allow-origin': '*',
          'access-control-allow-methods': /GET, ?POST, ?PUT, ?DELETE, ?OPTIONS/,
          'access-control-allow-headers': /Content-Type, ?Authorization/,
          'access-control-max-age': '3600',
          'access-control-allow-credentials': null,
        },
        empty(200),
      ),
      { isNoRoute: true },
    ),
  ),
  row(
    'H1.4',
    'a preflight of administration',
    using(
      'OPTIONS',
      having(
        { origin: 'https://a.example', 'access-control-request-method': 'POST' },
        get('/api/admin/external-tables'),
      ),
    ),
    withHeaders(
      {
        'access-control-allow-origin': '*',
        vary: /origin.*access-control-request-method.*access-control-request-headers/i,
      },
      empty(200),
    ),
    { isNoRoute: true },
  ),
  row(
    'H1.4',
    'pages may read the id of the query',
    having({ origin: 'https://a.example' }, sql('SELECT 1 AS one')),
    withHeaders(
      { 'access-control-allow-origin': '*', 'access-control-expose-headers': /x-service-query-id/ },
      stream(['one']),
    ),
  ),
  row(
    'H1.4',
    'a refusal has the headers too',
    by('anonymous', having({ origin: 'https://a.example' }, get('/api/admin/check'))),
    withHeaders({ 'access-control-allow-origin': '*' }, empty(401)),
  ),
  row(
    'H1.4',
    'a listed origin is echoed',
    having({ origin: 'https://a.example' }, get('/api/default-table')),
    withHeaders(
      {
        'access-control-allow-origin': 'https://a.example',
        'access-control-allow-credentials': 'true',
        vary: /origin/i,
      },
      json('default'),
    ),
    { world: 'one origin' },
  ),
  row(
    'H1.4',
    'another one is not',
    having({ origin: 'https://b.example' }, get('/api/default-table')),
    withHeaders({ 'access-control-allow-origin': null, vary: /origin/i }, json('default')),
    { world: 'one origin' },
  ),
  row(
    'H1.4',
    'the settings of a preflight',
    using(
      'OPTIONS',
      having({ origin: 'https://a.example', 'access-control-request-method': 'POST' }, get('/api/query')),
    ),
    withHeaders(
      { 'access-control-allow-methods': /^GET, ?POST$/, 'access-control-max-age': '60' },
      empty(200),
    ),
    { world: 'one origin', isNoRoute: true },
  ),
  row(
    'H1.4',
    'the document has them',
    having({ origin: 'https://a.example' }, get('/openapi.json')),
    withHeaders({ 'access-control-allow-origin': '*' }, json(atLeast({ openapi: '3.1.0' }))),
    {
      differs: 'CORS of `/openapi.json`',
    },
  ),

  row(
    'H1.6',
    'an unknown path under the alias, without credentials',
    by('anonymous', get('/admin/api/nope')),
    empty(401),
    { isNoRoute: true },
  ),
  row('H1.6', 'with those of a user', by('reader', get('/admin/api/nope')), empty(403), { isNoRoute: true }),
  row('H1.6', 'with those of the super-user', by('super-user', get('/admin/api/nope')), told(404), NO_ROUTE),
  row(
    'H1.6',
    'a known path and a wrong method',
    by('super-user', using('TRACE', get('/admin/api/health'))),
    told(405),
    NO_ROUTE,
  ),
  row('H1.6', 'without credentials', by('anonymous', using('TRACE', get('/admin/api/health'))), empty(401), {
    isNoRoute: true,
  }),
  row('H1.6', 'health under the alias', by('super-user', get('/admin/api/health')), text(200, 'Ok'), {
    isNoRoute: true,
  }),
  row('H1.6', 'info under the alias', by('anonymous', get('/admin/api/info')), empty(401), {
    isNoRoute: true,
  }),
  row(
    'H1.6',
    'an alias of the alias is none',
    by('super-user', get('/admin/admin/api/health')),
    told(404),
    NO_ROUTE,
  ),
  row(
    'H1.6',
    'an encoded alias opens nothing',
    by('anonymous', get('/%61dmin/api/info')),
    told(404),
    NO_ROUTE,
  ),
  row('H1.6', 'the pages of administration are not served without a build', get('/admin'), told(404), {
    later: 'the page',
    isNoRoute: true,
  }),
  row('H1.6', 'nor are paths below', get('/admin/tables'), told(404), { later: 'the page', isNoRoute: true }),

  row(
    'H13',
    'a JSON null as body of a request without one',
    by(
      'super-user',
      having({ 'content-type': 'application/json' }, { ...get('/api/default-table'), body: 'null' }),
    ),
    json('default'),
  ),
  row(
    'H13',
    'Content-Type on a GET without a body',
    having({ 'content-type': 'application/json' }, get('/api/default-table')),
    json('default'),
  ),
  row(
    'H13',
    'Content-Type on a DELETE without a body',
    by('super-user', having({ 'content-type': 'application/json' }, del('/api/admin/table-extensions/obs2'))),
    text(400, /obs2/),
  ),
  row(
    'H13',
    'a JSON null on a DELETE',
    by('super-user', {
      ...del('/api/admin/datasets/upload?upload_id=6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11'),
      headers: { 'content-type': 'application/json' },
      body: 'null',
    }),
    text(404),
  ),
  row(
    'H13',
    'a JSON null on a POST of administration',
    by('super-user', post('/api/admin/datasets/upload/initiate?path=%new%.bin', 'null')),
    json({ upload_id: String, part_size: Number }),
  ),
  row(
    'H13',
    'null means absent everywhere',
    query({
      select: ['id'],
      from: 'obs',
      filter: null,
      filters: null,
      sort_by: null,
      distinct: null,
      limit: null,
      offset: null,
      output: null,
    }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H13',
    'null in an entry of select',
    query({ select: [{ column: 'id', alias: null }], from: 'obs' }),
    stream(['id'], { rows: 5 }),
  ),
  row(
    'H13',
    'an answer is not compressed unless asked for',
    sql('SELECT id FROM obs'),
    withHeaders({ 'content-encoding': null }, stream(['id'])),
  ),
  row('I4', 'list-datasets is as described', get('/api/list-datasets'), json(DATASETS)),
  row(
    'H1.2',
    'PUT of an unknown table',
    by('super-user', put('/api/admin/table-extensions/nope', {})),
    text(400, /nope/),
    { differs: 'A wrong body of `PUT /api/admin/table-extensions`' },
  ),
  row(
    'H1.2',
    'statements by GET change nothing',
    by('super-user', get(`/api/query?q=${encodeURIComponent('{"sql":"DROP TABLE obs"}')}`)),
    told(400),
    { differs: 'Statements by GET' },
  ),
  row(
    'H1.2',
    'a query by GET',
    get(`/api/query?q=${encodeURIComponent('{"sql":"SELECT 1 AS one"}')}`),
    stream(['one'], { rows: 1 }),
    { differs: '`GET /api/query?q=…`' },
  ),
]
