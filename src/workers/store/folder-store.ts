import { type BigIntStats, closeSync, constants, fstatSync, opendirSync, openSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import { type FileRef, type FolderRef, storePath } from '../../plan/source/file.ts'
import type { ObjectVersion } from '../../plan/source/object.ts'
import {
  CLOCK_TICK_MS,
  type FileVersion,
  millisecondsOf,
  sameVersion,
  versionOf,
} from '../../plan/source/version.ts'
import type { ByteSource } from './byte-source.ts'
import { type Folder, isLink, openFolders } from './folders.ts'
import { requireKey } from './object-key.ts'
import { attempt, changed, lstatIfAny, READ_FLAGS, requirePlanned, requireVersion } from './planned.ts'
import { rangeReads } from './range-reads.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { Store } from './store.ts'

/**
 * The store of a folder. A key is the path of a file below it. `documents` are the objects whose versions the plan names, by
 * location. The file of an object is open until another object is opened, so that no task has many descriptors. Its version is that of
 * the descriptor, before what is read and after it. If the object was written within the last tick of the clock, opening waits for the
 * end of the tick, because `write(2)` may still be copying. Throws `file_changed` if the marker, a document or an object has changed
 * since the query was planned, and `unreadable_file` for what is not a regular file or cannot be read.
 */
export function openFolderStore(
  file: FileRef,
  { marker, plannedAt }: FolderRef,
  documents: ReadonlyMap<string, FileVersion | null>,
  stopwatch: Stopwatch,
): Store {
  const { location } = file
  const path = storePath(file)
  const folders = openFolders(path, location, plannedAt)
  /** The objects that were read, without the documents, by location. Null: the object does not exist. */
  const objects = new Map<string, FileVersion | null>()
  /** The objects that were opened since the last `verify` and have to be looked at again by their paths. */
  const unverified = new Map<string, FileVersion | null>()
  /** The file of the object that was opened last. */
  let opened: OpenedObject | null = null

  /** The key of the folder of an object, and its name there. Throws `unreadable_file` for a key of no object. */
  function splitKey(key: string): { readonly parent: string; readonly name: string } {
    requireKey(key, path)
    const slash = key.lastIndexOf('/')
    return { parent: slash === -1 ? '' : key.slice(0, slash), name: key.slice(slash + 1) }
  }

  /** Closes the file that is open. Throws `file_changed` if it has changed since it was opened, and what was read may be of any version. */
  function close(): void {
    if (opened === null) return
    const { descriptor, shown, version } = opened
    opened = null
    try {
      requireVersion(shown, version, () => fstatSync(descriptor, { bigint: true }))
    } finally {
      closeSync(descriptor)
    }
  }

  /** Opens the file of a key, and has it open. Null: it cannot be opened, for whatever reason. */
  function openFile(key: string): OpenedObject | null {
    const { parent, name } = splitKey(key)
    const { folder, isThere } = folders.reach(parent)
    if (!isThere) return null
    const shown = `${path}/${key}`
    const descriptor = openIfAny(`${folder.location}/${name}`)
    if (descriptor === null) return null
    try {
      const stat = () =>
        regularFile(
          shown,
          attempt(shown, () => fstatSync(descriptor, { bigint: true })),
        )
      const stats = stat()
      requirePlannedVersion(key, versionOf(stats))
      const version = waitForWriting(stats) ? versionOf(stat()) : versionOf(stats)
      requirePlannedVersion(key, version)
      opened = { key, shown, descriptor, version }
      return opened
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
  }

  /** Throws `file_changed` unless an object may have been what it is when the query was planned. */
  function requirePlannedVersion(key: string, version: FileVersion): void {
    const plannedVersion = key === marker ? file.version : documents.get(`${location}/${key}`)
    if (plannedVersion === undefined) requirePlanned(`${path}/${key}`, version.ctimeNs, plannedAt)
    else if (!isSame(version, plannedVersion)) throw changed(`${path}/${key}`)
  }

  /** Stats the file of a key. Returns its version; null: there is none. */
  function versionOfKey(key: string, hasWaited = false): FileVersion | null {
    const { parent, name } = splitKey(key)
    const { folder, isThere } = folders.reach(parent)
    const stats = isThere ? lstatIfAny(`${path}/${key}`, `${folder.location}/${name}`) : undefined
    const version = stats === undefined ? null : versionOf(regularFile(`${path}/${key}`, stats))
    if (version !== null) requirePlannedVersion(key, version)
    else if (key === marker || (documents.get(`${location}/${key}`) ?? null) !== null)
      throw changed(`${path}/${key}`)
    else if (!documents.has(`${location}/${key}`)) requireUnchanged(folder, plannedAt)
    if (stats !== undefined && !hasWaited && waitForWriting(stats)) return versionOfKey(key, true)
    return version
  }

  /** Opens a folder, which must be there. */
  function folderOfKey(key: string): { readonly folder: Folder; readonly version: FileVersion } {
    if (key !== '') requireKey(key, path)
    const { folder, isThere } = folders.reach(key)
    if (!isThere) throw changed(`${path}/${key}`)
    const version = versionOf(attempt(folder.shown, () => fstatSync(folder.descriptor, { bigint: true })))
    const plannedVersion = documents.get(key === '' ? location : `${location}/${key}`)
    if (plannedVersion === undefined) requirePlanned(folder.shown, version.ctimeNs, plannedAt)
    else if (!isSame(version, plannedVersion)) throw changed(folder.shown)
    return { folder, version }
  }

  /** Notes the version of what is opened. */
  function note(key: string, version: FileVersion | null): void {
    const at = key === '' ? location : `${location}/${key}`
    // Nothing that changed after the plan was made passes, so that what was read is of one state: that of the plan.
    if (plannedAt === null || key === '' || opened?.key !== key) {
      const before = unverified.get(at)
      if (before !== undefined && !isSame(version, before)) throw changed(`${path}/${key}`)
      unverified.set(at, version)
    }
    record(at, version)
  }

  function record(at: string, version: FileVersion | null): void {
    if (!documents.has(at) && at !== `${location}/${marker}`) objects.set(at, version)
  }

  function sourceOf(key: string, version: FileVersion): ByteSource {
    const shown = `${path}/${key}`
    const size = Number(version.size)
    const reads = rangeReads(shown, size, stopwatch, (work) => {
      const object = opened?.key === key ? opened : openAgain(key)
      if (!sameVersion(object.version, version)) throw changed(shown)
      work(object.descriptor)
    })
    return { version, size, ...reads }
  }

  /** Opens a file again that was closed for another one. */
  function openAgain(key: string): OpenedObject {
    close()
    const object = openFile(key)
    if (object !== null) return object
    if (versionOfKey(key) === null) throw changed(`${path}/${key}`)
    throw new ServiceError('unreadable_file', `"${path}/${key}" cannot be opened.`)
  }

  return {
    file,
    open(key) {
      // The key of the only object of a dataset that is one file.
      if (key === '') return null
      const version = stopwatch.time('open', () => {
        close()
        // What cannot be opened is looked at, to say why.
        return openFile(key)?.version ?? versionOfKey(key)
      })
      note(key, version)
      return version && sourceOf(key, version)
    },
    foldersIn(key) {
      const { folder, version } = folderOfKey(key)
      note(key, version)
      return stopwatch.time('read', () => foldersIn(folder))
    },
    isStill(object) {
      const noted = objects.get(object.location)
      if (noted !== undefined && isSame(noted, object.version)) return true
      const version = stopwatch.time('open', () => versionOfKey(object.location.slice(location.length + 1)))
      if (!isSame(version, object.version)) return false
      record(object.location, version)
      return true
    },
    verify() {
      close()
      const planned = [[`${location}/${marker}`, file.version] as const, ...documents, ...unverified]
      for (const [at, version] of planned) {
        const shown = path + at.slice(location.length)
        const stats = lstatIfAny(shown, at)
        if (!isSame(stats === undefined ? null : versionOf(stats), version)) throw changed(shown)
      }
      unverified.clear()
    },
    objects: () => [...objects].map(([at, version]): ObjectVersion => ({ location: at, version })),
    [Symbol.dispose]() {
      if (opened !== null) closeSync(opened.descriptor)
      opened = null
      folders[Symbol.dispose]()
    },
  }
}

/** An object whose file is open. */
interface OpenedObject {
  readonly key: string
  /** Its path as users know it. */
  readonly shown: string
  readonly descriptor: number
  readonly version: FileVersion
}

/** A descriptor of a file that is no symbolic link. Null: it cannot be opened. */
function openIfAny(at: string): number | null {
  try {
    return openSync(at, READ_FLAGS | constants.O_NOFOLLOW)
  } catch {
    return null
  }
}

function isSame(a: FileVersion | null, b: FileVersion | null): boolean {
  return a === null || b === null ? a === b : sameVersion(a, b)
}

/** Throws `unreadable_file` if the stats are not those of a regular file. */
function regularFile(shown: string, stats: BigIntStats): BigIntStats {
  if (stats.isFile()) return stats
  if (stats.isSymbolicLink()) throw isLink(shown)
  const kind = stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a pipe' : 'a device or socket'
  throw new ServiceError('unreadable_file', `"${shown}" is ${kind}, and no regular file.`)
}

/**
 * Waits until the clock tick of the last change is over, if that was a write: `write(2)` sets the time of a file before it
 * copies the bytes. Returns whether it has waited.
 */
function waitForWriting({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const leftMs = millisecondsOf(ctimeNs) + CLOCK_TICK_MS - Date.now()
  if (mtimeNs !== ctimeNs || leftMs <= 0 || leftMs > CLOCK_TICK_MS) return false
  Atomics.wait(SLEEP, 0, 0, leftMs)
  return true
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4))

/**
 * Throws `file_changed` if a folder has changed since the query was planned. If not, what is absent from it was absent then.
 */
function requireUnchanged({ shown, descriptor }: Folder, plannedAt: bigint | null): void {
  const { ctimeNs } = attempt(shown, () => fstatSync(descriptor, { bigint: true }))
  requirePlanned(shown, ctimeNs, plannedAt)
}

/** The most entries of a folder that is listed. */
const MAX_ENTRIES = 65_536

/**
 * The names of the folders in an open folder, and of symbolic links, in the order of their UTF-8 bytes. Throws `memory_limit` if there
 * are too many entries.
 */
function foldersIn({ shown, location }: Folder): readonly string[] {
  const names: Buffer[] = []
  using folder = attempt(shown, () => opendirSync(location))
  for (let entries = 1; ; entries++) {
    const entry = attempt(shown, () => folder.readSync())
    if (entry === null) break
    if (entries > MAX_ENTRIES)
      throw new ServiceError('memory_limit', `"${shown}" has more than ${MAX_ENTRIES} entries.`)
    if (entry.isDirectory() || entry.isSymbolicLink()) names.push(Buffer.from(entry.name))
  }
  return names.sort(Buffer.compare).map(String)
}
