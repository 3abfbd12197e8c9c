import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

t.test('what tests generate comes from the seed that is printed', async (t) => {
  for (const file of globSync('test/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] })) {
    if (file === 'test/support/generate.ts' || file.startsWith('test/house/')) continue
    t.notMatch(readFileSync(join(ROOT, file), 'utf8'), /from 'fast-check'|\bMath\.random\b/, file)
  }
})
