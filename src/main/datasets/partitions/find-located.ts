import { extensionsOf } from '../../../plan/format/extensions.ts'
import { type FoundFile, filesBelow, folderReader, searchStart } from '../find/find.ts'
import { CONCURRENT_FOLDERS, type Folder, type FolderVisitor } from '../find/walk.ts'
import { type FingerprintRecorder, NO_FINGERPRINT } from '../fingerprint/fingerprint.ts'
import type { DatasetRoot } from '../root.ts'
import { partitionOf } from './partition.ts'

/** Where the files of a table are. */
export interface Location {
  /** A file, a glob, or a folder, relative to the root. */
  readonly path: string
  /** The extensions, in lower case, of the files of a folder that belong to it. A glob and a file say themselves what they name. */
  readonly extensions: readonly string[]
  /** The keys of the folders `key=value` that have values of columns, in the order of the paths. */
  readonly keys: readonly string[]
}

/** Whether files with these values of the first keys may have rows that are wanted. */
export type LocationTest = (values: LocatedValues) => boolean

export type LocatedValues = readonly (string | null)[]

/** The files of a location. */
export interface FoundLocation {
  readonly isAsWritten: boolean
  readonly files: readonly FoundFile[]
  /** How many folders `key=value`, or files, the test has left out. */
  readonly leftOut: number
}

/** A folder that is read, and the values of the keys in its path. */
interface Branch {
  readonly folder: Folder
  readonly values: LocatedValues
}

/**
 * Finds the files of a location, without those below folders that do not pass the test. A folder with another key than the next one is
 * read as any other. Rejects with `invalid_path` as `findFiles` does.
 */
export async function findLocated(
  root: DatasetRoot,
  { path, extensions, keys }: Location,
  passes: LocationTest,
  signal: AbortSignal,
  fingerprint: FingerprintRecorder,
  markers: readonly string[],
): Promise<FoundLocation> {
  const start = await searchStart(root, path, fingerprint)
  if (start === null) return { isAsWritten: false, files: [], leftOut: 0 }
  if (start.kind === 'file') {
    const isLeftOut = !passesPath(start.file.path.split('/').slice(0, -1), keys, passes)
    return { isAsWritten: true, files: isLeftOut ? [] : [start.file], leftOut: Number(isLeftOut) }
  }
  if (!passesPath(start.base, keys, passes)) return { isAsWritten: false, files: [], leftOut: 1 }
  const wanted = start.isOfFolders ? new Set(extensions) : null
  const reader = folderReader(root, start, signal, fingerprint, markers)
  const paths: string[] = []
  const links = new Set<string>()
  const pending: Branch[] = [{ folder: reader.top, values: valuesIn(start.base, keys) }]
  let leftOut = 0

  async function read({ folder: from, values }: Branch): Promise<void> {
    await reader.read(from, {
      folder(folder, name) {
        const now = withFolder(values, name, keys)
        if (now === values || passes(now)) pending.push({ folder, values: now })
        else leftOut++
      },
      file(filePath, isLink) {
        if (wanted !== null && !isWanted(filePath, wanted)) return
        paths.push(filePath)
        if (isLink) links.add(filePath)
      },
      store() {},
    })
  }

  while (pending.length > 0) await Promise.all(pending.splice(-CONCURRENT_FOLDERS).map(read))
  return { isAsWritten: false, files: await filesBelow(start, paths, links, signal), leftOut }
}

/**
 * Whether a location has more than so many files. Their names are counted as they are listed, and no more folders are read than that takes.
 */
export async function hasMoreFiles(
  root: DatasetRoot,
  { path, extensions }: Location,
  most: number,
  signal: AbortSignal,
  markers: readonly string[],
): Promise<boolean> {
  const start = await searchStart(root, path, NO_FINGERPRINT)
  if (start?.kind !== 'folder') return false
  const wanted = start.isOfFolders ? new Set(extensions) : null
  const reader = folderReader(root, start, signal, NO_FINGERPRINT, markers)
  const pending: Folder[] = [reader.top]
  let count = 0
  const visitor: FolderVisitor = {
    folder: (folder) => pending.push(folder),
    file(filePath) {
      if (wanted === null || isWanted(filePath, wanted)) count++
    },
    store() {},
  }
  while (pending.length > 0 && count <= most)
    await Promise.all(pending.splice(-CONCURRENT_FOLDERS).map((folder) => reader.read(folder, visitor)))
  return count > most
}

/** Whether a file has one of the extensions. */
export function isWanted(path: string, extensions: ReadonlySet<string>): boolean {
  return extensionsOf(path).some((each) => extensions.has(each))
}

/** The values of the keys in the names of folders. There are fewer than keys if the folders of some are missing. */
export function valuesIn(folders: readonly string[], keys: readonly string[]): LocatedValues {
  let values: LocatedValues = []
  for (const name of folders) values = withFolder(values, name, keys)
  return values
}

/** The values below a folder: one more, if it is that of the next key. */
export function withFolder(values: LocatedValues, name: string, keys: readonly string[]): LocatedValues {
  if (values.length === keys.length) return values
  const partition = partitionOf(name)
  return partition !== null && partition.key === keys[values.length] ? [...values, partition.value] : values
}

/** Whether the values in a path pass, one after the other as they are found in a search. */
export function passesPath(
  folders: readonly string[],
  keys: readonly string[],
  passes: LocationTest,
): boolean {
  const values = valuesIn(folders, keys)
  return values.every((_, depth) => passes(values.slice(0, depth + 1)))
}
