import type { BigIntStats } from 'node:fs'
import { ANSWER_OBJECTS } from '../../../plan/limits.ts'
import type { ObjectVersion } from '../../../plan/source/object.ts'
import { type FileVersion, isSettled, sameVersion, versionOf } from '../../../plan/source/version.ts'
import type { DatasetFiles } from '../file-system/dataset-files.ts'

/**
 * What a search for files has seen, so that it can be found out later whether the same search would end the same. As long
 * as every place leads where it led and every folder and file is the version that it was, it would.
 */
export interface Trail {
  /** Where absolute paths led, links followed; null: nowhere. */
  readonly places: ReadonlyMap<string, string | null>
  /** What was at absolute paths that lead through no links: folders that were read, and files. */
  readonly versions: ReadonlyMap<string, FileVersion>
  /** Whether all of that can be told from what comes after. */
  readonly isWhole: boolean
}

/** A trail that is being laid. */
export interface TrailMaker extends Trail {
  place(path: string, location: string | null): void
  /** `lookedAt`: not after the look, milliseconds since 1970. */
  saw(location: string, stats: BigIntStats, lookedAt: number): void
  /** An object was read as this version, or nothing was there. `lookedAt`: as above. */
  read(object: ObjectVersion, lookedAt: number): void
  /** Goes where another trail has gone. */
  follow(other: Trail): void
  /** Something was seen that cannot be seen again. */
  lose(): void
}

export function createTrail(): TrailMaker {
  const places = new Map<string, string | null>()
  const versions = new Map<string, FileVersion>()
  /** Seen so soon after a change that another one may not show. */
  const unsettled = new Set<string>()
  let isLost = false
  function place(path: string, location: string | null): void {
    isLost ||= (places.get(path) ?? location) !== location || places.size === ANSWER_OBJECTS
    if (!isLost) places.set(path, location)
  }

  function note(location: string, version: FileVersion): void {
    const earlier = versions.get(location)
    isLost ||= (earlier !== undefined && !sameVersion(earlier, version)) || versions.size === ANSWER_OBJECTS
    if (!isLost) versions.set(location, version)
  }

  function see(location: string, version: FileVersion, lookedAt: number): void {
    note(location, version)
    if (isSettled(version, lookedAt)) unsettled.delete(location)
    else unsettled.add(location)
  }

  return {
    places,
    versions,
    get isWhole() {
      return !isLost && unsettled.size === 0
    },
    place,
    saw: (location, stats, lookedAt) => see(location, versionOf(stats), lookedAt),
    read({ location, version }, lookedAt) {
      if (version === null) place(location, null)
      else see(location, version, lookedAt)
    },
    follow(other) {
      isLost ||= !other.isWhole
      for (const [path, location] of other.places) place(path, location)
      for (const [location, version] of other.versions) note(location, version)
    },
    lose() {
      isLost = true
    },
  }
}

/** Where a search leaves no trail. */
export const NO_TRAIL: TrailMaker = Object.freeze({
  places: new Map(),
  versions: new Map(),
  isWhole: false,
  place() {},
  saw() {},
  read() {},
  follow() {},
  lose() {},
})

/** A trail that leads to these objects and nowhere else. */
export function trailOf(objects: readonly ObjectVersion[]): Trail {
  const there = objects.flatMap(({ location, version }) =>
    version === null ? [] : [[location, version] as const],
  )
  const absent = objects.flatMap(({ location, version }) =>
    version === null ? [[location, null] as const] : [],
  )
  return Object.freeze({ places: new Map(absent), versions: new Map(there), isWhole: true })
}

/** Looks at what is at an absolute path that leads through no links. */
export async function look(files: DatasetFiles, location: string, trail: TrailMaker): Promise<BigIntStats> {
  const lookedAt = Date.now()
  const stats = await files.lstat(location)
  trail.saw(location, stats, lookedAt)
  return stats
}
