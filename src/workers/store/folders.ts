import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import { attempt, lstatIfAny, requirePlanned } from './planned.ts'

/** An open folder of a store. */
export interface Folder {
  readonly descriptor: number
  /** Its path as users know it. */
  readonly shown: string
  /** A path that leads to this very folder, even if it is renamed or replaced. */
  readonly location: string
}

/** The folders of a store. They are opened name by name, so that no symbolic link is followed. */
export interface Folders extends Disposable {
  /**
   * Opens the folder of a key, whose names lead from one folder to the next. Returns the last one that exists, and whether it is
   * the one of the key. The key of the store itself is ''.
   */
  reach(key: string): { readonly folder: Folder; readonly isThere: boolean }
}

/** The most folders that a task keeps open. Objects that are read together lie in few folders. */
const MAX_OPEN = 32

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** On Linux a path can begin at an open folder. On other systems the path of the folder itself is used. */
const DESCRIPTORS = '/proc/self/fd'
const HAS_DESCRIPTORS = existsSync(DESCRIPTORS)

/**
 * `reach` throws `file_changed` if the store is gone, or one of its folders was changed or moved there after `plannedAt`,
 * and `unreadable_file` for a symbolic link and if the system refuses to open a folder.
 */
export function openFolders(path: string, location: string, plannedAt: bigint | null): Folders {
  /** By their names, joined by `/`. The least recently used first. */
  const folders = new Map<string, Folder>()

  function open(key: string, at: string, folderLocation: string, shown: string): Folder {
    return keep(
      key,
      attempt(shown, () => openSync(at, FLAGS)),
      folderLocation,
      shown,
    )
  }

  function keep(key: string, descriptor: number, folderLocation: string, shown: string): Folder {
    const folder = {
      descriptor,
      shown,
      location: HAS_DESCRIPTORS ? `${DESCRIPTORS}/${descriptor}` : folderLocation,
    }
    folders.set(key, folder)
    const { mtimeNs, ctimeNs } = attempt(shown, () => fstatSync(descriptor, { bigint: true }))
    // If entries of a folder change, both times are set; if the folder is moved, only the ctime is.
    if (mtimeNs !== ctimeNs) requirePlanned(shown, ctimeNs, plannedAt)
    return folder
  }

  function close(key: string, { descriptor }: Folder): void {
    folders.delete(key)
    closeSync(descriptor)
  }

  function held(key: string): Folder | undefined {
    const folder = folders.get(key)
    if (folder === undefined) return undefined
    folders.delete(key)
    folders.set(key, folder)
    return folder
  }

  /** Opens a folder in another one. Null: there is none of this name. */
  function enter(parent: Folder, name: string, key: string): Folder | null {
    const shown = `${parent.shown}/${name}`
    const at = `${parent.location}/${name}`
    const descriptor = openIfAny(at)
    if (descriptor === null) {
      // What cannot be opened is looked at, to say why.
      const stats = lstatIfAny(shown, at)
      if (stats === undefined || !(stats.isDirectory() || stats.isSymbolicLink())) return null
      if (stats.isSymbolicLink()) throw isLink(shown)
    }
    const folder =
      descriptor === null
        ? open(key, at, `${location}/${key}`, shown)
        : keep(key, descriptor, `${location}/${key}`, shown)
    for (const [oldest, each] of folders) {
      if (folders.size <= MAX_OPEN) break
      close(oldest, each)
    }
    return folder
  }

  return {
    reach(key) {
      // An open folder needs no other one: objects that are read one after the other lie in the same.
      const reached = held(key)
      if (reached !== undefined) return { folder: reached, isThere: true }
      let folder = held('') ?? open('', location, location, path)
      for (let end = 0; end < key.length; ) {
        const from = end === 0 ? 0 : end + 1
        const slash = key.indexOf('/', from)
        end = slash === -1 ? key.length : slash
        const keyOfNext = key.slice(0, end)
        const next = held(keyOfNext) ?? enter(folder, key.slice(from, end), keyOfNext)
        if (next === null) return { folder, isThere: false }
        folder = next
      }
      return { folder, isThere: true }
    },
    [Symbol.dispose]() {
      for (const [key, folder] of folders) close(key, folder)
    },
  }
}

/** A descriptor of a folder that is no symbolic link. Null: it cannot be opened. */
function openIfAny(at: string): number | null {
  try {
    return openSync(at, FLAGS)
  } catch {
    return null
  }
}

export function isLink(shown: string): ServiceError {
  return new ServiceError(
    'unreadable_file',
    `"${shown}" is a symbolic link; links inside a store are not followed.`,
  )
}
