import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

const ROOT = join(import.meta.dirname, '../..')

/** Folders of the repository, and those of `src`, with which a path may begin. */
const FOLDERS = /^(src|test|bench|docs|scripts|deploy|\.ci|main|workers|wasm|plan)\//

/** What runs make, and what is not in the repository. */
const MADE = /^bench\/data\//

/** Paths of all files and folders of the repository. */
function allPaths(): readonly string[] {
  const inFolders = globSync('{src,test,bench,docs,scripts,deploy,.ci}/**', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  })
  return [...inFolders, ...globSync('*', { cwd: ROOT, exclude: (name) => name === 'node_modules' })]
}

/** The paths that a page has between backticks, outside of blocks of code. */
function pathsIn(markdown: string): readonly string[] {
  const text = markdown.replaceAll(/```[\s\S]*?```/g, '')
  const quoted = [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name)
  return quoted.filter((name) => !MADE.test(name) && (FOLDERS.test(name) || /\.(ts|rs|py|sh)$/.test(name)))
}

t.test('a path between backticks is the end of the path of a file or a folder', async (t) => {
  const ends = new Set<string>()
  for (const path of allPaths()) {
    const names = path.split('/')
    for (const index of names.keys()) ends.add(names.slice(index).join('/'))
  }
  for (const page of ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: ROOT })]) {
    const paths = pathsIn(readFileSync(join(ROOT, page), 'utf8'))
    t.same(
      paths.filter((path) => !ends.has(path.replace(/\/$/, ''))),
      [],
      page,
    )
  }
})
