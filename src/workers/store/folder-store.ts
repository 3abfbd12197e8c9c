import { type BigIntStats, closeSync, constants, fstatSync, openSync } from 'node:fs'
import { ServiceError } from '../../plan/errors.ts'
import type { FileRef, FolderRef } from '../../plan/source/file.ts'
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
import { namesOf } from './object-key.ts'
import { attempt, changed, lstatIfAny, READ_FLAGS, requirePlanned, requireVersion } from './planned.ts'
import { rangeReads } from './range-reads.ts'
import type { Stopwatch } from './stopwatch.ts'
import type { Store } from './store.ts'

/**
 * The store of a folder: a key is the path of a file below it. `documents` are the objects that the plan rests on, by
 * location. An object is looked at when it is opened, and opened for each read, so that no task holds many descriptors. One
 * that was written to just now is waited for, for a moment: the same call may still be at it. Throws `file_changed` where
 * the marker, a document or an object is no longer what it was when the query was planned, and `unreadable_file` for what is
 * no regular file, or cannot be read.
 */
export function openFolderStore(
  file: FileRef,
  { marker, plannedAt }: FolderRef,
  documents: ReadonlyMap<string, FileVersion | null>,
  stopwatch: Stopwatch,
): Store {
  const { path, location } = file
  const folders = openFolders(path, location, plannedAt)
  /** Objects besides the documents, by location. */
  const objects = new Map<string, FileVersion | null>()
  /** What was opened and has not been verified since. */
  const unverified = new Map<string, FileVersion | null>()

  /** What is there now; null: nothing. */
  function look(key: string, hasWaited = false): FileVersion | null {
    const names = namesOf(key, path)
    const { folder, depth } = folders.reach(names.slice(0, -1))
    const stats = lstatIfAny(`${path}/${key}`, `${folder.location}/${names[depth]}`)
    const isThere = depth === names.length - 1 && stats !== undefined
    const version = isThere ? versionOf(regularFile(`${path}/${key}`, stats)) : null
    const known = key === marker ? file.version : documents.get(`${location}/${key}`)
    if (known !== undefined) {
      if (!isSame(version, known)) throw changed(`${path}/${key}`)
    } else if (version !== null) requirePlanned(`${path}/${key}`, version.ctimeNs, plannedAt)
    else requireUnchanged(folder, plannedAt)
    if (isThere && !hasWaited && waitForWriting(stats)) return look(key, true)
    return version
  }

  function note(at: string, version: FileVersion | null): void {
    if (!documents.has(at) && at !== `${location}/${marker}`) objects.set(at, version)
  }

  function sourceOf(key: string, version: FileVersion): ByteSource {
    const shown = `${path}/${key}`
    const size = Number(version.size)
    const names = namesOf(key, path)
    const reads = rangeReads(shown, size, stopwatch, (work) => {
      const { folder, depth } = folders.reach(names.slice(0, -1))
      if (depth < names.length - 1) throw changed(shown)
      const at = `${folder.location}/${names[depth]}`
      const descriptor = attempt(shown, () => openSync(at, READ_FLAGS | constants.O_NOFOLLOW))
      try {
        requireVersion(shown, version, () => fstatSync(descriptor, { bigint: true }))
        work(descriptor)
      } finally {
        closeSync(descriptor)
      }
    })
    return { version, size, ...reads }
  }

  return {
    file,
    open(key) {
      // The key of the only object of a dataset that is one file.
      if (key === '') return null
      const at = `${location}/${key}`
      const version = stopwatch.time('open', () => look(key))
      const before = unverified.get(at)
      if (before !== undefined && !isSame(version, before)) throw changed(`${path}/${key}`)
      unverified.set(at, version)
      note(at, version)
      return version && sourceOf(key, version)
    },
    isStill(object) {
      const noted = objects.get(object.location)
      if (noted !== undefined && isSame(noted, object.version)) return true
      const version = stopwatch.time('open', () => look(object.location.slice(location.length + 1)))
      if (!isSame(version, object.version)) return false
      note(object.location, version)
      return true
    },
    verify() {
      const planned = [[`${location}/${marker}`, file.version] as const, ...documents, ...unverified]
      for (const [at, version] of planned) {
        const shown = path + at.slice(location.length)
        const stats = lstatIfAny(shown, at)
        if (!isSame(stats === undefined ? null : versionOf(stats), version)) throw changed(shown)
      }
      unverified.clear()
    },
    objects: () => [...objects].map(([at, version]): ObjectVersion => ({ location: at, version })),
    [Symbol.dispose]: () => folders[Symbol.dispose](),
  }
}

function isSame(a: FileVersion | null, b: FileVersion | null): boolean {
  return a === null || b === null ? a === b : sameVersion(a, b)
}

/** Throws `unreadable_file` for what only looks like an object. */
function regularFile(shown: string, stats: BigIntStats): BigIntStats {
  if (stats.isFile()) return stats
  if (stats.isSymbolicLink()) throw isLink(shown)
  const kind = stats.isDirectory() ? 'a folder' : stats.isFIFO() ? 'a pipe' : 'a device or socket'
  throw new ServiceError('unreadable_file', `"${shown}" is ${kind}, and no regular file.`)
}

/**
 * Waits while the last change, a write, may still be going on: `write(2)` notes its time before it copies. False: it need
 * not be waited for.
 */
function waitForWriting({ mtimeNs, ctimeNs }: BigIntStats): boolean {
  const leftMs = millisecondsOf(ctimeNs) + CLOCK_TICK_MS - Date.now()
  if (mtimeNs !== ctimeNs || leftMs <= 0 || leftMs > CLOCK_TICK_MS) return false
  Atomics.wait(SLEEP, 0, 0, leftMs)
  return true
}

const SLEEP = new Int32Array(new SharedArrayBuffer(4))

/** Where nothing is now, there was nothing when the query was planned if the folder has not changed since. */
function requireUnchanged({ shown, descriptor }: Folder, plannedAt: bigint | null): void {
  const { ctimeNs } = attempt(shown, () => fstatSync(descriptor, { bigint: true }))
  requirePlanned(shown, ctimeNs, plannedAt)
}
