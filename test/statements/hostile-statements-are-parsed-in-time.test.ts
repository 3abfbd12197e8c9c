import t from 'tap'
import { isStatement, parseStatement } from '../../src/main/sql/grammar/parse-statement.ts'
import { printStatement } from '../../src/main/sql/grammar/print-statement.ts'
import { tokenize } from '../../src/main/sql/text/tokens.ts'
import { createQueryCheck } from '../../src/main/statements/check-query.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'
import { fc } from '../support/generate.ts'

const checkQuery = createQueryCheck(KNOWN_NAMES)

/** About as many characters as a body may have bytes. */
const LONG = 1 << 21

t.test('however long they are', async (t) => {
  const columns = Array.from({ length: 50_000 }, (_, index) => `c${index} DECIMAL(10, 2) NOT NULL`).join(', ')
  const options = Array.from({ length: 50_000 }, (_, index) => `'k${index}' 'v'`).join(', ')
  const end = "STORED AS CSV LOCATION 'a'"
  const wide = parseStatement(`CREATE EXTERNAL TABLE t (${columns}) ${end} OPTIONS (${options})`, checkQuery)
  t.equal(wide.kind === 'create_external_table' && wide.columns?.length, 50_000)
  t.equal(JSON.stringify(parseStatement(printStatement(wide), checkQuery)), JSON.stringify(wide))
  const name = 'x'.repeat(LONG)
  t.same(parseStatement(`DROP TABLE ${name}`, checkQuery), {
    kind: 'drop',
    name: { catalog: null, schema: null, name },
    isIfExists: false,
  })
  for (const sql of [
    `DROP TABLE ${'a.'.repeat(LONG / 2)}b`,
    `CREATE EXTERNAL TABLE t (a INT${'['.repeat(LONG)}`,
    `CREATE EXTERNAL TABLE t (a DECIMAL(${'1'.repeat(LONG)}))`,
    `CREATE VIEW v AS SELECT ${'('.repeat(LONG)}`,
    `CREATE EXTERNAL TABLE t (${name} INT, ${name} INT)`,
    `CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a' OPTIONS ('${name}' = 'a')`,
    `CREATE EXTERNAL TABLE t STORED AS CSV LOCATION 'a' OPTIONS (${name} 1, ${name} 2)`,
    `CREATE VIEW v AS ${'/*'.repeat(LONG / 2)}`,
    `SUMMARIZE ${'('.repeat(LONG)}`,
    `DROP TABLE ${'"'.repeat(LONG + 1)}`,
    `CREATE USER ${'a'.repeat(LONG)}`,
    `CREATE USER u WITH PASSWORD '${'x'.repeat(LONG)}`,
    `CREATE USER u WITH PASSWORD ${'('.repeat(LONG)}`,
    `CREATE SECRET s (${'a'.repeat(LONG)}`,
    `CREATE SECRET s (TYPE S3${", a 'b'".repeat(LONG / 8)}`,
    `CREATE SECRET s (TYPE S3, SCOPE '${'@'.repeat(LONG)}')`,
    `GRANT ROLE ${'a'.repeat(LONG)} TO`,
    `GRANT SELECT ON TABLE ${'a.'.repeat(LONG / 2)}b TO ROLE r`,
    `DENY SELECT ON PATH '${'x'.repeat(LONG)}' TO`,
    `REVOKE DENY ${'x'.repeat(LONG)}`,
    `CREATE ${"'".repeat(LONG)}`,
    `${'-- \n'.repeat(LONG / 4)}DROP`,
    `DROP${'\n'.repeat(LONG)}INDEXX`,
    `${'x'.repeat(LONG)} TABLE`,
  ])
    t.throws(
      () => parseStatement(sql, checkQuery),
      { code: 'invalid_sql', message: /^.{0,400}$/s },
      sql.slice(0, 40),
    )
})

