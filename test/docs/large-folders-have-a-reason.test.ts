import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')
const MOST_FILES = 15
const MOST_LINES = 120

function read(page: string): string {
  return readFileSync(join(ROOT, 'docs', page), 'utf8')
}

t.test('each folder of the source with more than 15 files has a reason on the page of rooms', async (t) => {
  const counts = new Map<string, number>()
  for (const file of globSync('src/**/*.{ts,rs}', { cwd: ROOT }))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const large = [...counts].filter(([, files]) => files > MOST_FILES).map(([folder]) => folder)
  const [, section = ''] = read('architecture/rooms.md').split('## Large rooms')
  const explained = [...section.matchAll(/^\| `([^`]+)` \| \S/gm)].map(([, folder = '']) => folder)
  t.same(explained.toSorted(), large.toSorted())
})

t.test('the map has at most 120 lines, and links to the page of each room', async (t) => {
  const map = read('architecture.md')
  t.ok(map.split('\n').length <= MOST_LINES)
  const pages = globSync('architecture/*.md', { cwd: join(ROOT, 'docs') })
  t.same(
    pages.filter((page) => !map.includes(`](${page}`)),
    [],
  )
})
