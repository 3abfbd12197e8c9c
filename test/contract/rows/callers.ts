import { csv, DONE, empty, json, stream, text, told } from '../expected.ts'
import { admin, by, get, having, post, query, sql, step } from '../requests.ts'
import { type CallerName, type Row, row } from '../row.ts'
import { ANYTHING, atLeast, each, including, without } from '../shapes.ts'

const USERS = ['anonymous', 'reader', 'limited', 'roleless', 'super-user'] as const
const OTHERS = ['anonymous', 'reader', 'limited', 'roleless'] as const
const WRONG = ['wrong password', 'unknown user'] as const

/** Headers that are no credentials. */
const BROKEN = {
  'another scheme': 'Digest abc',
  'the scheme in lower case': 'basic c2VydmljZS1hZG1pbjpzZXJ2aWNlLXBhc3N3b3Jk',
  'no base64': 'Basic !!!',
  'no colon': `Basic ${Buffer.from('nobody').toString('base64')}`,
  'no UTF-8': `Basic ${Buffer.from([0xff, 0xfe, 0x3a]).toString('base64')}`,
  'an empty bearer': 'Bearer ',
  'a bearer where there is no issuer': 'Bearer abc',
} as const

const CLIENT_ROUTES = [
  '/api/info',
  '/api/tables',
  '/api/catalogs',
  '/api/list-datasets',
  '/api/default-table',
  '/api/tables-with-schema',
] as const

/** Statements and tables that are the super-user's. */
const ALONE = [
  "CREATE EXTERNAL TABLE x STORED AS CSV LOCATION 'obs/'",
  'CREATE VIEW x AS SELECT 1 AS one',
  'DROP TABLE obs',
  'REFRESH obs',
  'SHOW CREATE TABLE obs',
  "CREATE USER x WITH PASSWORD 'y'",
  'DROP USER reader',
  'CREATE ROLE x',
  'GRANT SELECT ON ALL TO ROLE observers',
  'DENY SELECT ON ALL TO ROLE observers',
  'REVOKE SELECT ON ALL FROM ROLE observers',
  "SET EXTENSION 'mcp' FOR obs TO '{}'",
  'INSERT INTO obs VALUES (1)',
  'UPDATE obs SET id = 1',
  'DELETE FROM obs',
  'ALTER TABLE obs ADD COLUMN x INT',
  'CREATE TABLE x AS SELECT 1 AS one',
  'CREATE MATERIALIZED VIEW x AS SELECT 1 AS one',
  "CREATE CRAWLER x ON 'obs/'",
  'RUN CRAWLER x',
  'SHOW CRAWLERS',
  'DROP CRAWLER x',
  'CREATE INDEX i ON obs (id)',
  'SHOW INDEXES',
  "ATTACH 'service://a' AS b",
  'DETACH b',
  "CREATE SECRET s (TYPE S3, KEY_ID 'k')",
  "CREATE PERSISTENT SECRET s (TYPE S3, KEY_ID 'k')",
  'DROP SECRET s',
  'SHOW SECRETS',
  'ANALYZE FILES',
  'SELECT * FROM information_schema.tables',
  'SELECT table_name FROM information_schema.columns LIMIT 1',
  'SELECT * FROM service.system.users',
  'SELECT * FROM service.system.query_metrics',
  'SELECT * FROM (SELECT * FROM service.system.roles)',
] as const

/** The same that the specification has for everybody else too, and those of DuckDB. */
const REFUSED = [
  "COPY obs TO 'x.csv'",
  'SET threads = 1',
  'PRAGMA version',
  'CALL x()',
  "INSTALL 'spatial'",
  "LOAD 'spatial'",
  "EXPORT DATABASE 'x'",
  'BEGIN',
  'CHECKPOINT',
  'VACUUM',
  'TRUNCATE obs',
  'PREPARE p AS SELECT 1',
  'USE x',
] as const

