import t from 'tap'
import { mentionsPassword } from '../../src/main/sql/text/mentions-password.ts'

t.test('wherever and however it is written', async (t) => {
  for (const text of [
    `CREATE USER ann WITH PASSWORD 'p'`,
    `create  user ann`,
    `CREATE OR REPLACE USER ann IDENTIFIED BY 'p'`,
    `ALTER USER ann PASSWORD 'p'`,
    `SELECT 1; CREATE USER ann`,
    `CREATE/* a */USER ann`,
    `CREATE -- a\nUSER ann`,
    `SELECT '--', CREATE\tUSER ann`,
    `CREATE SECRET s (TYPE S3, SECRET 'p')`,
    `create or replace  persistent\nsecret s`,
    `CREATE TEMPORARY/* */SECRET s`,
    `CREAT SECRT s (TYPE S3, SESSION_TOKEN 'p')`,
    `SECRET s (TYPE AZURE, ACCOUNT_KEY 'p')`,
    `secret s (type postgres, host 'h')`,
    `x WITH ('token' 'p')`,
    JSON.stringify({ sql: `ATTACK 'h' AS a WITH ("password" "p")` }),
    `OPTIONS ('connection_string' 'p')`,
    `USR ann WITH PASSWORD 'p'`,
    `x password = "p"`,
    `PASSWORD $$p$$`,
    JSON.stringify({ sql: `CREATE\nUSER ann WITH\n\tPASSWORD "p"` }),
    `{"sql": "\\u0043REATE USER ann`,
    `{"sql": "CREATE \\/* a *\\/ USER ann`,
  ])
    t.ok(mentionsPassword(text), text)
})

t.test('and is not found where there is none', async (t) => {
  for (const text of [
    '',
    'SELECT user, password FROM t',
    `{"select": ["user", "password"], "from": "t"}`,
    `CREATE VIEW users AS SELECT 1`,
    `CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a' OPTIONS ('password' '***')`,
    'SELECT secret, token FROM t',
    `SELECT token AS t FROM x WHERE secret IN ('a')`,
    `{"select": ["secret", "token"], "from": "t"}`,
    `{"column": "token", "eq": "x"}`,
    `x OPTIONS ('secret' 'name')`,
    'DROP SECRET s',
    'SHOW SECRETS',
    'CREATE ROLE user',
    'GRANT ROLE r TO USER ann',
    'DROP USER ann',
  ])
    t.notOk(mentionsPassword(text), text)
})

t.test('in a time that grows with its length', async (t) => {
  for (const part of [
    '/*',
    '--',
    '/**/',
    '--\n',
    'create ',
    'create or ',
    'password ',
    'secret ',
    'secret s (',
    ', ',
    '(token ',
    `'token', `,
    'create persistent ',
    '\\u0020',
    '\\\\',
    ' ',
    '*/',
    'x',
  ])
    t.notOk(mentionsPassword(part.repeat((1 << 21) / part.length)), part)
})
