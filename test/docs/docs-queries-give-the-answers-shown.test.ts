import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startSampleService } from '../service/sample-service.ts'

const DOCS = join(import.meta.dirname, '../../docs')

/** A statement or a query, and the answer that stands below it. Programs have a test of their own. */
const PAIR = /^```(sql|json)\n((?:(?!```).*\n)*)```\n\n```(csv|text)\n((?:(?!```).*\n)*)```$/gm

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
  return language === 'json' ? text : JSON.stringify({ sql: text, output: { format: 'csv' } })
}
