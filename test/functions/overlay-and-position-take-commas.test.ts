import t from 'tap'
import { positionInRequest, readStatement } from '../../src/main/sql/gate/gate.ts'
import { tokenize } from '../../src/main/sql/text/tokens.ts'
import { KNOWN_NAMES } from '../sql/known-names.ts'

const textOf = (sql: string): string => readStatement(sql, KNOWN_NAMES).text

t.test('the name of a call with commas alone is in quotes', async (t) => {
  for (const [given, text] of [
    ["SELECT overlay(s, 'x', 2) FROM t", 'SELECT "overlay"(s, \'x\', 2) FROM t'],
    ["SELECT OVERLAY (s, 'x', 2, 1)", 'SELECT "OVERLAY" (s, \'x\', 2, 1)'],
    ["SELECT position(s, 'x') + Position('a', f(b IN (c, d)))", null],
    [
      "SELECT overlay(overlay(s, 'x', 1) PLACING 'y' FROM position(s, 'z'))",
      "SELECT overlay(\"overlay\"(s, 'x', 1) PLACING 'y' FROM \"position\"(s, 'z'))",
    ],
  ] as const)
    t.equal(textOf(given), text ?? given.replaceAll(/position/gi, '"$&"'), given)
})

t.test('other calls, and other meanings of the words, stay as they are', async (t) => {
  for (const sql of [
    "SELECT overlay(s PLACING 'x, y' FROM 2 FOR f(1, 2)) FROM t",
    'SELECT position(f(a, b) IN s)',
    'SELECT position, overlay FROM t WHERE position IN (1, 2)',
    'SELECT t.position(a, b), "overlay"(s, t, 2)',
    "SELECT 'position(a, b)' -- overlay(s, t, 2)",
    'SELECT overlay(s), position(x)',
    'SELECT [position, overlay], {position: 1, overlay: 2}',
  ])
    t.equal(textOf(sql), sql.replace(/ --.*/, ''))
})

t.test('tokens are those of the text, and places those of the request', async (t) => {
  const sql = "SELECT overlay(a, b, 2), position(c, d) FROM read_csv('ü', delimiter = ';') WHERE e"
  const statement = readStatement(sql, KNOWN_NAMES)
  t.same(statement.tokens, tokenize(statement.text))
  for (const word of ['overlay', 'b', 'position', 'd', 'WHERE', 'e']) {
    const token = statement.tokens.find(({ text }) => text === word)
    const written = tokenize(sql).find(({ text }) => text === word)
    t.equal(positionInRequest(sql, statement, token?.start ?? -1), written?.start, word)
  }
})
