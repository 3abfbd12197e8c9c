import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { coreFunctions, sqlPage } from '../../scripts/core-functions.ts'
import { functionsPage } from '../../scripts/functions-page.ts'
import { FUNCTIONS } from '../../src/plan/functions/functions.ts'

const SQL = readFileSync(join(import.meta.dirname, '../../docs/reference/sql.md'), 'utf8')
const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reference/functions.md'), 'utf8')

t.test('docs/reference/functions.md is what the table of functions says', async (t) => {
  t.equal(PAGE, functionsPage(PAGE), 'run: node scripts/write-functions.ts')
})

t.test(
  'docs/reference/sql.md lists the functions that the core evaluates, each of which is in the table',
  async (t) => {
    t.equal(SQL, sqlPage(SQL), 'run: node scripts/write-functions.ts')
    t.same(
      [...coreFunctions().values()].flat().filter((name) => !FUNCTIONS.has(name)),
      [],
    )
  },
)
