import t from 'tap'
import { isKeyword, isName, printIdentifier } from '../../../src/main/sql/text/keywords.ts'
import { run } from '../../../src/wasm/duckdb/database.ts'
import { extract, isFailure, queryTexts } from '../../../src/wasm/duckdb/statement.ts'
import { openDuck } from '../duck.ts'
import { quoted } from '../explained.ts'

const database = await openDuck()
const { duck } = database
const [connection = 0] = database.connections

/** The name of a statement's column. Null: DuckDB refuses the statement. */
function columnOf(sql: string): string | null {
  const statements = extract(duck, connection, sql)
  if (isFailure(statements)) return null
  using extracted = statements
  const prepared = extracted.prepare(0)
  if (isFailure(prepared)) return null
  const [name = null] = prepared.columns
  prepared.end()
  return name
}

const OTHERS = ['temp1', 'Depth', '_x', 'a$', 'naïve', 'a b', 'say "x"', 'current_date', 'rowid']

t.test('a word is a keyword or a name as it is in DuckDB', async (t) => {
  const found = queryTexts(duck, connection, 'SELECT keyword_name FROM duckdb_keywords()')
  if (isFailure(found)) throw new Error(found.failure)
  const keywords = found.map(([word = '']) => word)
  t.ok(keywords.length > 400 && keywords.every(isKeyword), `${keywords.length} keywords`)
  t.same(OTHERS.filter(isKeyword), [])
  for (const word of [...keywords, ...OTHERS]) {
    const name = quoted(word)
    run(duck, connection, `CREATE OR REPLACE TABLE t (${name} DOUBLE)`)
    t.equal(
      columnOf(`SELECT max(${name}) FROM t`),
      `max(${printIdentifier(word)})`,
      `${word} as it is printed`,
    )
    if (!/^\w+$/.test(word)) continue
    if (isName(word)) {
      t.equal(columnOf(`SELECT ${word} FROM t AS ${word}`), word, `${word} is a name`)
      if (!isKeyword(word))
        t.equal(columnOf(`SELECT ${name} ${word} FROM t ${word}`), word, `${word} is an alias`)
    }
  }
})
