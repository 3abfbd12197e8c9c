import { readFileSync } from 'node:fs'
import t from 'tap'
import { parseStatement } from '../../src/main/sql/grammar/parse-statement.ts'
import { createQueryCheck } from '../../src/main/statements/check-query.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'

const checkQuery = createQueryCheck(KNOWN_NAMES)

t.test('with line, column and what was found', async (t) => {
  for (const [sql, message] of [
    [
      'CREATE',
      'line 1, column 7: expected OR REPLACE, EXTERNAL TABLE, SECRET, PERSISTENT SECRET, TEMPORARY SECRET, CRAWLER, USER, ROLE or VIEW, found the end of the statement',
    ],
    [
      'CREATE VEIW v',
      'line 1, column 8: expected OR REPLACE, EXTERNAL TABLE, SECRET, PERSISTENT SECRET, TEMPORARY SECRET, CRAWLER, USER, ROLE or VIEW, found VEIW, did you mean "VIEW"?',
    ],
    ['CREATE OR VIEW v', 'line 1, column 11: expected REPLACE, found VIEW'],
    [
      'CREATE OR REPLACE v',
      'line 1, column 19: expected EXTERNAL TABLE, SECRET, PERSISTENT SECRET, TEMPORARY SECRET, CRAWLER or VIEW, found v',
    ],
    [
      'DROP',
      'line 1, column 5: expected USER, ROLE, SECRET, EXTENSION, CRAWLER, TABLE or VIEW, found the end of the statement',
    ],
    [
      'DROP TABLE',
      'line 1, column 11: expected IF EXISTS or the name of a table, found the end of the statement',
    ],
    [
      'DROP TABLE select',
      'column 12: expected IF EXISTS or the name of a table, found select, which is a name only in quotes: "select"',
    ],
    ["DROP TABLE 'a'", `column 12: expected IF EXISTS or the name of a table, found 'a'`],
    ['DROP TABLE a.', 'column 14: expected a name, found the end of the statement'],
    ['DROP TABLE a.b.c.d', 'column 17: expected ";" or the end of the statement, found "."'],
    [
      'DROP TABLE IF EXIST a',
      'column 15: expected EXISTS, ".", ";" or the end of the statement, found EXIST, did you mean "EXISTS"?',
    ],
    ['CREATE ROLE', 'column 12: expected the name of a role, found the end of the statement'],
    [
      'GRANT READ ON ALL TO ROLE r',
      'column 7: expected ROLE, SELECT, INSERT, UPDATE, DELETE, CREATE, DROP or ALL, found READ',
    ],
    ['GRANT ROLE r TO u', 'column 17: expected USER, found u'],
    ['GRANT SELECT TO r', 'column 17: expected ROLE, found r'],
    ['GRANT SELECT ON obs TO ROLE r', 'column 17: expected TABLE, PATH or ALL, found obs'],
    ['DENY SELECT ON PATH "a" TO ROLE r', 'column 21: expected a path or a glob in single quotes, found "a"'],
    ['REVOKE SELECT ON ALL TO ROLE r', 'column 22: expected FROM ROLE, found TO'],
    ['REFRESH TABLE a b', 'column 17: expected ".", ";" or the end of the statement, found b'],
    ['DROP TABLE a; DROP TABLE b', 'column 15: expected the end of the statement, found DROP'],
    [
      'SHOW',
      'expected TABLES, CRAWLERS, COLUMNS, FUNCTIONS, SECRETS, EXTENSIONS, EXTENSION or CREATE TABLE, found the end of the statement',
    ],
    [
      'SHOW ALL',
      'column 6: expected TABLES, CRAWLERS, COLUMNS, FUNCTIONS, SECRETS, EXTENSIONS, EXTENSION or CREATE TABLE, found ALL',
    ],
    ['SHOW COLUMNS obs', 'column 14: expected FROM or IN, found obs'],
    ['SHOW FUNCTIONS LIKE $$a$$', 'column 21: expected a pattern in single quotes, found $$a$$'],
    ['SHOW FUNCTIONS \n LIKE x', 'line 2, column 7: expected a pattern in single quotes, found x'],
    ['DESCRIBE', 'column 9: expected a query or the name of a table, found the end of the statement'],
    ['SUMMARIZE 1', 'column 11: expected a query or the name of a table, found 1'],
    ['CREATE VIEW v SELECT 1', 'column 15: expected "." or AS, found SELECT'],
    ['CREATE VIEW v AS', 'column 17: expected a query, found the end of the statement'],
    ['CREATE VIEW v AS ;', 'column 18: expected a query, found ";"'],
    [
      'CREATE OR REPLACE VIEW IF NOT EXISTS v AS FROM t',
      'column 24: a statement has OR REPLACE or IF NOT EXISTS, not both',
    ],
    [
      "CREATE EXTERNAL TABLE IF NOT EXIST t STORED AS CSV LOCATION 'a'",
      'column 30: expected EXISTS, found EXIST, did you mean "EXISTS"?',
    ],
    [
      'CREATE EXTERNAL TABLE t STORD AS CSV',
      'column 25: expected ".", "(", STORED AS, PARTITIONED BY, WITH ORDER, LOCATION or OPTIONS, found STORD, did you mean "STORED"?',
    ],
    ['CREATE EXTERNAL TABLE t STORED AS', 'column 34: expected a format, found the end of the statement'],
    ["CREATE EXTERNAL TABLE t STORED AS 'CSV'", `column 35: expected a format, found 'CSV'`],
    [
      'CREATE EXTERNAL TABLE t STORED AS CSV',
      'column 38: expected PARTITIONED BY, WITH ORDER, LOCATION or OPTIONS, found the end',
    ],
    [
      'CREATE EXTERNAL TABLE t STORED AS CSV LOCATION "a.csv"',
      'column 48: expected a path in single quotes, found "a.csv"',
    ],
    [
      "CREATE EXTERNAL TABLE t LOCATION 'a' LOCATION 'b'",
      'column 38: expected STORED AS, PARTITIONED BY, WITH ORDER or OPTIONS, found LOCATION',
    ],
    ['CREATE EXTERNAL TABLE t (a)', 'column 27: expected a type, found ")"'],
    [
      'CREATE EXTERNAL TABLE t (a INT b INT)',
      'column 32: expected PRECISION, VARYING, "(", WITH TIME ZONE, WITHOUT TIME ZONE, "[", NOT NULL, "," or ")", found b',
    ],
    ['CREATE EXTERNAL TABLE t (a INT, A TEXT)', 'column 33: the column "A" is given twice'],
    ['CREATE EXTERNAL TABLE t (a DECIMAL(x))', 'column 36: expected a number, found x'],
    ['CREATE EXTERNAL TABLE t (a DECIMAL(1.5))', 'column 36: expected a number, found 1.5'],
    [
      "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a' OPTIONS ('delimiter' ';', DELIMITER ',')",
      'column 78: the option "delimiter" is given twice',
    ],
    [
      "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a' OPTIONS ('delimiter' = ';')",
      `column 73: expected the value of "delimiter", found "="`,
    ],
  ] as const)
    t.throws(() => parseStatement(sql, checkQuery), { code: 'invalid_sql', message: including(message) }, sql)
})

