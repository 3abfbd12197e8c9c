import { realpathSync } from 'node:fs'
import t from 'tap'
import { EVERYTHING, type Rights } from '../../src/main/auth/rights/rights.ts'
import { findDatasets } from '../../src/main/datasets/list.ts'
import { openDatasetRoot } from '../../src/main/datasets/root.ts'
import { createSearch } from '../../src/main/datasets/search.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { FORMATS } from '../../src/plan/formats.ts'
import { fc } from '../support/generate.ts'
import { globsOf, rulesOf } from './generated-paths.ts'
import { makeTree } from './generated-tree.ts'
import {
  filesOneByOne,
  MARKER,
  mayReadName,
  readOneByOne,
  refusedPaths,
  rightsOfRules,
} from './one-by-one.ts'

const never = new AbortController().signal

t.test('queries and listings of any tree find what an evaluator finds that looks at each file', async (t) => {
  for (const [tree, hasStores] of [
    ['files', false],
    ['stores', true],
  ] as const) {
    const folder = t.testdir({ root: {} })
    const location = realpathSync(`${folder}/root`)
    const paths = [...makeTree(location, tree, hasStores).keys()]
    const [globs, rules] = [globsOf(paths), rulesOf(paths)]
    /** How many queries got files, and how many were refused though there are some. */
    const counts = { read: 0, refused: 0 }
    const root = await openDatasetRoot(location)
    const lists = fc.oneof(
      globs.map((glob) => [glob]),
      fc.array(globs, { minLength: 1, maxLength: 3 }),
    )
    const search = createSearch(root, FORMATS.markers)
    const found = async (paths: readonly string[], rights: Rights): Promise<readonly string[] | string> => {
      try {
        const { files } = await search(paths, rights, never)
        return files.map((file) => file.location.slice(location.length + 1)).toSorted()
      } catch (error) {
        if (isServiceError(error)) return error.message
        throw error
      }
    }
    await fc.assert(
      fc.asyncProperty(rules, lists, async (some, paths) => {
        const rights = rightsOfRules(some)
        const expected = readOneByOne(location, paths, rights)?.toSorted() ?? refusedPaths(...paths)
        const told = JSON.stringify({ some, paths })
        t.same(await found(paths, rights), expected, told)
        if (typeof expected !== 'string') counts.read++
        else if (readOneByOne(location, paths, EVERYTHING) !== null) counts.refused++
        const [asked = ''] = paths
        const listed = await findDatasets(root, FORMATS, asked, rights, never)
        const all = await findDatasets(root, FORMATS, asked, EVERYTHING, never).catch(() => [])
        t.same(
          listed.map(({ file }) => file.path),
          all.filter(({ file }) => mayList(file.path, rights, location)).map(({ file }) => file.path),
          `listed ${told}`,
        )
      }),
      { numRuns: 400 },
    )
    t.ok(counts.read > 20 && counts.refused > 20, `${JSON.stringify(counts)} of ${tree}`)
  }
})

/** Whether a listing shows a file, or the marker of a folder. */
function mayList(path: string, rights: Rights, root: string): boolean {
  const [name] = filesOneByOne(root, path, true)
  if (name === undefined) return false
  if (!path.endsWith(MARKER)) return mayReadName(rights, name)
  const folder = (text: string): string => text.slice(0, -MARKER.length - 1)
  const own = { path: folder(name.path), target: folder(name.target) }
  const [isOwn, isMarker] = [grants(rights, own), grants(rights, name)]
  return (isOwn || isMarker) && !denies(rights, own) && !denies(rights, name)
}

function grants(rights: Rights, name: { readonly path: string; readonly target: string }): boolean {
  return mayReadName(rightsOfRules(rights.rules.filter(({ effect }) => effect === 'grant')), name)
}

function denies(rights: Rights, name: { readonly path: string; readonly target: string }): boolean {
  const all = { effect: 'grant', target: { kind: 'all' } } as const
  return !mayReadName(rightsOfRules([all, ...rights.rules.filter(({ effect }) => effect === 'deny')]), name)
}
