import { closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import { attempt, lookAt, requirePlanned } from './planned.ts'

/** A folder of a store, held open. */
export interface Folder {
  readonly descriptor: number
  /** As users know it. */
  readonly shown: string
  /** Its entries are found below this path, which leads to this very folder whatever becomes of its name. */
  readonly location: string
}

/** The folders of a store, which are reached name by name: a symbolic link is nowhere followed. */
export interface Folders extends Disposable {
  /** The deepest folder that there is on the way along these names, and how many of them lead to it. */
  reach(names: readonly string[]): { readonly folder: Folder; readonly depth: number }
}

/** Held at once by one task: objects that are read together lie in few folders. */
const MOST_OPEN = 32

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** Linux has paths that begin at an open folder. Elsewhere names are looked at one after the other, by their path. */
const DESCRIPTORS = '/proc/self/fd'
const HAS_DESCRIPTORS = existsSync(DESCRIPTORS)

/**
 * Throws `file_changed` if the store is gone, or one of its folders was moved to its place after `plannedAt`, and
 * `unreadable_file` for a symbolic link and what the system refuses.
 */
export function openFolders(path: string, location: string, plannedAt: bigint | null): Folders {
  /** By their names, `/` between them; the longest not used first. */
  const folders = new Map<string, Folder>()

  function open(key: string, at: string, own: string, shown: string): Folder {
    const descriptor = attempt(shown, () => openSync(at, FLAGS))
    const folder = {
      descriptor,
      shown,
      location: HAS_DESCRIPTORS ? `${DESCRIPTORS}/${descriptor}` : own,
    }
    folders.set(key, folder)
    const { mtimeNs, ctimeNs } = attempt(shown, () => fstatSync(descriptor, { bigint: true }))
    // A folder whose entries change has both times changed, and one that is moved the latter.
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

  /** Null: there is no such folder. */
  function enter(parent: Folder, name: string, key: string): Folder | null {
    const shown = `${parent.shown}/${name}`
    const at = `${parent.location}/${name}`
    const stats = lookAt(shown, at)
    if (stats === undefined || !(stats.isDirectory() || stats.isSymbolicLink())) return null
    if (stats.isSymbolicLink()) throw isLink(shown)
    const folder = open(key, at, `${location}/${key}`, shown)
    for (const [oldest, each] of folders) {
      if (folders.size <= MOST_OPEN) break
      close(oldest, each)
    }
    return folder
  }

  return {
    reach(names) {
      let folder = held('') ?? open('', location, location, path)
      for (const [depth, name] of names.entries()) {
        const key = names.slice(0, depth + 1).join('/')
        const next = held(key) ?? enter(folder, name, key)
        if (next === null) return { folder, depth }
        folder = next
      }
      return { folder, depth: names.length }
    },
    [Symbol.dispose]() {
      for (const [key, folder] of folders) close(key, folder)
    },
  }
}

export function isLink(shown: string): ServiceError {
  return new ServiceError(
    'unreadable_file',
    `"${shown}" is a symbolic link; links inside a store are not followed.`,
  )
}
