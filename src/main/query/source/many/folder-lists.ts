import { createLru } from '../../../../plan/lru.ts'
import { type FileVersion, isSettled, sameVersion, versionOf } from '../../../../plan/source/version.ts'
import { isNameBesideData } from '../../../datasets/beside-data.ts'
import { folderReader, searchStart } from '../../../datasets/find/find.ts'
import type { Folder } from '../../../datasets/find/walk.ts'
import { NO_FINGERPRINT } from '../../../datasets/fingerprint/fingerprint.ts'
import {
  isWanted,
  type LocatedValues,
  type Location,
  type LocationTest,
  passesPath,
  valuesIn,
  withFolder,
} from '../../../datasets/partitions/find-located.ts'
import type { DatasetRoot } from '../../../datasets/root.ts'

/** A folder of a location that is read. */
export interface ListedFolder extends FolderNames {
  /** Absolute, without symbolic links. */
  readonly location: string
  /** Relative to the root, with a slash at its end; '' for the root. */
  readonly prefix: string
}

interface FolderNames {
  /** The names of files of the location, by ascending code units. */
  readonly files: readonly string[]
  /** The names of links. */
  readonly links: readonly string[]
}

interface KeptFolder extends FolderNames {
  readonly version: FileVersion
  readonly folders: readonly NamedFolder[]
}

interface NamedFolder {
  readonly folder: Folder
  readonly name: string
}

/**
 * Lists the folders of locations, with a cache: the names of a folder that is the version that it was are not read again. Folders must be on
 * local disks, whose calls are synchronous.
 */
export interface FolderLists {
  /** How many files a location has, or more than `most`. The names that are read for that are in the cache. Null, and rejects, as `list`. */
  count(root: DatasetRoot, location: Location, most: number, signal: AbortSignal): Promise<number | null>
  /**
   * Calls `visit` for each folder of a location that passes the test, until it returns `false`. Returns how many folders `key=value` were left
   * out; null: the location is no folder, or is not on a local disk. Rejects as `findLocated` does.
   */
  list(
    root: DatasetRoot,
    location: Location,
    passes: LocationTest,
    visit: (folder: ListedFolder) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<number | null>
}

/** The most bytes of names. */
const CAPACITY = 64 << 20

/** What a name takes besides its characters, and a folder besides its names. */
const NAME_BYTES = 40
const FOLDER_BYTES = 500

export function createFolderLists(markers: readonly string[]): FolderLists {
  const keptFolders = createLru<KeptFolder>(CAPACITY, weightOf)
  const folderLists: FolderLists = {
    async count(root, location, most, signal) {
      let files = 0
      const visit = async (folder: ListedFolder): Promise<boolean> => {
        files += folder.files.length + folder.links.length
        return files <= most
      }
      return (await folderLists.list(root, location, () => true, visit, signal)) === null ? null : files
    },
    async list(root, { path, extensions, keys }, passes, visit, signal) {
      const start = await searchStart(root, path, NO_FINGERPRINT)
      if (start?.kind !== 'folder') return null
      if (!passesPath(start.base, keys, passes)) return 1
      const wanted = start.isOfFolders ? new Set(extensions) : null
      const reader = folderReader(root, start, signal, NO_FINGERPRINT, markers)
      const keyOfLocation = JSON.stringify([path, extensions])
      const base = start.base.map((name) => `${name}/`).join('')
      let leftOut = 0

      /** The names of a folder. Those of one that may still be changing are not kept. */
      async function read(folder: Folder, location: string): Promise<KeptFolder> {
        const key = `${keyOfLocation} ${folder.path}`
        const requestedAt = Date.now()
        const stats = root.files.lstatSync(location)
        const version = stats && versionOf(stats)
        const earlier = keptFolders.get(key)
        if (earlier !== undefined && version !== undefined && sameVersion(earlier.version, version))
          return earlier
        const folders: NamedFolder[] = []
        const files: string[] = []
        const links: string[] = []
        await reader.read(folder, {
          folder: (below, name) => folders.push({ folder: below, name }),
          file(filePath, isLink) {
            if (wanted !== null && !isWanted(filePath, wanted)) return
            const name = filePath.slice(filePath.lastIndexOf('/') + 1)
            if (isNameBesideData(name)) return
            if (isLink) links.push(name)
            else files.push(name)
          },
          store() {},
        })
        const names = { folders, files: files.sort(), links }
        if (version === undefined) return { ...names, version: NO_VERSION }
        if (isSettled(version, requestedAt)) keptFolders.put(key, { ...names, version })
        return { ...names, version }
      }

      const pending: { readonly folder: Folder; readonly values: LocatedValues }[] = [
        { folder: reader.top, values: valuesIn(start.base, keys) },
      ]
      for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
        signal.throwIfAborted()
        const { folder, values } = next
        const location = folder.path === '' ? start.location : `${start.location}/${folder.path}`
        if (!root.files.isLocal(location, location)) return null
        const { folders, files, links } = await read(folder, location)
        const prefix = folder.path === '' ? base : `${base}${folder.path}/`
        const hasFiles = files.length + links.length > 0
        if (hasFiles && !(await visit({ location, prefix, files, links }))) return leftOut
        for (const { folder: below, name } of folders) {
          const valuesBelow = withFolder(values, name, keys)
          if (valuesBelow === values || passes(valuesBelow))
            pending.push({ folder: below, values: valuesBelow })
          else leftOut++
        }
      }
      return leftOut
    },
  }
  return folderLists
}

/** That of no folder. */
export const NO_VERSION: FileVersion = Object.freeze({
  device: 0n,
  inode: 0n,
  size: 0n,
  mtimeNs: 0n,
  ctimeNs: 0n,
})

function weightOf({ files, links, folders }: KeptFolder, key: string): number {
  let bytes = FOLDER_BYTES * (1 + folders.length) + key.length
  for (const names of [files, links]) for (const name of names) bytes += NAME_BYTES + name.length
  return bytes
}