/** Who asks, and what they may. */
export const CALLERS: readonly Row[] = [
  ...CLIENT_ROUTES.flatMap((path) => [
    ...USERS.map((caller) => row('H2.3', `${caller} at a client route`, by(caller, get(path)), anyJson())),
    ...WRONG.map((caller) =>
      row('H2.1', 'wrong credentials are never anonymous', by(caller, get(path)), empty(401)),
    ),
  ]),
  ...USERS.map((caller) =>
    row('H2.3', `${caller} runs a query`, by(caller, sql('SELECT 1 AS one')), stream(['one'], { rows: 1 })),
  ),
  ...WRONG.map((caller) =>
    row('H2.3', `a query with a ${caller}`, by(caller, sql('SELECT 1 AS one')), empty(401)),
  ),
  ...Object.entries(BROKEN).flatMap(([what, authorization]) => [
    row(
      'H2.1',
      `${what} at a client route`,
      by('anonymous', having({ authorization }, get('/api/tables'))),
      empty(401),
    ),
    row(
      'H2.1',
      `${what} at a query`,
      by('anonymous', having({ authorization }, sql('SELECT 1 AS one'))),
      empty(401),
    ),
    row(
      'H2.1',
      `${what} at a route of administration`,
      by('anonymous', having({ authorization }, get('/api/admin/check'))),
      empty(401),
    ),
    row(
      'H2.1',
      `${what} at health`,
      by('anonymous', having({ authorization }, get('/api/health'))),
      text(200, 'Ok'),
    ),
  ]),
  row(
    'H2.1',
    'the password goes on behind a colon',
    by(
      'anonymous',
      having({ authorization: `Basic ${Buffer.from('%new%:a:b').toString('base64')}` }, get('/api/tables')),
    ),
    empty(401),
  ),
  ...[...USERS, ...WRONG].map((caller) =>
    row('H2.3', `health for ${caller}`, by(caller, get('/api/health')), text(200, 'Ok')),
  ),
  ...adminRoutes(),
  row(
    'H2.2',
    'the name of the super-user is reserved',
    admin('CREATE USER "service-admin" WITH PASSWORD \'x\''),
    told(400, /super-user/),
  ),
  row('H2.2', 'it cannot be dropped', admin('DROP USER "service-admin"'), told(400, /super-user/)),
  row(
    'H2.4',
    'DROP USER anonymous while anonymous access is on',
    admin('DROP USER anonymous'),
    told(400, /anonymous/),
  ),
  row('H2.2', 'a stored user', admin("CREATE USER %new% WITH PASSWORD 'p'"), DONE),
  row('H2.4', 'a user twice', admin("CREATE USER %new% WITH PASSWORD 'p'"), told(400, /user of this name/), {
    first: [step(admin("CREATE USER %new% WITH PASSWORD 'p'"))],
  }),
  row('H2.4', 'DROP USER', admin('DROP USER %new%'), DONE, {
    first: [step(admin("CREATE USER %new% WITH PASSWORD 'p'"))],
  }),
  row('H2.4', 'DROP USER of nobody', admin('DROP USER %new%'), told(400, /%new%/)),
  row('H2.4', 'CREATE ROLE', admin('CREATE ROLE %new%'), DONE),
  row('H2.4', 'a role twice', admin('CREATE ROLE %new%'), told(400, /%new%/), {
    first: [step(admin('CREATE ROLE %new%'))],
  }),
  row('H2.4', 'DROP ROLE', admin('DROP ROLE %new%'), DONE, { first: [step(admin('CREATE ROLE %new%'))] }),
  row('H2.4', 'DROP ROLE of none', admin('DROP ROLE %new%'), told(400, /%new%/)),
  row('H2.4', 'GRANT ROLE', admin('GRANT ROLE %new% TO USER %new%'), DONE, { first: account() }),
  row('H2.4', 'GRANT ROLE that is none', admin('GRANT ROLE %new% TO USER reader'), told(400, /%new%/)),
  row('H2.4', 'GRANT ROLE to nobody', admin('GRANT ROLE observers TO USER %new%'), told(400, /%new%/)),
  row('H2.4', 'REVOKE ROLE', admin('REVOKE ROLE %new% FROM USER %new%'), DONE, {
    first: [...account(), step(admin('GRANT ROLE %new% TO USER %new%'))],
  }),
  ...['', ' ON ALL', ' ON TABLE obs', ' ON TABLE public.obs', " ON PATH 'obs/**'"].flatMap((target) => [
    row('H2.4', `GRANT SELECT${target}`, admin(`GRANT SELECT${target} TO ROLE %new%`), DONE, {
      first: [step(admin('CREATE ROLE %new%'))],
    }),
    row('H2.4', `DENY SELECT${target}`, admin(`DENY SELECT${target} TO ROLE %new%`), DONE, {
      first: [step(admin('CREATE ROLE %new%'))],
    }),
    row(
      'S3.4',
      `REVOKE SELECT${target} that is not there`,
      admin(`REVOKE SELECT${target} FROM ROLE %new%`),
      DONE,
      { first: [step(admin('CREATE ROLE %new%'))] },
    ),
    row('S3.4', `REVOKE DENY SELECT${target}`, admin(`REVOKE DENY SELECT${target} FROM ROLE %new%`), DONE, {
      first: [step(admin('CREATE ROLE %new%')), step(admin(`DENY SELECT${target} TO ROLE %new%`))],
    }),
  ]),
  ...['INSERT', 'UPDATE', 'DELETE', 'CREATE', 'DROP', 'ALL'].flatMap((privilege) => [
    row(
      'S3.4',
      `GRANT ${privilege}: roles are read-only`,
      admin(`GRANT ${privilege} ON TABLE obs TO ROLE observers`),
      told(400, /SELECT/),
    ),
    row(
      'S3.4',
      `DENY ${privilege}`,
      admin(`DENY ${privilege} ON TABLE obs TO ROLE observers`),
      told(400, /SELECT/),
    ),
  ]),
  row('S3.4', 'no IF EXISTS', admin('DROP USER IF EXISTS %new%'), told(400)),
  row('S3.4', 'no ALTER USER', admin("ALTER USER reader WITH PASSWORD 'x'"), told(400)),
  ...OTHERS.flatMap((caller) =>
    ALONE.map((statement) =>
      row('H2.5', `${caller}: ${statement}`, by(caller, sql(statement)), told(400, /super-user/)),
    ),
  ),
  ...REFUSED.flatMap((statement) => [
    row('H2.5', `others: ${statement}`, by('reader', sql(statement)), told(400)),
    row('S1.15', `the super-user: ${statement}`, admin(statement), told(400), {
      differs: 'Files without a function, `information_schema`, settings',
    }),
  ]),
  row(
    'H2.5',
    'a JSON query over a table of the service',
    by('reader', query({ select: ['username'], from: 'service.system.users' })),
    told(400, /super-user/),
  ),
  row(
    'H2.5',
    'others see none of metadata in a subquery',
    by(
      'reader',
      sql(
        'SELECT count(*) AS n FROM obs WHERE platform IN (SELECT table_name FROM information_schema.tables)',
      ),
    ),
    told(400, /super-user/),
  ),
  row(
    'H2.5',
    'SHOW TABLES for everybody',
    by('reader', sql('SHOW TABLES')),
    stream(['table_catalog', 'table_schema', 'table_name', 'table_type']),
    { differs: '`SHOW TABLES`, `SHOW COLUMNS`, `SHOW FUNCTIONS`' },
  ),
  row(
    'H2.5',
    'SHOW FUNCTIONS for everybody',
    by('reader', sql("SHOW FUNCTIONS LIKE 'abs'")),
    stream([
      'function_name',
      'return_type',
      'parameters',
      'parameter_types',
      'function_type',
      'description',
      'syntax_example',
    ]),
    { differs: '`SHOW TABLES`, `SHOW COLUMNS`, `SHOW FUNCTIONS`' },
  ),
  row(
    'S1.2',
    'DESCRIBE, SUMMARIZE and EXPLAIN are for everybody',
    by('reader', sql('DESCRIBE obs')),
    stream(['column_name', 'data_type', 'is_nullable'], { rows: 7 }),
  ),
  row(
    'S1.2',
    'SUMMARIZE',
    by('reader', sql('SUMMARIZE obs')),
    stream(
      ['column_name', 'column_type', 'min', 'max', 'distinct', 'avg', 'std', 'count', 'null_percentage'],
      { rows: 7 },
    ),
  ),
  row('S1.2', 'EXPLAIN', by('reader', sql('EXPLAIN SELECT id FROM obs')), stream(['plan_type', 'plan'])),

  ...['limited', 'roleless'].flatMap((caller) => {
    const as = caller as CallerName
    return [
      row(
        'S3.5',
        `${caller} reads everything without rules`,
        by(as, sql('SELECT count(*) AS n FROM ctd', 'csv')),
        csv('n\n10\n'),
        { world: 'without rules' },
      ),
      row(
        'S3.5',
        `${caller} reads files without rules`,
        by(as, sql("SELECT count(*) AS n FROM read_csv('deep/er/c.csv')", 'csv')),
        csv('n\n1\n'),
        { world: 'without rules' },
      ),
      row(
        'H2.6',
        `${caller} sees all tables without rules`,
        by(as, get('/api/tables')),
        json(including('MyTable', 'ctd', 'default', 'obs', 'secret', 'warm')),
        { world: 'without rules' },
      ),
    ]
  }),
  row(
    'H2.4',
    'a table without a grant',
    by('limited', sql('SELECT id FROM ctd')),
    told(400, /permission denied: SELECT on table/),
    { world: 'with rules' },
  ),
  row('H2.4', 'a table with one', by('limited', sql('SELECT count(*) AS n FROM obs', 'csv')), csv('n\n5\n'), {
    world: 'with rules',
  }),
  row(
    'H2.4',
    'a table in JSON',
    by('limited', query({ select: ['id'], from: 'ctd' })),
    told(400, /permission denied: SELECT on table/),
    { world: 'with rules' },
  ),
  row(
    'H2.4',
    'a table that is granted, in JSON',
    by('limited', query({ select: ['id'], from: 'obs' })),
    stream(['id'], { rows: 5 }),
    { world: 'with rules' },
  ),
  row(
    'S3.6',
    'a path with a grant',
    by('limited', sql("SELECT count(*) AS n FROM read_csv('obs/*.csv')", 'csv')),
    csv('n\n5\n'),
    { world: 'with rules' },
  ),
  row(
    'S3.6',
    'a path without one',
    by('limited', sql("SELECT count(*) AS n FROM read_csv('deep/er/c.csv')")),
    told(400, /permission denied: SELECT on path/),
    { world: 'with rules' },
  ),
  row(
    'S3.6',
    'in JSON',
    by('limited', query({ select: ['id'], from: { csv: { paths: ['deep/er/c.csv'] } } })),
    told(400, /permission denied: SELECT on path/),
    { world: 'with rules' },
  ),
  row(
    'S3.6',
    'a glob is expanded first',
    by('limited', sql("SELECT count(*) AS n FROM read_csv('**/*.csv')")),
    told(400, /permission denied: SELECT on path/),
    { world: 'with rules' },
  ),
  row(
    'S3.6',
    'what is not there is refused alike',
    by('limited', sql("SELECT * FROM read_csv('none.csv')")),
    told(400, /permission denied: SELECT on path/),
    { world: 'with rules' },
  ),
  row(
    'S3.5',
    'nothing is allowed by default',
    by('roleless', sql('SELECT id FROM obs')),
    told(400, /permission denied: SELECT on table/),
    { world: 'with rules' },
  ),
  row(
    'S3.5',
    'nor are paths',
    by('roleless', sql("SELECT id FROM read_csv('obs/a.csv')")),
    told(400, /permission denied: SELECT on path/),
    { world: 'with rules' },
  ),
  row(
    'S3.5',
    'a query without a table needs nothing',
    by('roleless', sql('SELECT 1 AS one')),
    stream(['one']),
    { world: 'with rules' },
  ),
  row('S3.6', 'hole: DESCRIBE', by('limited', sql('DESCRIBE ctd')), told(400, /permission denied/), {
    world: 'with rules',
  }),
  row(
    'S3.6',
    'hole: read_csv_schema',
    by('limited', sql("SELECT * FROM read_csv_schema('deep/er/c.csv')")),
    told(400, /permission denied/),
    { world: 'with rules' },
  ),
  row(
    'S3.6',
    'hole: list_datasets',
    by('limited', sql('SELECT file_name FROM list_datasets() ORDER BY 1', 'csv')),
    csv('file_name\nobs/a.csv\nobs/b.csv\n'),
    { world: 'with rules' },
  ),
  row(
    'S3.6',
    'a view needs what it reads',
    by('limited', sql('SELECT id FROM warm')),
    told(400, /permission denied: SELECT on table/),
    { world: 'with rules' },
  ),
  row(
    'S3.6',
    'explaining is reading',
    by('limited', post('/api/explain-query', { select: ['id'], from: 'ctd' })),
    told(400, /permission denied/),
    { world: 'with rules' },
  ),
  row('H2.6', 'tables are exactly the granted ones', by('limited', get('/api/tables')), json(['obs']), {
    world: 'with rules',
  }),
  row('H2.6', 'of nobody with roles', by('roleless', get('/api/tables')), json([]), { world: 'with rules' }),
  row(
    'H2.6',
    'the tree has exactly them',
    by('limited', get('/api/catalogs')),
    json({
      default_catalog: 'service',
      default_schema: 'public',
      catalogs: [
        {
          name: 'service',
          schemas: [{ name: 'public', tables: [{ name: 'obs', table_type: 'BASE TABLE' }] }],
        },
      ],
    }),
    { world: 'with rules' },
  ),
  row(
    'H6.10',
    'nothing visible is an empty tree',
    by('roleless', get('/api/catalogs')),
    json({ default_catalog: 'service', default_schema: 'public', catalogs: [] }),
    { world: 'with rules' },
  ),
  row(
    'H2.6',
    'tables with schema too',
    by('limited', get('/api/tables-with-schema')),
    json([atLeast({ table_name: 'obs' })]),
    { world: 'with rules' },
  ),
  row(
    'S3.7',
    'files that may be read',
    by('limited', get('/api/datasets')),
    json(['obs/a.csv', 'obs/b.csv']),
    { world: 'with rules', differs: 'Listings of files' },
  ),
  row('S3.7', 'as many', by('limited', get('/api/total-datasets')), json(2), {
    world: 'with rules',
    differs: 'Listings of files',
  }),
  row('S3.7', 'none of them', by('roleless', get('/api/list-datasets')), json([]), {
    world: 'with rules',
    differs: 'Listings of files',
  }),
  row(
    'S3.7',
    'schema of a table that may not be read',
    by('limited', get('/api/table-schema?table_name=ctd')),
    text(404, 'Table service.public.ctd not found'),
    { world: 'with rules' },
  ),
  row(
    'S3.7',
    'schema of one that may',
    by('limited', get('/api/table-schema?table_name=obs')),
    json(atLeast({ fields: each(atLeast({ name: String })) })),
    { world: 'with rules' },
  ),
  row(
    'S3.7',
    'schema of a file that may not be read',
    by('limited', get('/api/dataset-schema?file=deep/er/c.csv')),
    text(400, /permission denied/),
    { world: 'with rules', differs: '`dataset-schema` without the right' },
  ),
  row(
    'S3.7',
    'extensions of a table that may not be read',
    by('limited', get('/api/table-extensions?table_name=ctd')),
    text(404),
    { world: 'with rules' },
  ),
  ...OTHERS.map((caller) =>
    row(
      'H2.6',
      `no metadata for ${caller}`,
      by(caller, get('/api/catalogs')),
      json(
        atLeast({
          catalogs: each(atLeast({ schemas: without(atLeast({ name: /^(?:system|information_schema)$/ })) })),
        }),
      ),
    ),
  ),
  ...OTHERS.map((caller) =>
    row(
      'H6.11',
      `schema of users for ${caller}`,
      by(caller, get('/api/table-schema?table_name=users&catalog=service&schema=system')),
      text(404),
    ),
  ),
  row(
    'H2.6',
    'the super-user sees metadata',
    by('super-user', get('/api/catalogs')),
    json(
      atLeast({
        catalogs: [
          atLeast({
            schemas: including(
              atLeast({ name: 'information_schema', tables: including(atLeast({ name: 'tables' })) }),
              atLeast({ name: 'system', tables: including({ name: 'users', table_type: 'VIEW' }) }),
            ),
          }),
        ],
      }),
    ),
  ),
  row(
    'H2.2',
    'a caller without a header is not rejected',
    by('anonymous', sql('SELECT 1 AS one')),
    stream(['one']),
    { world: 'nobody is anonymous' },
  ),
  row('H2.2', 'its reads are', by('anonymous', sql('SELECT id FROM obs')), told(400, /permission denied/), {
    world: 'nobody is anonymous',
  }),
  row('H2.2', 'it sees no tables', by('anonymous', get('/api/tables')), json([]), {
    world: 'nobody is anonymous',
  }),
  row('H2.2', 'a user is as ever', by('reader', sql('SELECT count(*) AS n FROM obs', 'csv')), csv('n\n5\n'), {
    world: 'nobody is anonymous',
  }),
  row(
    'S3.2',
    'without rules such a caller reads everything',
    by('anonymous', sql('SELECT count(*) AS n FROM obs', 'csv')),
    csv('n\n5\n'),
    { world: 'nobody is anonymous, without rules' },
  ),
  row('S3.4', 'anonymous may be dropped then', admin('DROP USER anonymous'), told(400, /anonymous/), {
    world: 'nobody is anonymous',
  }),
]

function adminRoutes(): readonly Row[] {
  const routes = [
    get('/api/admin/check'),
    get('/api/admin/table-config'),
    get('/api/admin/table-definition?table_name=obs'),
    get('/api/admin/auth/users'),
    get('/api/admin/auth/roles'),
    get('/api/admin/datasets/storage'),
    get('/api/admin/datasets/download?path=obs/a.csv'),
    post('/api/admin/external-tables', {}),
    post('/api/admin/datasets/upload?path=x', 'x'),
    post('/api/admin/datasets/upload/initiate?path=x'),
  ]
  return routes.flatMap((request) => [
    ...(['anonymous', ...WRONG] as const).map((caller) =>
      row('H2.3', `${caller} at a route of administration`, by(caller, request), empty(401)),
    ),
    ...(['reader', 'limited', 'roleless'] as const).map((caller) =>
      row('H2.3', `${caller} at a route of administration`, by(caller, request), empty(403)),
    ),
  ])
}

/** A new user and a new role. */
function account() {
  return [step(admin("CREATE USER %new% WITH PASSWORD 'p'")), step(admin('CREATE ROLE %new%'))]
}

function anyJson() {
  return json(ANYTHING)
}
