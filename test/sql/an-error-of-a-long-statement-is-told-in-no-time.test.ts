import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import { readFunctions } from '../../src/workers/sql/binding/source-functions.ts'
import { duckError } from '../../src/workers/sql/duck-error.ts'

/** As long as a body may be. With time in its square the test would take an hour. */
const LONG = 'a'.repeat(1 << 20)

const functions = readFunctions(FORMATS)

t.test('what is wrong with its syntax', async (t) => {
  const sql = `SELECT ${LONG} + 1 1`
  const message = JSON.stringify({
    exception_type: 'Parser',
    exception_message: 'syntax error at or near "1"',
    position: String(sql.length - 1),
  })
  const error = duckError(message, { sql, functions, sources: [], definitions: [] })
  t.match(error, { code: 'invalid_sql', at: sql.length - 1 })
})

t.test('which argument a function does not have', async (t) => {
  const of = (sql: string): string =>
    duckError('Binder Error: Macro read_csv() does not support it', {
      sql,
      functions,
      sources: [],
      definitions: [],
    }).message
  t.notMatch(of(`FROM read_csv('x', ${LONG})`), / has no /)
  t.match(
    of(`FROM read_csv('x', ${LONG}, "delimeter" := ';')`),
    /^read_csv has no delimeter; did you mean delimiter\?/,
  )
})
