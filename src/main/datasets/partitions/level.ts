import { STEP_ITEMS, type Steps } from '../../../plan/steps.ts'
import { type Partition, partitionsOf } from './partition.ts'

/** The folders `key=value` of one depth, in all paths of a search. */
export interface Level {
  readonly key: string
  /** The values of all folders, also of those without files that match. */
  readonly names: ReadonlySet<string | null>
}

/** The levels of a search, in the order of the paths. Null: the paths have different keys, or a key twice. */
export type Levels = readonly Level[] | null

/**
 * The levels of files. `folders` are the paths of all folders with a `=` in their names that the search has seen. If the first
 * file has no partitions there are no levels, whatever the others have.
 */
export function* levelsOf(
  files: readonly { readonly path: string }[],
  folders: readonly string[],
): Steps<Levels> {
  const first = files[0] === undefined ? null : folderOf(files[0].path)
  if (first === null) return []
  const keys = partitionsOf(first.split('/')).map(({ key }) => key)
  if (keys.length === 0) return []
  const names = keys.map(() => new Set<string | null>())
  const seen = new Set<string | null>()
  for (const [index, { path }] of files.entries()) {
    if (index % STEP_ITEMS === 0) yield
    const folder = folderOf(path)
    if (seen.has(folder)) continue
    seen.add(folder)
    const partitions = folder === null ? [] : partitionsOf(folder.split('/'))
    if (!areOf(partitions, keys)) return null
    addNames(names, partitions)
  }
  for (const [index, folder] of folders.entries()) {
    if (index % STEP_ITEMS === 0) yield
    const partitions = partitionsOf(folder.split('/'))
    if (areOf(partitions, keys.slice(0, partitions.length))) addNames(names, partitions)
  }
  if (new Set(keys).size < keys.length) return null
  return keys.map((key, depth) => ({ key, names: names[depth] ?? new Set() }))
}

/** The folder of a file, if its path has a `=`. Null: no folder of the path is a partition. */
export function folderOf(path: string): string | null {
  const end = path.lastIndexOf('/')
  return end > 0 && path.includes('=') ? path.slice(0, end) : null
}

/** Whether partitions have exactly these keys. */
function areOf(partitions: readonly Partition[], keys: readonly string[]): boolean {
  return partitions.length === keys.length && partitions.every(({ key }, depth) => key === keys[depth])
}

function addNames(names: readonly Set<string | null>[], partitions: readonly Partition[]): void {
  for (const [depth, { value }] of partitions.entries()) names[depth]?.add(value)
}
