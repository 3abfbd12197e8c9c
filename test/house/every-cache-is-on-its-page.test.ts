import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

/** What keeps something between calls: the one bounded map, results by an object's identity, and whatever counts evictions. */
const KEEPS = /\bcreateLru(?:<[^(]*>)?\(|\bmemoize(?:Last)?\(|\bnew WeakMap\b|\bcount\('\w+Evictions'/

/** Where these are defined. */
const DEFINED = ['src/plan/lru.ts', 'src/plan/memoize.ts']

t.test('the page on caches names each file that keeps something, and no other', async (t) => {
  const page = readFileSync(join(ROOT, 'docs/reference/caches.md'), 'utf8')
  const named = [...page.matchAll(/`(?:src\/[\w/-]+\/)?[\w-]+\.ts`/g)].map(([path]) => path.slice(1, -1))
  const files = globSync('src/**/*.ts', { cwd: ROOT })
  for (const file of files) {
    if (DEFINED.includes(file) || !KEEPS.test(readFileSync(join(ROOT, file), 'utf8'))) continue
    t.ok(
      named.some((path) => path === file || path === basename(file)),
      `${file} is on docs/reference/caches.md`,
    )
  }
  for (const path of named)
    t.ok(
      files.some((file) => file === path || basename(file) === path),
      `${path} is there`,
    )
})
