import { lstatSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { FileRef } from '../../src/plan/source/file.ts'
import { documentedFolder, markedFolder, type ObjectVersion } from '../../src/plan/source/object.ts'
import { versionOf } from '../../src/plan/source/version.ts'

/** The document that marks the folders of these tests. */
export const MARKER = 'store.json'

/** A folder as main finds it. Its documents are not known yet. */
export function foundFolder(location: string, marker = MARKER): FileRef {
  const version = versionAt(join(location, marker))
  return { path: 'data/store', location, version, folder: markedFolder(location, marker, version) }
}

/**
 * A folder as it is planned. Its documents are the objects of `keys` as they are now. `plannedAt`: nanoseconds since 1970.
 */
export function plannedFolder(location: string, keys: readonly string[], plannedAt: bigint): FileRef {
  const file = foundFolder(location)
  const folder = documentedFolder(
    location,
    MARKER,
    file.version,
    keys.map((key) => objectAt(join(location, key))),
  )
  return { ...file, folder: { ...folder, plannedAt } }
}

/** The object at a location as it is now. */
export function objectAt(location: string): ObjectVersion {
  const stats = lstatSync(location, { bigint: true, throwIfNoEntry: false })
  return { location, version: stats === undefined ? null : versionOf(stats) }
}

function versionAt(location: string): FileRef['version'] {
  return versionOf(lstatSync(location, { bigint: true }))
}

/** The ctime of a file. Nanoseconds since 1970. */
export function changedAt(location: string): bigint {
  return lstatSync(location, { bigint: true }).ctimeNs
}

/** Changes the times of a file, and none of its bytes. */
export function touch(location: string): void {
  utimesSync(location, 1, 1)
}
