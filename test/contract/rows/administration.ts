import { csv, DONE, empty, json, stream, text, told, UUID, withHeaders } from '../expected.ts'
import { admin, by, bytes, del, get, having, post, put, sql, step, stepGiving } from '../requests.ts'
import type { Request } from '../row.ts'
import { type Row, row } from '../row.ts'
import { ANYTHING, all, atLeast, COUNT, each, either, including, inOrder } from '../shapes.ts'

function root(request: Request): Request {
  return by('super-user', request)
}

const TABLE = { name: '%new%', location: 'obs/', file_type: 'CSV' }
const CRAWLER = {
  name: '%new%',
  target_prefix: 'obs/',
  format_filter: ['csv'],
  table_naming: 'crawler_prefixed',
}
const NO_UPLOAD = '6f0c3f5e-8f0a-4c4f-9a0e-0f6d7a0b7c11'
const UPLOAD = '/api/admin/datasets/upload'
const BEFORE = 'Errors before a handler'

/** Paths that name no file which may be uploaded. */
const BAD_PATHS = [
  '',
  '/abs.bin',
  '../up.bin',
  'a/../b.bin',
  'a/./b.bin',
  './a.bin',
  'a%5Cb.bin',
  'a%00b.bin',
  '.',
  '/',
  '__service__/a.bin',
  'a/',
] as const

const begun = stepGiving('upload', 'upload_id', root(post(`${UPLOAD}/initiate?path=%new%.bin`)))
const part = (number: number, content: string): Request =>
  root(bytes('PUT', `${UPLOAD}/part?upload_id=%upload%&part_number=${number}`, content))

const MCP = {
  enabled: true,
  tool_name: 'a_tool',
  title: 'Title',
  description: 'Description',
  exposed_columns: ['id', { name: 'depth', description: 'below the sea' }],
}
const PRESET = {
  presets: [
    {
      name: 'near',
      description: 'near',
      filters: [
        { column: 'depth', op: 'between', value: [0, 20] },
        { column: 'platform', op: 'in', value: ['A'] },
      ],
    },
  ],
}
const made = step(admin("CREATE EXTERNAL TABLE %new% STORED AS CSV LOCATION 'obs/'"))
const extended = step(root(put('/api/admin/table-extensions/%new%', { mcp: MCP, preset: PRESET })))

/** Bodies of extensions that are wrong. */
const WRONG_EXTENSIONS: readonly unknown[] = [
  { nope: {} },
  { mcp: { nope: 1 } },
  { mcp: { enabled: 'yes' } },
  { mcp: { tool_name: 'a b' } },
  { mcp: { tool_name: '' } },
  { mcp: { exposed_columns: ['nope'] } },
  { mcp: { exposed_columns: [{ title: 'x' }] } },
  { preset: { presets: [{ name: 'a', filters: [{ column: 'nope', op: '=', value: 1 }] }] } },
  { preset: { presets: [{ name: 'a', filters: [{ column: 'id', op: '~', value: 1 }] }] } },
  { preset: { presets: [{ name: 'a', filters: [{ column: 'id', op: 'between', value: [1] }] }] } },
  { preset: { presets: [{ name: 'a', filters: [{ column: 'id', op: 'in', value: [] }] }] } },
  {
    preset: {
      presets: [
        { name: 'a', filters: [] },
        { name: 'a', filters: [] },
      ],
    },
  },
  { preset: {} },
]