t.test('an error in a query has its place in the whole statement', async (t) => {
  for (const [sql, message] of [
    ["CREATE VIEW v AS\n  SELECT * FROM 'a.csv'", 'line 2, column 17: a file is read by its function'],
    ['CREATE VIEW v AS SELECT (1', 'line 1, column 25: "(" is not closed'],
    ['/* ö */ DESCRIBE SELECT getenv(1)', 'line 1, column 25: "getenv" is not available'],
    ['CREATE VIEW v AS DROP TABLE t', 'line 1, column 18: only queries are run'],
    ['CREATE VIEW v AS EXPLAIN SELECT 1', 'line 1, column 18: expected a query, found EXPLAIN'],
    ['CREATE VIEW v AS WITH a AS (SELECT 1) INSERT INTO t FROM a', 'line 1, column 39: only queries are run'],
    ['SUMMARIZE FROM duckdb_tables', 'line 1, column 16: "duckdb_tables" is not available'],
    ['CREATE VIEW v AS SELECT $1', 'line 1, column 25: a statement has no parameters'],
  ] as const)
    t.throws(() => parseStatement(sql, checkQuery), { code: 'invalid_sql', message: including(message) }, sql)
})

t.test('as the docs show it', async (t) => {
  const docs = readFileSync(new URL('../../docs/reference/statements.md', import.meta.url), 'utf8')
  const [, sql = '', message] = /```sql\n(.*?)\n```\n\n```text\n(sql, .*?)\n```/s.exec(docs) ?? []
  t.throws(() => parseStatement(sql, checkQuery), { code: 'invalid_sql', message })
})

function including(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$()[\]*+?.|{}]/g, '\\$&'))
}
