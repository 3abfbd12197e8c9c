import type { Dirent } from 'node:fs'
import type { DatasetRoot } from '../../datasets/root.ts'
import { NOT_UTF8, type Unread } from './unread.ts'

/** What a walk meets beside files. Paths are absolute. */
export interface FolderVisitor {
  /** A folder with a marker. */
  store(path: string, marker: string): void
  /** A folder of Delta or Iceberg. */
  lake(path: string): void
  /** A folder whose files the walk does not give, for any reason. */
  closed(path: string): void
}

/** The entries of a folder that a walk gives: files, folders and links. None of a folder that is one dataset, or cannot be read. */
export type ReadFolder = (path: string) => Promise<readonly Dirent[]>

/**
 * Entries are those that a query's search meets. Names that begin with a dot are left out, as are pipes and sockets.
 * @param pathOf Paths relative to the root.
 */
export function createReadFolder(
  { files }: DatasetRoot,
  markers: readonly string[],
  pathOf: (path: string) => string,
  unread: Unread,
  visitor: FolderVisitor,
): ReadFolder {
  async function entriesOf(path: string): Promise<readonly Dirent[]> {
    if (files.isLocal(path, path)) return files.entriesSync(path)
    const entries: Dirent[] = []
    for await (const entry of await files.entries(path)) entries.push(entry)
    return entries
  }

  /** Node puts U+FFFD in place of bytes that are not UTF-8. A name may also have it, once. */
  async function isNamed(folder: string, { name }: Dirent, replaced: Set<string>): Promise<boolean> {
    if (!name.includes('\uFFFD')) return true
    const path = `${folder}/${name}`
    const isThere = !replaced.has(name) && (await files.lstat(path).catch(() => null)) !== null
    replaced.add(name)
    if (!isThere) unread.add(NOT_UTF8, pathOf(path))
    return isThere
  }

  /** Whether a folder has documents of Iceberg. */
  async function hasIceberg(path: string): Promise<boolean> {
    try {
      const documents = await entriesOf(`${path}/metadata`)
      return documents.some(({ name }) => name.endsWith('.metadata.json'))
    } catch {
      // The walk comes to this folder, and reports it.
      return false
    }
  }

  async function read(path: string): Promise<readonly Dirent[]> {
    if (files.isHidden(path)) {
      visitor.closed(path)
      return []
    }
    const { entries, marker, hasDeltaLog, hasMetadata } = sortOut(await entriesOf(path), markers)
    if (marker !== null) {
      visitor.store(path, marker)
      visitor.closed(path)
      return []
    }
    if (hasDeltaLog || (hasMetadata && (await hasIceberg(path)))) {
      visitor.lake(path)
      visitor.closed(path)
      return []
    }
    if (!entries.some(({ name }) => name.includes('\uFFFD'))) return entries
    const given: Dirent[] = []
    const replaced = new Set<string>()
    for (const entry of entries) if (await isNamed(path, entry, replaced)) given.push(entry)
    return given
  }

  return async (path) => {
    try {
      return await read(path)
    } catch (error) {
      unread.addFailure(error, pathOf(path))
      visitor.closed(path)
      return []
    }
  }
}

interface SortedOut {
  /** Those that a walk may give. */
  readonly entries: readonly Dirent[]
  /** The first marker that is a file of the folder. */
  readonly marker: string | null
  /** Whether it has the folder of the log of Delta, and that in which Iceberg has its documents. */
  readonly hasDeltaLog: boolean
  readonly hasMetadata: boolean
}

/** Looks at each entry of a folder once. */
function sortOut(all: readonly Dirent[], markers: readonly string[]): SortedOut {
  const entries: Dirent[] = []
  let first = markers.length
  let [hasDeltaLog, hasMetadata] = [false, false]
  for (const entry of all) {
    const { name } = entry
    if (entry.isFile()) {
      const marker = markers.indexOf(name)
      if (marker >= 0 && marker < first) first = marker
    } else if (entry.isDirectory()) {
      if (name === '_delta_log') hasDeltaLog = true
      else if (name === 'metadata') hasMetadata = true
    } else if (!entry.isSymbolicLink()) continue
    if (!name.startsWith('.')) entries.push(entry)
  }
  return { entries, marker: markers[first] ?? null, hasDeltaLog, hasMetadata }
}