/** Administration: H 7, H 8 and H 12.1. */
export const ADMINISTRATION: readonly Row[] = [
  row(
    'H8.3',
    'quotes are taken out of the name',
    root(get('/api/admin/datasets/download?path=%new%%22a.bin')),
    withHeaders(
      { 'content-disposition': 'attachment; filename="%new%a.bin"' },
      { status: 200, type: 'application/octet-stream', form: { kind: 'text', shape: 'x' }, headers: {} },
    ),
    { first: [step(root(bytes('POST', `${UPLOAD}?path=%new%%22a.bin`, 'x')))] },
  ),
  row('H7.1', 'check', root(get('/api/admin/check')), json({ is_admin: true })),
  row('H7.2', 'table-config', root(get('/api/admin/table-config')), json({ message: /no longer supported/ })),
  row(
    'H7.2',
    'of a table',
    root(get('/api/admin/table-config?table_name=obs')),
    json({ message: /no longer supported/ }),
  ),
  row(
    'H7.2',
    'of an unknown one',
    root(get('/api/admin/table-config?table_name=nope')),
    json({ message: /no longer supported/ }),
  ),
  row(
    'H12.1',
    'a definition',
    root(get('/api/admin/table-definition?table_name=obs')),
    json({
      table_catalog: 'service',
      table_schema: 'public',
      table_name: 'obs',
      definition: /^CREATE EXTERNAL TABLE obs .*STORED AS CSV.*LOCATION 'obs\/'/s,
    }),
  ),
  row(
    'H12.1',
    'of a view',
    root(get('/api/admin/table-definition?table_name=warm')),
    json(atLeast({ table_name: 'warm', definition: /^CREATE VIEW warm AS/ })),
  ),
  row(
    'H12.1',
    'of the default table',
    root(get('/api/admin/table-definition?table_name=default')),
    json(atLeast({ definition: null })),
  ),
  row(
    'H12.1',
    'of a table of the service',
    root(get('/api/admin/table-definition?table_name=users&catalog=service&schema=system')),
    json({ table_catalog: 'service', table_schema: 'system', table_name: 'users', definition: null }),
  ),
  row(
    'H12.1',
    'with catalog and schema',
    root(get('/api/admin/table-definition?table_name=obs&catalog=service&schema=public')),
    json(atLeast({ table_name: 'obs' })),
  ),
  row(
    'H12.1',
    'an unknown table',
    root(get('/api/admin/table-definition?table_name=nope')),
    text(404, /nope/),
  ),
  row('H12.1', 'no table', root(get('/api/admin/table-definition')), told(400, /table_name/), {
    differs: BEFORE,
  }),
  row(
    'H12.1',
    'secrets are masked',
    root(get('/api/admin/table-definition?table_name=%new%')),
    json(atLeast({ definition: /^(?!.*hunter2).*'\*\*\*'/s })),
    {
      first: [step(root(post('/api/admin/external-tables', { ...TABLE, options: { password: 'hunter2' } })))],
    },
  ),

  row('H7.7', 'a table', root(post('/api/admin/external-tables', TABLE)), empty()),
  row('H7.7', 'it can be read', sql('SELECT count(*) AS n FROM %new%', 'csv'), csv('n\n5\n'), {
    first: [step(root(post('/api/admin/external-tables', TABLE)))],
  }),
  row(
    'H7.7',
    'a type of file in lower case',
    root(post('/api/admin/external-tables', { ...TABLE, file_type: 'csv' })),
    empty(),
  ),
  row(
    'H7.7',
    'characters are taken out of it',
    root(post('/api/admin/external-tables', { ...TABLE, file_type: "C'S;V" })),
    empty(),
  ),
  row(
    'H7.7',
    'a name with dots and quotes',
    root(post('/api/admin/external-tables', { ...TABLE, name: 'a.b "%new%"' })),
    empty(),
  ),
  row(
    'H7.7',
    'options',
    root(
      post('/api/admin/external-tables', {
        name: '%new%',
        location: 'semicolons.csv',
        file_type: 'CSV',
        options: { delimiter: ';' },
      }),
    ),
    empty(),
  ),
  row(
    'H7.7',
    'null for what is not there',
    root(
      post('/api/admin/external-tables', {
        ...TABLE,
        partition_cols: null,
        options: null,
        if_not_exists: null,
      }),
    ),
    empty(),
  ),
  row(
    'H7.7',
    'partitions',
    root(post('/api/admin/external-tables', { ...TABLE, location: 'none/', partition_cols: ['year'] })),
    empty(),
  ),
  row(
    'H7.7',
    'unknown members are ignored',
    root(post('/api/admin/external-tables', { ...TABLE, color: 'blue' })),
    empty(),
  ),
  row('H7.7', 'an existing name', root(post('/api/admin/external-tables', TABLE)), empty(), {
    first: [step(root(post('/api/admin/external-tables', TABLE)))],
    differs: 'CREATE over a name that exists',
  }),
  row(
    'H7.7',
    'if it does not exist',
    root(post('/api/admin/external-tables', { ...TABLE, if_not_exists: true })),
    empty(),
    { first: [step(root(post('/api/admin/external-tables', TABLE)))] },
  ),
  row(
    'H7.7',
    'an unknown type',
    root(post('/api/admin/external-tables', { ...TABLE, file_type: 'NOTHING' })),
    text(400, /NOTHING/),
  ),
  ...['name', 'location', 'file_type'].map((member) =>
    row(
      'H7.7',
      `no ${member}`,
      root(
        post(
          '/api/admin/external-tables',
          Object.fromEntries(Object.entries(TABLE).filter(([name]) => name !== member)),
        ),
      ),
      told(422, new RegExp(member)),
      { differs: BEFORE },
    ),
  ),
  ...[{ name: 1 }, { location: [] }, { partition_cols: 'a' }, { options: [] }, { if_not_exists: 'yes' }].map(
    (wrong) =>
      row(
        'H7.7',
        `a member of another type: ${JSON.stringify(wrong)}`,
        root(post('/api/admin/external-tables', { ...TABLE, ...wrong })),
        told(422, new RegExp(Object.keys(wrong)[0] ?? '')),
        { differs: BEFORE },
      ),
  ),
  ...['PARQUET', 'GEOPARQUET', 'CSV', 'ARROW', 'NC', 'HDF5', 'H5', 'ZARR', 'TIFF', 'BBF'].map((file_type) =>
    row(
      'H7.7',
      `files of ${file_type}`,
      root(post('/api/admin/external-tables', { name: '%new%', location: 'none/', file_type })),
      empty(),
    ),
  ),
  ...['DELTA', 'ICEBERG', 'ICECHUNK', 'REMOTE', 'POSTGRES', 'MYSQL'].map((file_type) =>
    row(
      'H7.7',
      `files of ${file_type}`,
      root(post('/api/admin/external-tables', { name: '%new%', location: 'none/', file_type })),
      text(400, new RegExp(file_type)),
      { later: 'lake tables' },
    ),
  ),
  row(
    'H7.7',
    'a path out of the root',
    root(post('/api/admin/external-tables', { ...TABLE, location: '../x/' })),
    text(400, /\.\./),
  ),
  row(
    'H7.7',
    'a scheme',
    root(post('/api/admin/external-tables', { ...TABLE, location: 's3://a/b/' })),
    text(400, /s3/),
  ),

  ...crawlers(),

  row(
    'H8.1',
    'an upload',
    root(bytes('POST', `${UPLOAD}?path=%new%/a.bin`, '0123456789')),
    json({ path: '%new%/a.bin', size: 10 }),
  ),
  row(
    'H8.1',
    'of any media type',
    root(having({ 'content-type': 'text/csv' }, bytes('POST', `${UPLOAD}?path=%new%.csv`, 'id\n1\n'))),
    json({ path: '%new%.csv', size: 5 }),
  ),
  row(
    'H8.1',
    'of none',
    root(having({ 'content-type': undefined }, bytes('POST', `${UPLOAD}?path=%new%.exe`, 'x'))),
    json({ path: '%new%.exe', size: 1 }),
  ),
  row(
    'H8.1',
    'of JSON',
    root(having({ 'content-type': 'application/json' }, bytes('POST', `${UPLOAD}?path=%new%.json`, '{'))),
    json({ path: '%new%.json', size: 1 }),
  ),
  row(
    'H8.1',
    'without bytes',
    root(bytes('POST', `${UPLOAD}?path=%new%.bin`, '')),
    json({ path: '%new%.bin', size: 0 }),
  ),
  row(
    'H8.1',
    'one that is there',
    root(bytes('POST', `${UPLOAD}?path=obs/a.csv`, 'x')),
    text(409, /obs\/a\.csv/),
  ),
  row(
    'H8.1',
    'one that is there, with overwrite=false',
    root(bytes('POST', `${UPLOAD}?path=obs/a.csv&overwrite=false`, 'x')),
    text(409),
  ),
  row(
    'H8.1',
    'to overwrite it',
    root(bytes('POST', `${UPLOAD}?path=%new%.bin&overwrite=true`, 'new')),
    json({ path: '%new%.bin', size: 3 }),
    { first: [step(root(bytes('POST', `${UPLOAD}?path=%new%.bin`, 'old')))] },
  ),
  row(
    'H8.1',
    'to overwrite nothing',
    root(bytes('POST', `${UPLOAD}?path=%new%.bin&overwrite=true`, 'new')),
    json({ path: '%new%.bin', size: 3 }),
  ),
  row('H8.1', 'the next query sees it', sql("SELECT id FROM read_csv('%new%.csv')", 'csv'), csv('id\n7\n'), {
    first: [step(root(bytes('POST', `${UPLOAD}?path=%new%.csv`, 'id\n7\n')))],
  }),
  row('H8.1', 'no path', root(bytes('POST', UPLOAD, 'x')), told(400, /path/), { differs: BEFORE }),
  ...BAD_PATHS.flatMap((path) => [
    row(
      'H8.1',
      `a path that names no file: ${path}`,
      root(bytes('POST', `${UPLOAD}?path=${path}`, 'x')),
      text(400),
    ),
    row('H8.2', `to begin with it: ${path}`, root(post(`${UPLOAD}/initiate?path=${path}`)), text(400)),
    row('H8.3', `to download it: ${path}`, root(get(`/api/admin/datasets/download?path=${path}`)), text(400)),
    row('H8.4', `to delete it: ${path}`, root(del(`/api/admin/datasets?path=${path}`)), text(400)),
  ]),
  row(
    'H8.1',
    'beyond the limit',
    root(bytes('POST', `${UPLOAD}?path=%new%.bin`, '0123456789')),
    text(413, /SERVICE_MAX_UPLOAD_BYTES/),
    { world: 'small uploads' },
  ),
  row(
    'H8.1',
    'within it',
    root(bytes('POST', `${UPLOAD}?path=%new%.bin`, '01234567')),
    json({ path: '%new%.bin', size: 8 }),
    { world: 'small uploads' },
  ),
  row('H8.2', 'parts beyond it', part(2, '01234'), text(413), {
    world: 'small uploads',
    first: [begun, step(part(1, '01234'))],
  }),

  row(
    'H8.2',
    'to begin',
    root(post(`${UPLOAD}/initiate?path=%new%.bin`)),
    json({ upload_id: /^[0-9a-f-]{36}$/, part_size: 33_554_432 }),
  ),
  row('H8.2', 'to begin with one that is there', root(post(`${UPLOAD}/initiate?path=obs/a.csv`)), text(409)),
  row('H8.2', 'a part', part(1, 'abc'), empty(204), { first: [begun] }),
  row('H8.2', 'the next one', part(2, 'def'), empty(204), { first: [begun, step(part(1, 'abc'))] }),
  row('H8.2', 'the last one again', part(1, 'abc'), empty(204), {
    first: [begun, step(part(1, 'abc'))],
    differs: 'The last part again',
  }),
  row('H8.2', 'with other bytes', part(1, 'xyz'), text(409), { first: [begun, step(part(1, 'abc'))] }),
  row('H8.2', 'a gap', part(3, 'x'), text(409), { first: [begun, step(part(1, 'abc'))] }),
  row('H8.2', 'a part 0', part(0, 'x'), told(400, /part_number/), { first: [begun], differs: BEFORE }),
  row(
    'H8.2',
    'a number that is none',
    root(bytes('PUT', `${UPLOAD}/part?upload_id=%upload%&part_number=x`, 'x')),
    told(400, /part_number/),
    { first: [begun], differs: BEFORE },
  ),
  row(
    'H8.2',
    'an unknown upload',
    root(bytes('PUT', `${UPLOAD}/part?upload_id=${NO_UPLOAD}&part_number=1`, 'x')),
    text(404),
  ),
  row(
    'H8.2',
    'an id that is none',
    root(bytes('PUT', `${UPLOAD}/part?upload_id=x&part_number=1`, 'x')),
    told(400, /upload_id/),
    { differs: BEFORE },
  ),
  row(
    'H8.2',
    'to finish',
    root(post(`${UPLOAD}/complete?upload_id=%upload%`)),
    json({ path: '%new%.bin', size: 6 }),
    { first: [begun, step(part(1, 'abc')), step(part(2, 'def'))] },
  ),
  row('H8.2', 'to finish without parts', root(post(`${UPLOAD}/complete?upload_id=%upload%`)), text(409), {
    first: [begun],
    differs: 'An upload in parts that is completed without any part',
  }),
  row('H8.2', 'to finish an unknown one', root(post(`${UPLOAD}/complete?upload_id=${NO_UPLOAD}`)), text(404)),
  row('H8.2', 'to finish an id that is none', root(post(`${UPLOAD}/complete?upload_id=x`)), told(400), {
    differs: BEFORE,
  }),
  row('H8.2', 'to end', root(del(`${UPLOAD}?upload_id=%upload%`)), empty(204), { first: [begun] }),
  row('H8.2', 'to end an unknown one', root(del(`${UPLOAD}?upload_id=${NO_UPLOAD}`)), text(404)),
  row('H8.2', 'to end an id that is none', root(del(`${UPLOAD}?upload_id=x`)), told(400), {
    differs: BEFORE,
  }),
  row('H8.2', 'a part after the end', part(1, 'abc'), text(404), {
    first: [begun, step(root(del(`${UPLOAD}?upload_id=%upload%`)))],
  }),
  row(
    'H8.2',
    'two uploads of a path',
    root(post(`${UPLOAD}/initiate?path=%new%.bin`)),
    text(409, /%new%\.bin/),
    { first: [begun], differs: 'Two uploads of one path' },
  ),

  row(
    'H8.3',
    'a download',
    root(get('/api/admin/datasets/download?path=text.csv')),
    withHeaders(
      { 'content-disposition': 'attachment; filename="text.csv"', 'content-length': '5' },
      {
        status: 200,
        type: 'application/octet-stream',
        form: { kind: 'text', shape: 'id\nx\n' },
        headers: {},
      },
    ),
  ),
  row(
    'H8.3',
    'the last part of the name',
    root(get('/api/admin/datasets/download?path=obs/a.csv')),
    withHeaders(
      { 'content-disposition': 'attachment; filename="a.csv"' },
      {
        status: 200,
        type: 'application/octet-stream',
        form: { kind: 'text', shape: /^id,platform/ },
        headers: {},
      },
    ),
  ),
  row(
    'H8.3',
    'a missing one',
    root(get('/api/admin/datasets/download?path=none.csv')),
    text(404, /none\.csv/),
  ),
  row(
    'H8.3',
    'a range',
    root(having({ range: 'bytes=0-1' }, get('/api/admin/datasets/download?path=text.csv'))),
    withHeaders(
      { 'content-range': 'bytes 0-1/5' },
      { status: 206, type: 'application/octet-stream', form: { kind: 'text', shape: 'id' }, headers: {} },
    ),
    { differs: 'Downloads' },
  ),
  row('H8.4', 'to delete', root(del('/api/admin/datasets?path=%new%.bin')), empty(204), {
    first: [step(root(bytes('POST', `${UPLOAD}?path=%new%.bin`, 'x')))],
  }),
  row('H8.4', 'to delete what is missing', root(del('/api/admin/datasets?path=%new%.bin')), text(404)),
  row('H8.4', 'to delete a folder', root(del('/api/admin/datasets?path=obs')), text(400)),
  row('H8.4', 'no path', root(del('/api/admin/datasets')), told(400, /path/), { differs: BEFORE }),
  row(
    'H8.4',
    'one that a table names',
    root(del('/api/admin/datasets?path=UPPER.csv')),
    text(409, /MyTable/),
    { differs: 'Deleting a file that a table or a view names' },
  ),
  row(
    'H8.5',
    'storage',
    root(get('/api/admin/datasets/storage')),
    json({
      kind: 'local',
      location: /datasets$/,
      mount_point: either(String, null),
      total_space: COUNT,
      used_space: COUNT,
      free_space: COUNT,
      used_percent: Number,
      object_count: null,
      writable: true,
    }),
    { differs: '`writable` in the answer about storage' },
  ),

  row(
    'H8.6',
    'users',
    root(get('/api/admin/auth/users')),
    json(
      all(
        each({ username: String, roles: each(String), is_super_user: Boolean, is_anonymous: Boolean }),
        including(
          { username: 'service-admin', roles: [], is_super_user: true, is_anonymous: false },
          { username: 'reader', roles: ['everything'], is_super_user: false, is_anonymous: false },
          { username: 'anonymous', roles: ['everything'], is_super_user: false, is_anonymous: true },
        ),
      ),
    ),
  ),
  row('H8.6', 'the super-user is first', root(get('/api/admin/auth/users')), {
    ...json(null),
    form: { kind: 'text', shape: /^\[\{"username":"service-admin"/ },
  }),
  row(
    'H8.6',
    'roles',
    root(get('/api/admin/auth/roles')),
    json(
      all(
        inOrder('name'),
        including(
          {
            name: 'observers',
            grants: [
              { privilege: 'SELECT', target_type: 'path', target_value: 'obs/**' },
              { privilege: 'SELECT', target_type: 'table', target_value: 'obs' },
            ],
            denies: [],
          },
          {
            name: 'everything',
            grants: [{ privilege: 'SELECT', target_type: 'all', target_value: null }],
            denies: [],
          },
        ),
      ),
    ),
  ),
  row(
    'H8.6',
    'a role that denies',
    root(get('/api/admin/auth/roles')),
    json(
      including({
        name: '%new%',
        grants: [],
        denies: [{ privilege: 'SELECT', target_type: 'table', target_value: 'secret' }],
      }),
    ),
    { first: [step(admin('CREATE ROLE %new%')), step(admin('DENY SELECT ON TABLE secret TO ROLE %new%'))] },
  ),
  row(
    'H13',
    'users as a table',
    admin("SELECT username, roles FROM service.system.users WHERE username = 'reader'"),
    stream(['username', 'roles'], { rows: 1, types: ['Utf8', 'Utf8'] }),
  ),
  row(
    'H13',
    'roles as a table',
    admin("SELECT * FROM service.system.roles WHERE role_name = 'observers'"),
    stream(['role_name', 'grants', 'denies'], { rows: 1, types: ['Utf8', 'Utf8', 'Utf8'] }),
  ),

  row(
    'H8.7',
    'to set both',
    root(put('/api/admin/table-extensions/%new%', { mcp: MCP, preset: PRESET })),
    empty(),
    { first: [made] },
  ),
  row(
    'H8.7',
    'they are shown',
    root(get('/api/table-extensions?table_name=%new%')),
    json({ mcp: atLeast({ tool_name: 'a_tool', enabled: true }), preset: ANYTHING }),
    { first: [made, extended] },
  ),
  row(
    'H8.7',
    'to set one takes the other away',
    root(get('/api/table-extensions?table_name=%new%')),
    json({ mcp: ANYTHING }),
    { first: [made, extended, step(root(put('/api/admin/table-extensions/%new%', { mcp: MCP })))] },
  ),
  row('H8.7', 'to set none', root(get('/api/table-extensions?table_name=%new%')), json({}), {
    first: [made, extended, step(root(put('/api/admin/table-extensions/%new%', {})))],
  }),
  row('H8.7', 'to take them away', root(del('/api/admin/table-extensions/%new%')), empty(), {
    first: [made, extended],
  }),
  row('H8.7', 'there are none then', root(get('/api/table-extensions?table_name=%new%')), json({}), {
    first: [made, extended, step(root(del('/api/admin/table-extensions/%new%')))],
  }),
  row('H8.7', 'to take away what is not there', root(del('/api/admin/table-extensions/%new%')), empty(), {
    first: [made],
  }),
  row('H8.7', 'they are gone with the table', root(get('/api/table-extensions?table_name=%new%')), json({}), {
    first: [made, extended, step(admin('DROP TABLE %new%')), made],
  }),
  ...WRONG_EXTENSIONS.map((body) =>
    row(
      'H8.7',
      `a wrong body: ${JSON.stringify(body)}`,
      root(put('/api/admin/table-extensions/%new%', body)),
      text(400),
      { first: [made], differs: 'A wrong body of `PUT /api/admin/table-extensions`' },
    ),
  ),
  row('H8.7', 'a body that is no object', root(put('/api/admin/table-extensions/%new%', '[]')), told(422), {
    first: [made],
    differs: BEFORE,
  }),
  row('H8.7', 'without the right', by('reader', put('/api/admin/table-extensions/obs', {})), empty(403)),
  row('H8.7', 'without credentials', by('anonymous', del('/api/admin/table-extensions/obs')), empty(401)),
  row('S1.11', 'by SQL', admin("SET EXTENSION 'mcp' FOR %new% TO '{\"enabled\": true}'"), DONE, {
    first: [made],
  }),
  row(
    'S1.11',
    'shown',
    admin('SHOW EXTENSIONS FOR %new%'),
    stream(['extensions'], { rows: 1, types: ['Utf8'] }),
    { first: [made] },
  ),
  row(
    'S1.11',
    'a table without shows {}',
    {
      ...admin('SHOW EXTENSIONS FOR ctd'),
      body: { sql: 'SHOW EXTENSIONS FOR ctd', output: { format: 'csv' } },
    },
    csv('extensions\n{}\n'),
  ),
  row('S1.11', 'to drop one', admin("DROP EXTENSION 'mcp' FOR %new%"), DONE, { first: [made] }),
  row('S1.11', 'an unknown kind', admin("SET EXTENSION 'nope' FOR obs TO '{}'"), told(400, /nope/)),
  row('S1.11', 'an unknown key', admin("SET EXTENSION 'mcp' FOR obs TO '{\"nope\": 1}'"), told(400, /nope/)),
  row('S1.11', 'no JSON', admin("SET EXTENSION 'mcp' FOR obs TO '{'"), told(400)),
]

/** H 7.3 to H 7.6, and S 1.10. */
function crawlers(): readonly Row[] {
  const more = { differs: 'The report of a crawl' } as const
  const defined = step(root(post('/api/admin/crawlers', CRAWLER)))
  const record = {
    name: '%new%',
    target_prefix: 'obs/',
    format_filter: ['csv'],
    table_naming: 'crawler_prefixed',
    detect_partitions: true,
    schedule_secs: null,
    event_driven: false,
    options: {},
  }
  const ran = {
    crawler: '%new%',
    discovered: 1,
    created: ['%new%_obs'],
    updated: [],
    skipped: [],
    failed: [],
    skipped_files: 0,
    vanished: [],
    unread: [],
    dry_run: false,
  }
  const run = root(post('/api/admin/crawlers/%new%/run'))
  return [
    row('H7.3', 'a crawler', root(post('/api/admin/crawlers', CRAWLER)), empty()),
    row(
      'H7.3',
      'its name and prefix alone',
      root(post('/api/admin/crawlers', { name: '%new%', target_prefix: 'obs/' })),
      empty(),
    ),
    row('H7.3', 'one of the same name', root(post('/api/admin/crawlers', CRAWLER)), empty(), {
      first: [defined],
    }),
    row(
      'H7.3',
      'no prefix',
      root(post('/api/admin/crawlers', { name: '%new%' })),
      told(422, /target_prefix/),
    ),
    row(
      'H7.3',
      'an unknown naming',
      root(post('/api/admin/crawlers', { ...CRAWLER, table_naming: 'nope' })),
      told(422, /table_naming/),
    ),
    row('H7.3', 'without credentials', by('anonymous', post('/api/admin/crawlers', CRAWLER)), empty(401)),
    row('H7.3', 'as a user', by('reader', post('/api/admin/crawlers', CRAWLER)), empty(403)),
    row('H7.4', 'all of them', root(get('/api/admin/crawlers')), json(including(record)), {
      first: [defined],
    }),
    row('H7.4', 'one', root(get('/api/admin/crawlers/%new%')), json(record), { first: [defined] }),
    row('H7.4', 'an unknown one', root(get('/api/admin/crawlers/%new%')), text(404, /%new%/)),
    row('H7.5', 'to run it', run, json(ran), { ...more, first: [defined] }),
    row(
      'H7.5',
      'to run it with a null',
      { ...run, headers: { 'content-type': 'application/json' }, body: 'null' },
      json(ran),
      { ...more, first: [defined] },
    ),
    row('H7.5', 'to run it again', run, json({ ...ran, created: [], updated: ['%new%_obs'] }), {
      ...more,
      first: [defined, step(run)],
    }),
    row('H7.5', 'to run an unknown one', run, text(400, /%new%/)),
    row('H7.5', 'the table that it makes', sql('SELECT count(*) AS n FROM %new%_obs', 'csv'), csv('n\n5\n'), {
      first: [defined, step(run)],
    }),
    row(
      'H7.5',
      'what its runs were',
      root(get('/api/admin/crawlers/%new%/runs')),
      json([
        {
          run_id: UUID,
          crawler: '%new%',
          trigger: 'request',
          dry_run: true,
          state: 'done',
          started_at: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
          duration_ms: COUNT,
          folders: COUNT,
          files: COUNT,
          tables: 1,
          report: { ...ran, dry_run: true },
          error: null,
        },
      ]),
      {
        differs: '`/api/admin/crawlers/{name}/runs`',
        first: [defined, step(root(post('/api/admin/crawlers/%new%/run?dry_run=true')))],
      },
    ),
    row('H7.6', 'to drop it', root(del('/api/admin/crawlers/%new%')), empty(), {
      first: [defined],
    }),
    row('H7.6', 'its tables stay', sql('SELECT count(*) AS n FROM %new%_obs', 'csv'), csv('n\n5\n'), {
      first: [defined, step(run), step(root(del('/api/admin/crawlers/%new%')))],
    }),
    row('H7.6', 'to drop an unknown one', root(del('/api/admin/crawlers/%new%')), text(400, /%new%/)),
    row('S1.10', 'by SQL', admin("CREATE CRAWLER %new% ON 'obs/' WITH ('format' 'csv')"), DONE),
    row(
      'S1.10',
      'to run it',
      admin('RUN CRAWLER %new%'),
      stream(
        [
          ...['crawler', 'discovered', 'created', 'updated', 'skipped', 'failed', 'skipped_files'],
          ...['vanished', 'unread', 'dry_run'],
        ],
        { rows: 1 },
      ),
      { ...more, first: [defined] },
    ),
    row(
      'S1.10',
      'shown',
      admin('SHOW CRAWLERS'),
      stream([
        'name',
        'target_prefix',
        'format_filter',
        'detect_partitions',
        'schedule_secs',
        'event_driven',
        'table_naming',
        'options',
      ]),
    ),
    row('S1.10', 'to drop it', admin('DROP CRAWLER %new%'), DONE, { first: [defined] }),
    row('S1.10', 'no prefix', admin("CREATE CRAWLER %new% WITH ('format' 'csv')"), told(400)),
    row('S1.10', 'to drop an unknown one', admin('DROP CRAWLER %new%'), told(400)),
  ]
}
