import type { Rule } from '../../src/main/auth/directory/directory.ts'
import type { Rights } from '../../src/main/auth/rights/rights.ts'
import {
  advance,
  begin,
  GLOBSTAR,
  hasWildcard,
  isComplete,
  parseSegment,
} from '../../src/main/patterns/glob.ts'
import { parsePath } from '../../src/main/patterns/path.ts'
import { foldSqlName } from '../../src/plan/statement/statement.ts'

/** What is to be read. */
export type Readable =
  /** A table or a view, whose own files are no matter of rules. */
  | { readonly kind: 'table'; readonly schema: string; readonly name: string }
  /** A file, or a folder that is a dataset. */
  | {
      readonly kind: 'file'
      /** The names that it has relative to the dataset root, as it was asked for: of a folder also that of its marker. */
      readonly paths: readonly string[]
      /** Likewise, without symbolic links. Only denies apply to them. */
      readonly targets: readonly string[]
    }

/**
 * Whether something may be read: a rule grants it, and none denies it. This is what rules mean. `tableTest` and `pathRightsOf` decide the
 * same of many tables and files, in less time.
 */
export function mayRead({ isEverything, rules }: Rights, what: Readable): boolean {
  if (isEverything) return true
  const applies = ({ target, effect }: Rule): boolean => {
    if (target.kind === 'all') return true
    if (what.kind === 'table')
      return (
        target.kind === 'table' &&
        foldSqlName(target.schema) === foldSqlName(what.schema) &&
        foldSqlName(target.name) === foldSqlName(what.name)
      )
    if (target.kind === 'table') return false
    const names = effect === 'deny' ? [...what.paths, ...what.targets] : what.paths
    return names.some((path) => matchesPath(target.glob, path))
  }
  const [denies, grants] = [
    rules.filter((rule) => rule.effect === 'deny'),
    rules.filter((rule) => rule.effect === 'grant'),
  ]
  return grants.some(applies) && !denies.some(applies)
}

/**
 * Whether the glob of a rule matches a path. As in queries, a path without wildcards names the file or all files below the folder, and
 * so does one that ends in `/`. Other than in queries, wildcards match names that begin with a dot.
 */
function matchesPath(glob: string, path: string): boolean {
  const { names, isFolder } = parsePath(glob)
  const isBelow = isFolder || !names.some(hasWildcard)
  const pattern = [...names.map(parseSegment), ...(isBelow ? [GLOBSTAR] : [])] as ReturnType<
    typeof parseSegment
  >[]
  let progress = begin(pattern)
  for (const name of path.split('/')) progress = advance(pattern, progress, name, true)
  return isComplete(pattern, progress)
}
