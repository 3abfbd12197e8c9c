import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { slugOf } from '../../src/main/http/pages/markdown.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]

/** The ids of the headings of a page. */
function headingsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => slugOf(title)))
}

t.test('every link leads somewhere', async (t) => {
  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const targets = [...text.matchAll(/\]\((?!https?:)([^)#]+)[^)]*\)/g)].map(([, target = '']) => target)
    const dead = targets.filter((target) => !existsSync(join(ROOT, dirname(page), target)))
    t.same(dead, [], page)
  }
})

t.test('every link to a section of a page leads to a heading', async (t) => {
  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const dead = [...text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)].filter(([, path = '', id = '']) => {
      const target = path === '' ? page : join(dirname(page), path)
      return target.endsWith('.md') && !headingsOf(target).has(id)
    })
    t.same(
      dead.map(([link]) => link),
      [],
      page,
    )
  }
})
