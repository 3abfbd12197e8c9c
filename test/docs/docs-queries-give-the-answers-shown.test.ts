import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { SUPER_USER } from '../http/test-server.ts'
import { startSampleService } from '../service/sample-service.ts'

const DOCS = join(import.meta.dirname, '../../docs')

/** A statement or a query, and the answer that stands below it, if there is one. Programs have a test of their own. */
const BLOCK = /^```(sql|json)\n((?:(?!```).*\n)*)```$(?:\n\n^```(csv|text)\n((?:(?!```).*\n)*)```$)?/gm

/** Statements of guides, which define what the queries below them read. */
const COMMAND = /^(?:CREATE|DROP|REFRESH|GRANT|DENY|REVOKE)\b/

const { ask } = await startSampleService(t)

for (const page of globSync('**/*.md', { cwd: DOCS })) {
  const isGuide = !page.startsWith('reference')
  const blocks = [...readFileSync(join(DOCS, page), 'utf8').matchAll(BLOCK)].filter(
    ([, , text = '', form]) => form !== undefined || (isGuide && COMMAND.test(text)),
  )
  if (blocks.length === 0) continue
  t.test(`${page}: each query gives the answer below it`, async (t) => {
    for (const [, language, text = '', form, shown = ''] of blocks) {
      const answer = await ask(bodyOf(language, text), SUPER_USER)
      // An error is one JSON string.
      const given = answer.status === 200 ? await answer.text() : String(await answer.json())
      if (form === undefined) t.equal(answer.status, 200, text)
      // The text of an EXPLAIN is a value of the answer.
      else if (form === 'text') t.ok(given.includes(shown.trimEnd()), text)
      else t.equal(given, shown, text)
    }
  })
}

function bodyOf(language: string | undefined, text: string): string {
  if (language === 'json') return text
  return JSON.stringify({ sql: text, ...(!COMMAND.test(text) && { output: { format: 'csv' } }) })
}
