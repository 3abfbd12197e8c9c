import { hash } from 'node:crypto'
import type { FolderRef } from './file.ts'
import { type FileVersion, settledAt, versionKey, versionOfKey } from './version.ts'

/** The version of an object in a folder when it was read. */
export interface ObjectVersion {
  /** The absolute path of the object. */
  readonly location: string
  /** Null: there was no such object. */
  readonly version: FileVersion | null
}

/** A folder of which only the marker is known. Without `group`, the whole store is read. */
export function markedFolder(
  location: string,
  marker: string,
  version: FileVersion,
  group?: string,
): FolderRef {
  return Object.freeze({
    marker,
    ...(group !== undefined && { group }),
    key: [`${versionKey(version)}:${location}`, ...(group === undefined ? [] : [group])].join('\0'),
    documents: null,
    settledAt: settledAt(version),
    plannedAt: null,
  })
}

/**
 * A folder of which all documents are known. `documents` are those besides the marker. Without `group`, the whole store is read.
 */
export function documentedFolder(
  location: string,
  marker: string,
  version: FileVersion,
  documents: readonly ObjectVersion[],
  group?: string,
): FolderRef {
  const settled = documents.map((each) => (each.version === null ? 0 : settledAt(each.version)))
  const encoded = encodeObjects(documents)
  const digested = [location, textOf(encoded), ...(group === undefined ? [] : [group])].join('\0')
  return Object.freeze({
    marker,
    ...(group !== undefined && { group }),
    key: `${versionKey(version)}:${hash('sha256', digested, 'base64url')}`,
    documents: encoded,
    settledAt: settled.reduce((latest, each) => Math.max(latest, each), settledAt(version)),
    plannedAt: null,
  })
}

/** Encodes objects in shared memory. The bytes do not depend on the order of the objects. */
function encodeObjects(objects: readonly ObjectVersion[]): SharedArrayBuffer {
  const sorted = objects.toSorted((a, b) => (a.location < b.location ? -1 : 1))
  const rows = sorted.map(({ location, version }) => [location, version && versionKey(version)])
  const text = new TextEncoder().encode(JSON.stringify(rows))
  const shared = new SharedArrayBuffer(text.length)
  new Uint8Array(shared).set(text)
  return shared
}

/** The objects that `encodeObjects` has encoded. */
export function decodeObjects(shared: SharedArrayBuffer): readonly ObjectVersion[] {
  const rows = JSON.parse(textOf(shared)) as readonly (readonly [string, string | null])[]
  return rows.map(([location, key]) => ({ location, version: key === null ? null : versionOfKey(key) }))
}

/** The text in shared memory, which `TextDecoder` does not accept without a copy. */
function textOf(shared: SharedArrayBuffer): string {
  return new TextDecoder().decode(new Uint8Array(shared).slice())
}