t.test('whatever characters they have', async (t) => {
  for (const sql of [
    'DROP TABLE a\0',
    'DROP TABLE "a\0"',
    'DROP TABLE “a”',
    'DROP TABLE `a`',
    'DROP TABLE a\u00a0b',
    "DROP TABLE 'a",
    'DROP TABLE ""',
    'DROP TABLE ?',
  ])
    t.throws(() => parseStatement(sql, checkQuery), { code: 'invalid_sql' }, JSON.stringify(sql))
  for (const name of [
    'größe',
    '日本',
    '"a\u00a0b"',
    '"\u202ea"',
    '"a\nb"',
    '"a;b--"',
    '"\'"',
    '"😀"',
    '__proto__',
    'constructor',
  ])
    t.match(
      parseStatement(`DROP TABLE ${name}`, checkQuery),
      { kind: 'drop', name: { name: name.replace(/^"(.*)"$/s, '$1') } },
      name,
    )
})

t.test('anything is a statement that prints, or an error with its place', async () => {
  const words = fc.constantFrom(
    ...'CREATE OR REPLACE EXTERNAL TABLE VIEW IF NOT EXISTS DROP REFRESH SHOW COLUMNS FROM DESCRIBE AS SELECT USER ROLE GRANT DENY REVOKE TO ON PATH ALL WITH PASSWORD'.split(
      ' ',
    ),
    ...[
      'STORED',
      'CSV',
      'LOCATION',
      "'a'",
      'OPTIONS',
      '(',
      ')',
      ',',
      '.',
      ';',
      '"',
      "'",
      '$$',
      '--',
      '/*',
      '*/',
      '\n',
      '\0',
      'é',
      't',
    ],
  )
  fc.assert(
    fc.property(fc.array(words, { maxLength: 15 }), fc.constantFrom('', ' '), (parts, between) => {
      const sql = parts.join(between)
      try {
        const node = parseStatement(sql, checkQuery)
        if (JSON.stringify(parseStatement(printStatement(node), checkQuery)) !== JSON.stringify(node))
          throw new Error(`printed as ${printStatement(node)}`)
      } catch (error) {
        if (!isServiceError(error) || !/^sql, line \d+, column \d+: /.test(error.message)) throw error
      }
    }),
    { numRuns: 5000 },
  )
})

t.test('the first words tell a statement from a query', async (t) => {
  for (const sql of [
    'DROP',
    ' drop table',
    '/* a /* b */ */ -- c\r\n Create(',
    'SHOW',
    'desc t',
    'summarize',
    'INSERT INTO',
    'set/**/extension',
    'REFRESH\ft',
  ])
    t.ok(isStatement(sql), sql)
  for (const sql of [
    '',
    ' ',
    'SELECT 1',
    'FROM t',
    'WITH a AS',
    '(DROP',
    '"DROP" TABLE',
    "'DROP'",
    'DROPS',
    'drop1',
    'SET a = 1',
    'ANALYZE',
    'EXPLAIN DROP TABLE t',
    'DROP\u00a0TABLE',
    '; DROP TABLE t',
  ])
    t.notOk(isStatement(sql), sql)
})

t.test('the first words are those of the first tokens', async () => {
  const parts = fc.constantFrom(
    ...[
      'DROP',
      'drop',
      'e',
      "E'",
      "'",
      '"',
      '$$',
      '/*',
      '*/',
      '--',
      '\n',
      '\r',
      '\f',
      ' ',
      '(',
      ';',
      '1',
      '.',
      'é',
      '\u00a0',
    ],
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), (list) => {
      const sql = list.join('')
      const words = tokensOf(sql)
      if (words !== null && isStatement(sql) !== (words[0] === 'DROP')) throw new Error(JSON.stringify(sql))
    }),
    { numRuns: 5000 },
  )
})

/** The words of a text. Null: it cannot be split. */
function tokensOf(sql: string): readonly (string | null)[] | null {
  try {
    return tokenize(sql).map(({ word }) => word)
  } catch {
    return null
  }
}
