import t from 'tap'
import { parseStatement } from '../../src/main/sql/grammar/parse-statement.ts'
import { printStatement } from '../../src/main/sql/grammar/print-statement.ts'
import { createQueryCheck } from '../../src/main/statements/check-query.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'

const checkQuery = createQueryCheck(KNOWN_NAMES)

const named = (name: string) => ({ catalog: null, schema: null, name })

t.test('with what the statement says, and nothing else', async (t) => {
  t.same(
    parseStatement(
      `create or replace external table "My Catalog".public.Obs (Time timestamp(6) with time zone not null, depth decimal(10,2), flags int[][3])
       options ('Delimiter' ';', HEADER true, infer_records 1000, "na" '')
       location 'obs/it''s/' -- a folder
       with order (time desc nulls last, "a b")
       partitioned by (Year int, month)
       stored as Csv;`,
      checkQuery,
    ),
    {
      kind: 'create_external_table',
      name: { catalog: 'My Catalog', schema: 'public', name: 'Obs' },
      ifExists: 'replace',
      columns: [
        { name: 'Time', type: 'TIMESTAMP(6) WITH TIME ZONE', isRequired: true },
        { name: 'depth', type: 'DECIMAL(10, 2)', isRequired: false },
        { name: 'flags', type: 'INT[][3]', isRequired: false },
      ],
      format: 'CSV',
      partitions: [
        { name: 'Year', type: 'INT' },
        { name: 'month', type: null },
      ],
      order: ['"time" DESC NULLS LAST', '"a b"'],
      location: "obs/it's/",
      options: [
        { key: 'delimiter', value: ';' },
        { key: 'header', value: 'true' },
        { key: 'infer_records', value: '1000' },
        { key: 'na', value: '' },
      ],
    },
  )
  const query = "SELECT *, 'a;b' -- all\nFROM read_csv('a.csv', delimiter = ';')"
  for (const [sql, node] of [
    [
      `CREATE VIEW IF NOT EXISTS v AS ${query} /* end */ ;`,
      { kind: 'create_view', name: named('v'), ifExists: 'keep', query },
    ],
    [
      'DROP VIEW IF EXISTS public.v',
      { kind: 'drop', name: { ...named('v'), schema: 'public' }, isIfExists: true },
    ],
    ['DROP TABLE if', { kind: 'drop', name: named('if'), isIfExists: false }],
    ['REFRESH t', { kind: 'refresh', name: named('t') }],
    ['SHOW TABLES', { kind: 'show_tables' }],
    ['SHOW COLUMNS IN "t"', { kind: 'show_columns', name: named('t') }],
    ['SHOW FUNCTIONS', { kind: 'show_functions', pattern: null }],
    ["SHOW FUNCTIONS LIKE 'a%'", { kind: 'show_functions', pattern: 'a%' }],
    [
      `set extension 'mcp' FOR public.t TO '{"title": "It''s"}';`,
      {
        kind: 'set_extension',
        extension: 'mcp',
        name: { ...named('t'), schema: 'public' },
        json: '{"title": "It\'s"}',
      },
    ],
    ["SET EXTENSIONS FOR t TO '{}'", { kind: 'set_extensions', name: named('t'), json: '{}' }],
    [
      'DROP EXTENSION \'preset\' FOR "a b"',
      { kind: 'drop_extension', extension: 'preset', name: named('a b') },
    ],
    ['SHOW EXTENSIONS FOR t', { kind: 'show_extensions', name: named('t') }],
    ['show extension for t', { kind: 'show_extensions', name: named('t') }],
    ['SHOW CREATE TABLE t', { kind: 'show_create_table', name: named('t') }],
    ['DESC t', { kind: 'describe', of: { kind: 'name', name: named('t') } }],
    ['DESCRIBE values', { kind: 'describe', of: { kind: 'name', name: named('values') } }],
    [`DESCRIBE ${query}`, { kind: 'describe', of: { kind: 'query', text: query } }],
    ['SUMMARIZE (VALUES (1))', { kind: 'summarize', of: { kind: 'query', text: '(VALUES (1))' } }],
    ['SUMMARIZE VALUES (1)', { kind: 'summarize', of: { kind: 'query', text: 'VALUES (1)' } }],
    ["CREATE OR REPLACE TABLE a AS SELECT 'b'", { kind: 'later', words: 'CREATE TABLE' }],
    ["create user U with password 'p'", { kind: 'create_user', name: 'U', password: '***' }],
    ['DROP USER "a@b.org"', { kind: 'drop_user', name: 'a@b.org' }],
    [
      "create secret S (token 'a''b', type Service, scope 'x://y/');",
      {
        kind: 'create_secret',
        name: 'S',
        isPersistent: false,
        keepsExisting: false,
        type: 'SERVICE',
        scope: 'x://y/',
        options: [{ key: 'token', value: '***' }],
      },
    ],
    [
      "CREATE PERSISTENT SECRET IF NOT EXISTS s (TYPE postgres, PORT 5432, PASSWORD 'p')",
      {
        kind: 'create_secret',
        name: 's',
        isPersistent: true,
        keepsExisting: true,
        type: 'POSTGRES',
        scope: null,
        options: [
          { key: 'port', value: '***' },
          { key: 'password', value: '***' },
        ],
      },
    ],
    ['DROP SECRET IF EXISTS "a b"', { kind: 'drop_secret', name: 'a b', isIfExists: true }],
    ['show secrets', { kind: 'show_secrets' }],
    ['create role r', { kind: 'create_role', name: 'r' }],
    ['DROP ROLE "say ""r"""', { kind: 'drop_role', name: 'say "r"' }],
    ['GRANT ROLE r TO USER u;', { kind: 'grant_role', role: 'r', user: 'u' }],
    ['REVOKE ROLE role FROM USER user', { kind: 'revoke_role', role: 'role', user: 'user' }],
    [
      'GRANT SELECT TO ROLE r',
      {
        kind: 'add_rule',
        rule: { effect: 'grant', privilege: 'SELECT', target: { kind: 'all' } },
        role: 'r',
      },
    ],
    [
      "deny select on path 'a/*.nc' to role r",
      {
        kind: 'add_rule',
        rule: { effect: 'deny', privilege: 'SELECT', target: { kind: 'path', glob: 'a/*.nc' } },
        role: 'r',
      },
    ],
    [
      'REVOKE ALL ON TABLE public."T" FROM ROLE r',
      {
        kind: 'remove_rule',
        rule: {
          effect: 'grant',
          privilege: 'ALL',
          target: { kind: 'table', name: { ...named('T'), schema: 'public' } },
        },
        role: 'r',
      },
    ],
    [
      'REVOKE DENY INSERT ON ALL FROM ROLE r',
      {
        kind: 'remove_rule',
        rule: { effect: 'deny', privilege: 'INSERT', target: { kind: 'all' } },
        role: 'r',
      },
    ],
  ] as const) {
    const parsed = parseStatement(sql, checkQuery)
    t.same(parsed, node, sql)
    t.same(parseStatement(printStatement(parsed), checkQuery), node, sql)
    t.ok(isFrozen(parsed), sql)
  }
})

