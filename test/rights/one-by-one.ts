import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Rule } from '../../src/main/auth/directory/directory.ts'
import type { Rights } from '../../src/main/auth/rights/rights.ts'
import { advance, begin, hasWildcard, isComplete, parseSegment } from '../../src/main/patterns/glob.ts'
import { mayRead } from './one-decision.ts'

/** The rights of some rules. */
export function rightsOfRules(rules: readonly Rule[]): Rights {
  return Object.freeze({ isEverything: false, rules: Object.freeze(rules), digest: JSON.stringify(rules) })
}

/** A name by which a file is found. */
export interface Name {
  readonly path: string
  /** Without symbolic links, relative to the root. */
  readonly target: string
}

/** The name of the file that marks folders as one dataset. */
export const MARKER = 'zarr.json'

/**
 * The files that a path or a glob leads to, found by looking at each entry below the root one by one. A path that leads out of the root
 * leads to nothing. `isListing`: as a listing finds them, which shows empty files, and never looks into a folder with a marker.
 */
export function filesOneByOne(root: string, asked: string, isListing = false): readonly Name[] {
  const names = asked.split('/').filter((name) => name !== '' && name !== '.')
  const isFolder = names.length === 0 || asked.endsWith('/') || asked.endsWith('/.') || asked === '.'
  const at = inside(root, names.join('/'))
  if (at !== null && statSync(join(root, at)).isDirectory()) return below(root, names, at, ['**'], isListing)
  if (at !== null && !isFolder) return [{ path: names.join('/'), target: at }]
  const wildcard = names.findIndex(hasWildcard)
  if (wildcard < 0) return []
  const base = names.slice(0, wildcard)
  const baseAt = inside(root, base.join('/'))
  if (baseAt === null || !statSync(join(root, baseAt)).isDirectory()) return []
  return below(root, base, baseAt, [...names.slice(wildcard), ...(isFolder ? ['**'] : [])], isListing)
}

/** The files below a folder whose names match. Links to folders are not followed. */
function below(
  root: string,
  base: readonly string[],
  baseAt: string,
  levels: readonly string[],
  isListing: boolean,
): readonly Name[] {
  const pattern = levels.map(parseSegment)
  const avoidsStores = isListing || levels.includes('**')
  const matches = (path: readonly string[]): boolean => {
    let progress = begin(pattern)
    for (const name of path) progress = advance(pattern, progress, name)
    return isComplete(pattern, progress)
  }
  const found: Name[] = []
  const visit = (path: readonly string[]): void => {
    const folder = join(root, baseAt, ...path)
    if (avoidsStores && readdirSync(folder).includes(MARKER)) return
    for (const name of readdirSync(folder)) {
      const [inner, location] = [[...path, name], join(folder, name)]
      if (lstatSync(location).isDirectory()) visit(inner)
      else if (matches(inner)) {
        const target = inside(root, relative(root, location))
        if (target !== null && statSync(location).isFile() && (isListing || statSync(location).size > 0))
          found.push({ path: [...base, ...inner].join('/'), target })
      }
    }
  }
  visit([])
  return found
}

/** Where a path leads, relative to the root. Null: out of it, or to nothing. */
function inside(root: string, path: string): string | null {
  try {
    const at = relative(root, realpathSync(join(root, path)))
    return at.startsWith('..') ? null : at
  } catch {
    return null
  }
}

/** Whether a file may be read by a name. */
export function mayReadName(rights: Rights, { path, target }: Name): boolean {
  return mayRead(rights, { kind: 'file', paths: [path], targets: [target] })
}

/** The files that paths lead to, by where they are, in no order. Null: there is none of a path, or one may not be read. */
export function readOneByOne(
  root: string,
  asked: readonly string[],
  rights: Rights,
): readonly string[] | null {
  const found = asked.map((path) => filesOneByOne(root, path))
  if (found.some((names) => names.length === 0)) return null
  if (!found.flat().every((name) => mayReadName(rights, name))) return null
  return [...new Set(found.flat().map(({ target }) => target))]
}

/** The body of a refusal of paths. */
export function refusedPaths(...paths: readonly string[]): string {
  const printed = paths.map((path) => JSON.stringify(path)).join(', ')
  return `permission denied: SELECT on path ${printed}, or no file matches`
}

export function grantPath(glob: string): Rule {
  return { effect: 'grant', target: { kind: 'path', glob } }
}

export function denyPath(glob: string): Rule {
  return { effect: 'deny', target: { kind: 'path', glob } }
}
