import { partitionOf, partitionsOf } from '../../datasets/partitions/partition.ts'

/** Which group the files of a folder belong to. */
export interface Place {
  /** The folder of the group, relative to the root. */
  readonly base: string
  /** The keys of the folders `key=value` below it, in their order. */
  readonly keys: readonly string[]
  /** The first of them as it is written, which may be percent-encoded. */
  readonly firstKey: string | null
}

/** The place of a folder by its path, relative to the root: its group is the folder before the first `key=value`. */
export function placeOf(folder: string, detectsPartitions: boolean): Place {
  if (!detectsPartitions || !folder.includes('=')) return { base: folder, keys: [], firstKey: null }
  const names = folder.split('/')
  const first = names.findIndex((name) => partitionOf(name) !== null)
  if (first < 0) return { base: folder, keys: [], firstKey: null }
  return {
    base: names.slice(0, first).join('/'),
    keys: partitionsOf(names.slice(first)).map(({ key }) => key),
    firstKey: names[first]?.split('=')[0] ?? null,
  }
}

/** The folder that a path is in. Empty: it is the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}
