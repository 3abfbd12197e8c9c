import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

const FILES = globSync(['{src,bench,scripts,test}/**/*.{ts,rs,py,sh}', '.ci/run', 'deploy/*'], {
  cwd: ROOT,
  // What the benchmark has made, and what is installed.
  exclude: ['bench/data/**', '**/node_modules/**'],
})

/** Pages that whoever has the repository does not have. */
const OUTSIDE =
  /(?<![\w/-])(?:design|http-api|formats|sql-and-admin|interface|bench-queries|examples)\.md\b|(?<![\w/-])notes\/[\w-]+\.md\b|\.\.\/shared\//g

/** A page of the project, and the heading on it that is meant. */
const PAGE = /\b(docs\/[\w/-]+\.md)(?:,\s(?:[*/]+\s)*"([^"]+)")?/g

t.test('what the code rests on stands in docs', async (t) => {
  for (const file of FILES) {
    if (file.startsWith('test/house/')) continue
    const text = readFileSync(join(ROOT, file), 'utf8')
    t.strictSame(text.match(OUTSIDE), null, `${file} names no page outside the repository`)
    for (const [, page = '', heading] of text.matchAll(PAGE)) {
      const path = join(ROOT, page)
      if (!existsSync(path)) t.fail(`${file} names ${page}, which is not there`)
      else if (heading !== undefined)
        t.ok(
          readFileSync(path, 'utf8').includes(`# ${heading}\n`),
          `${file} names "${heading}" of ${page}, which is there`,
        )
    }
  }
})
