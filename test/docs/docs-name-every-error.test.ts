import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ERRORS } from '../../src/plan/errors.ts'

t.test('docs/reference/errors.md lists every error with its status, and no other', async (t) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/reference/errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  const statuses = Object.entries(ERRORS).map(([code, { status }]) => [code, status])
  t.same(Object.fromEntries(rows), Object.fromEntries(statuses))
})
