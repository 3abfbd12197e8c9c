import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { functionsPage } from '../../scripts/functions-page.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/functions.md'), 'utf8')

t.test('docs/reference/functions.md is what the table of functions says', async (t) => {
  t.equal(PAGE, functionsPage(PAGE), 'run: node scripts/write-functions.ts')
})
