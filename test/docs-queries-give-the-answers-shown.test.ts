import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { readConfig } from '../src/main/config.ts'
import { startService } from '../src/main/service.ts'

const DOCS = join(import.meta.dirname, '../docs')

/** A statement, a query or a whole command, and the answer that stands below it. */
const PAIR = /^```(sql|json|sh)\n(.*?)^```\n\n```(csv|text)\n(.*?)^```$/gms

const { config } = readConfig({
  SERVICE_HOST: '127.0.0.1',
  SERVICE_PORT: '0',
  SERVICE_WORKERS: '2',
  SERVICE_DATA_DIR: join(t.testdir(), 'data'),
})
const service = await startService(config, pino({ level: 'silent' }))
t.teardown(() => service.close())

for (const page of globSync('**/*.md', { cwd: DOCS })) {
  const pairs = [...readFileSync(join(DOCS, page), 'utf8').matchAll(PAIR)]
  if (pairs.length === 0) continue
  t.test(`${page}: each query gives the answer below it`, async (t) => {
    for (const [, language, text = '', form, shown = ''] of pairs) {
      const body = bodyOf(language, text)
      const answer = await fetch(`${service.address}/api/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
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
