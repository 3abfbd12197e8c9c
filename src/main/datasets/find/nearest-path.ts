import { basename } from 'node:path'
import { isServiceError } from '../../../plan/errors.ts'
import { nearestName } from '../../../plan/nearest-name.ts'
import type { EveryRight } from '../../auth/rights/rights.ts'
import { hasWildcard } from '../../patterns/glob.ts'
import { parsePath } from '../../patterns/path.ts'
import { NO_FINGERPRINT } from '../fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../root.ts'
import { findFiles } from './find.ts'
import { locate } from './locate.ts'

/** The most entries of a folder that are compared with a name. */
const MOST_ENTRIES = 10_000

/** How many entries of a folder a message names. */
const SHOWN = 3

/**
 * The end of a message about a path that matches no file: the nearest path that may match, or what is in the folder that was
 * searched. Empty if neither has anything. Names that begin with a dot are left out. It is only for those who may read everything.
 */
export async function nearestPath(
  root: DatasetRoot,
  path: string,
  _rights: EveryRight,
  signal: AbortSignal,
): Promise<string> {
  const { names } = parsePath(path)
  const meant = (await withoutRoot(root, names, signal)) ?? (await withoutBackslashes(root, path, signal))
  if (meant !== null)
    return `; did you mean ${JSON.stringify(meant)}? Paths are relative to the dataset root.`
  const mended = [...names]
  for (const [depth, name] of names.entries()) {
    const above = mended.slice(0, depth)
    if (!hasWildcard(name) && (await locate(root, [...above, name], NO_FINGERPRINT)) !== null) continue
    const path = mended.join('/')
    if (hasWildcard(name) && path !== names.join('/') && (await isThere(root, path, signal)))
      return suggestion(mended)
    const folder = depth === 0 ? 'the dataset root' : JSON.stringify(above.join('/'))
    const entries = await entriesOf(root, above, signal)
    if (entries === null) return `; ${folder} is not a folder.`
    const near = hasWildcard(name) ? null : nearestEntry(name, entries)
    if (near === null)
      return `; ${folder} has ${entries.length === 0 ? 'no files' : show(entries)}.${form(names)}`
    mended[depth] = near
  }
  return mended.join('/') === names.join('/') ? '.' : suggestion(mended)
}

function suggestion(names: readonly string[]): string {
  return `; did you mean ${JSON.stringify(names.join('/'))}?`
}

/** A sentence about the form of a path of which nothing near was found. Empty: it has none that means something else elsewhere. */
function form(names: readonly string[]): string {
  const [name = ''] = names
  if (names.some((each) => each.includes('{') && each.includes('}')))
    return ' Braces are plain characters; several paths are a list.'
  if (name === '~' || /^[A-Za-z]:/.test(name)) return ' Paths are relative to the dataset root.'
  return names.length === 1 && name.includes('.') && !hasWildcard(name)
    ? ` ${JSON.stringify(`**/${name}`)} searches all folders.`
    : ''
}

/**
 * The path below the dataset root: people write the folder that they know it by as well, such as `datasets/`. Null: the path has no
 * such folder, or nothing is there either.
 */
async function withoutRoot(
  root: DatasetRoot,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  const last = names.findLastIndex((name) => name === 'datasets' || name === basename(root.location))
  const below = names.slice(last + 1).join('/')
  return last >= 0 && below !== '' && (await isThere(root, below, signal)) ? below : null
}

/** The path with slashes, as it is written on Windows with backslashes. Null: it has none, or nothing is there. */
async function withoutBackslashes(
  root: DatasetRoot,
  path: string,
  signal: AbortSignal,
): Promise<string | null> {
  const slashed = path.replaceAll('\\', '/')
  return slashed !== path && (await isThere(root, slashed, signal)) ? slashed : null
}

async function isThere(root: DatasetRoot, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await findFiles(root, path, signal)).files.length > 0
  } catch (error) {
    if (isServiceError(error) && error.code === 'invalid_path') return false
    throw error
  }
}

/** The entry that was probably meant: the nearest name, or one with another extension. */
function nearestEntry(name: string, entries: readonly string[]): string | null {
  const stem = stemOf(name)
  return nearestName(name, entries) ?? entries.find((entry) => stemOf(entry) === stem) ?? null
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '').toLowerCase()
}

/** Names in a folder, sorted, at most `MOST_ENTRIES`. Null: there is no such folder. */
async function entriesOf(
  root: DatasetRoot,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const folder = await locate(root, names, NO_FINGERPRINT)
  if (!folder?.stats.isDirectory()) return null
  const entries: string[] = []
  for await (const { name } of await root.files.entries(folder.location)) {
    signal.throwIfAborted()
    if (!name.startsWith('.')) entries.push(name)
    if (entries.length === MOST_ENTRIES) break
  }
  return entries.toSorted()
}

function show(entries: readonly string[]): string {
  const names = entries.slice(0, SHOWN).map((name) => JSON.stringify(name))
  const rest = entries.length - names.length
  if (rest === 0) return names.join(', ')
  return `${names.join(', ')} and ${entries.length < MOST_ENTRIES ? '' : 'at least '}${rest} more`
}
