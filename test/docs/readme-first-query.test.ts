import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { startSampleService } from '../service/sample-service.ts'
import { PYTHON, skipWithout } from '../support/python.ts'

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

const { address, ask } = await startSampleService(t)

t.test('the curl command gives the answer that the README shows', async (t) => {
  const command = block('sh', 'curl')
  const [, body] = /-d '(.*)'/s.exec(command) ?? []
  t.match(command, /^curl -s http:\/\/localhost:5001\/api\/query -H 'content-type: application\/json' -d '/)
  const answer = await ask(body ?? '')
  t.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  t.equal(await answer.text(), block('csv', ''))
})

t.test('the statement gives the answer that the README shows', async (t) => {
  const command = block('sh', '"sql"')
  const [, body = ''] = /-d @- <<'END'\n(.*)^END$/ms.exec(command) ?? []
  // curl's -d takes line breaks out.
  const answer = await ask(body.replaceAll('\n', ''))
  t.equal(await answer.text(), block('csv', 'model'))
})

t.test('the Arrow stream holds the rows that the README prints in Python', async (t) => {
  const [, literal = ''] = /^query = (\{.*?^\})/ms.exec(block('python', 'pyarrow')) ?? []
  const answer = await ask(literal.replace(/,(\s*[\]}])/g, '$1'))
  const table = tableFromIPC(await answer.arrayBuffer())
  const lines = table.toArray().map((row) => {
    const [time, ...values] = Object.values(row.toJSON())
    return `${new Date(Number(time)).toISOString().replace('T', ' ').replace('.000Z', '')} ${values.join(' ')}\n`
  })
  t.equal(lines.join(''), block('text', ''))
})

const skip = skipWithout('pyarrow')
t.test('the Python program prints what the README shows', { skip }, async (t) => {
  const program = block('python', 'pyarrow').replace('http://localhost:5001', address)
  const { stdout } = await promisify(execFile)(PYTHON, ['-c', program])
  t.equal(stdout, block('text', ''))
})

/** The first fenced block of a language with a word in it. */
function block(language: string, word: string): string {
  const blocks = [...README.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const found = blocks.find(([, name, text]) => name === language && text?.includes(word))
  return found?.[2] ?? ''
}
