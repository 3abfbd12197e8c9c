import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

t.test('every link leads somewhere', async (t) => {
  for (const page of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target)
    const dead = targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))
    t.same(dead, [], page)
  }
})
