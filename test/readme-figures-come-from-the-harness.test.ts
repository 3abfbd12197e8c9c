import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type Results, readmeFigures } from '../bench/report/report.ts'

const ROOT = join(import.meta.dirname, '..')

t.test('the figures of the README are those of the run that it names', async (t) => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
  const [, file = ''] = /\((bench\/results\/[\w-]+\.json)\)/.exec(readme) ?? []
  const results = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Results
  t.ok(readme.includes(readmeFigures(results)))
})
