import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startSampleService } from '../service/sample-service.ts'

const DOCS = join(import.meta.dirname, '../../docs')

/** A statement, a query or a whole command, and the answer that stands below it. */
const PAIR = /^```(sql|json|sh)\n(.*?)^```\n\n```(csv|text)\n(.*?)^```$/gms

const { ask } = await startSampleService(t)

for (const page of globSync('**/*.md', { cwd: DOCS })) {
  const pairs = [...readFileSync(join(DOCS, page), 'utf8').matchAll(PAIR)]
  if (pairs.length === 0) continue
  t.test(`${page}: each query gives the answer below it`, async (t) => {
    for (const [, language, text = '', form, shown = ''] of pairs) {
      const answer = await ask(bodyOf(language, text))
      const given = await answer.text()
      // The text of an EXPLAIN is a value of the answer.
      if (form === 'text') t.ok(given.includes(shown.trimEnd()), text)
      else t.equal(given, shown, text)
    }
  })
}

function bodyOf(language: string | undefined, text: string): string {
  if (language === 'json') return text
  if (language === 'sql') return JSON.stringify({ sql: text, output: { format: 'csv' } })
  const [, body = ''] = /-d @- <<'END'\n(.*)^END$/ms.exec(text) ?? []
  // curl's -d takes line breaks out.
  return body.replaceAll('\n', '')
}
