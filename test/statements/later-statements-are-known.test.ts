import { readFileSync } from 'node:fs'
import t from 'tap'
import { isStatement, parseStatement } from '../../src/main/sql/grammar/parse-statement.ts'
import { printStatement } from '../../src/main/sql/grammar/print-statement.ts'
import { anyQuery } from './any-query.ts'

const docs = readFileSync(new URL('../../docs/reference/statements.md', import.meta.url), 'utf8')

t.test('by the words that the docs list', async (t) => {
  const [, section = ''] = /^## Statements of later versions$(.*)/ms.exec(docs) ?? []
  const listed = [...section.matchAll(/`([A-Z ]+)`/g)].map(([, words = '']) => words)
  t.ok(listed.length > 10)
  for (const words of listed)
    for (const sql of [words, `${words.toLowerCase()} a 'b' /* c */`, words.replaceAll(' ', '\n--\n')]) {
      t.ok(isStatement(sql), sql)
      const node = parseStatement(sql, anyQuery)
      t.same(node, { kind: 'later', words })
      t.equal(printStatement(node), words)
    }
})
