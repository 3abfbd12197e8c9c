import type { BigIntStats } from 'node:fs'
import { MAX_ANSWER_OBJECTS, MAX_FINGERPRINT } from '../../../plan/limits.ts'
import type { ObjectVersion } from '../../../plan/source/object.ts'
import { type FileVersion, isSettled, sameVersion, versionOf } from '../../../plan/source/version.ts'
import type { FileRows } from './file-rows.ts'

/**
 * What a search for files depends on. While every path leads where it led and every folder and file is the version that it
 * was, the same search has the same result.
 */
export interface Fingerprint {
  /** Where absolute paths led, symbolic links followed. Null: nothing was there. */
  readonly realpaths: ReadonlyMap<string, string | null>
  /**
   * The versions of the folders that were read and of the files that are in no list, by their absolute paths without symbolic
   * links.
   */
  readonly versions: ReadonlyMap<string, FileVersion>
  /** Lists of files, which have their versions. */
  readonly lists: readonly FileRows[]
  /** Whether every later change will show in a comparison with this fingerprint. */
  readonly isVerifiable: boolean
}

/** A fingerprint to which a search adds what it sees. */
export interface FingerprintRecorder extends Fingerprint {
  /** Whether a path or a file was added that was another one before. */
  readonly hasConflict: boolean
  recordRealpath(path: string, location: string | null): void
  /** Returns the version that is recorded. `requestedAt`: a time at or before the `stat`, in milliseconds since 1970. */
  recordStat(location: string, stats: BigIntStats, requestedAt: number): FileVersion
  /** Adds an object as it was read, up to `MAX_ANSWER_OBJECTS`. `requestedAt`: as above, of the read. */
  recordObject(object: ObjectVersion, requestedAt: number): void
  /** Adds all of another fingerprint. */
  include(other: Fingerprint): void
  /** Leaves out the version of a file that is in a list. */
  omit(location: string): void
  /** Makes the fingerprint unverifiable: the result depends on something that is not in it. */
  invalidate(): void
}

/** `most`: of more paths, or versions, it is not verifiable. */
export function createFingerprint(most = MAX_FINGERPRINT): FingerprintRecorder {
  const realpaths = new Map<string, string | null>()
  const versions = new Map<string, FileVersion>()
  const lists: FileRows[] = []
  /** The number of files in the lists. */
  let listed = 0
  /** Files that changed so shortly before they were seen that a further change may leave the version as it is. */
  const unsettled = new Set<string>()
  /** The number of objects that were added. */
  let objects = 0
  let isInvalid = false
  let hasConflict = false

  function recordRealpath(path: string, location: string | null): void {
    hasConflict ||= (realpaths.get(path) ?? location) !== location
    isInvalid ||= hasConflict || realpaths.size === most
    if (!isInvalid) realpaths.set(path, location)
  }

  function recordVersion(location: string, version: FileVersion): void {
    const earlier = versions.get(location)
    hasConflict ||=
      (earlier !== undefined && !sameVersion(earlier, version)) ||
      lists.some((list) => list.hasOther(location, version))
    isInvalid ||= hasConflict || listed + versions.size >= most
    if (!isInvalid) versions.set(location, version)
  }

  function recordList(list: FileRows): void {
    if (lists.includes(list)) return
    for (const [location, version] of versions) hasConflict ||= list.hasOther(location, version)
    hasConflict ||= lists.some((earlier) => earlier.isOther(list))
    isInvalid ||= hasConflict || listed + list.count + versions.size > most
    if (isInvalid) return
    lists.push(list)
    listed += list.count
  }

  function recordSeen(location: string, version: FileVersion, requestedAt: number): void {
    recordVersion(location, version)
    if (isSettled(version, requestedAt)) unsettled.delete(location)
    else unsettled.add(location)
  }

  return {
    realpaths,
    versions,
    lists,
    get hasConflict() {
      return hasConflict
    },
    get isVerifiable() {
      return !isInvalid && unsettled.size === 0
    },
    recordRealpath,
    recordStat(location, stats, requestedAt) {
      const version = versionOf(stats)
      recordSeen(location, version, requestedAt)
      return version
    },
    recordObject({ location, version }, requestedAt) {
      if (!versions.has(location) && !realpaths.has(location)) objects++
      isInvalid ||= objects > MAX_ANSWER_OBJECTS
      if (version === null) recordRealpath(location, null)
      else recordSeen(location, version, requestedAt)
    },
    include(other) {
      isInvalid ||= !other.isVerifiable || other.versions.size > most
      if (isInvalid) return
      for (const [path, location] of other.realpaths) recordRealpath(path, location)
      for (const [location, version] of other.versions) recordVersion(location, version)
      for (const list of other.lists) recordList(list)
    },
    omit(location) {
      versions.delete(location)
    },
    invalidate() {
      isInvalid = true
    },
  }
}

/** For searches whose fingerprint nobody needs: records nothing. */
export const NO_FINGERPRINT: FingerprintRecorder = Object.freeze({
  realpaths: new Map(),
  versions: new Map(),
  lists: [],
  isVerifiable: false,
  hasConflict: false,
  recordRealpath() {},
  recordStat: (_location: string, stats: BigIntStats) => versionOf(stats),
  recordObject() {},
  include() {},
  omit() {},
  invalidate() {},
})

/** The fingerprint of what depends on these objects alone. */
export function fingerprintOf(objects: readonly ObjectVersion[]): Fingerprint {
  const realpaths = new Map<string, null>()
  const versions = new Map<string, FileVersion>()
  for (const { location, version } of objects) {
    if (version === null) realpaths.set(location, null)
    else versions.set(location, version)
  }
  return Object.freeze({ realpaths, versions, lists: [], isVerifiable: true })
}
