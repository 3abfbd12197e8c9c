import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readmeFigures, targetTable } from '../../bench/report/published.ts'
import type { Results } from '../../bench/report/report.ts'

const ROOT = join(import.meta.dirname, '../..')

t.test('the figures of the README and of the page on performance are those of one run', async (t) => {
  const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
  const page = read('docs/reference/performance.md')
  const [, file = ''] = /\((?:\.\.\/)*(bench\/results\/[\w-]+\.json)\)/.exec(page) ?? []
  const results = JSON.parse(read(file)) as Results
  t.ok(page.includes(targetTable(results)), 'the table of targets')
  t.ok(read('README.md').includes(readmeFigures(results)), 'the five figures of the README')
})
