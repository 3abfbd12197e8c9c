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

  /** Whether a folder has the log of Delta, or documents of Iceberg. */
  async function isLake(path: string, entries: readonly Dirent[]): Promise<boolean> {
    const folders = entries.filter((entry) => entry.isDirectory())
    if (folders.some(({ name }) => name === '_delta_log')) return true
    if (!folders.some(({ name }) => name === 'metadata')) return false
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
    const entries = await entriesOf(path)
    const marked = new Set(
      entries.filter((entry) => markers.includes(entry.name) && entry.isFile()).map(({ name }) => name),
    )
    const marker = markers.find((each) => marked.has(each))
    if (marker !== undefined) {
      visitor.store(path, marker)
      visitor.closed(path)
      return []
    }
    if (await isLake(path, entries)) {
      visitor.lake(path)
      visitor.closed(path)
      return []
    }
    const given: Dirent[] = []
    const replaced = new Set<string>()
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue
      if (!entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink()) continue
      if (!entry.name.includes('\uFFFD') || (await isNamed(path, entry, replaced))) given.push(entry)
    }
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