t.test('a password is no part of its node', async (t) => {
  const passwords: string[] = []
  const node = parseStatement("CREATE USER u WITH PASSWORD 'it''s'", checkQuery, (text) =>
    passwords.push(text),
  )
  t.same(passwords, ["it's"])
  t.same(node, { kind: 'create_user', name: 'u', password: '***' })
  t.equal(printStatement(node), "CREATE USER u WITH PASSWORD '***'")
})

t.test('nor is a value of a secret', async (t) => {
  const values: string[] = []
  const node = parseStatement("CREATE SECRET s (TYPE S3, KEY_ID 'it''s', SECRET 1_0)", checkQuery, (text) =>
    values.push(text),
  )
  t.same(values, ["it's", '1_0'])
  t.equal(printStatement(node), "CREATE TEMPORARY SECRET s (TYPE S3, KEY_ID '***', SECRET '***')")
})

t.test('values of options that look like secrets are dropped when they are read', async (t) => {
  const secrets = [
    'password',
    'PASS',
    'token',
    'session_token',
    'secret',
    'key',
    'account_key',
    'connection_string',
  ]
  for (const key of [...secrets, 'azure.credentials', 'sslpassword', 'pwd']) {
    const node = parseStatement(
      `CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a' OPTIONS (host 'h', '${key}' 'hunter2')`,
      checkQuery,
    )
    t.notMatch(JSON.stringify(node), 'hunter2')
    t.equal(
      printStatement(node),
      `CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a' OPTIONS ('host' 'h', '${key.toLowerCase()}' '***')`,
    )
  }
})

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isFrozen)
}
