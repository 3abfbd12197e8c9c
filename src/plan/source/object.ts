import { hash } from 'node:crypto'
import type { FolderRef } from './file.ts'
import { type FileVersion, settledAt, versionKey } from './version.ts'

/** An object of a dataset that is a folder, as it was read. Null: nothing was there. */
export interface ObjectVersion {
  /** Absolute. */
  readonly location: string
  readonly version: FileVersion | null
}

/** What is known of a folder before its documents are: only its marker. */
export function markedFolder(location: string, marker: string, version: FileVersion): FolderRef {
  return Object.freeze({
    marker,
    key: `${versionKey(version)}:${location}`,
    documents: null,
    settledAt: settledAt(version),
    plannedAt: null,
  })
}

/** The same with its documents besides the marker. */
export function documentedFolder(
  location: string,
  marker: string,
  version: FileVersion,
  documents: readonly ObjectVersion[],
): FolderRef {
  const settled = documents.map((each) => (each.version === null ? 0 : settledAt(each.version)))
  const encoded = encodeObjects(documents)
  return Object.freeze({
    marker,
    key: `${versionKey(version)}:${hash('sha256', [location, textOf(encoded)].join('\0'), 'base64url')}`,
    documents: encoded,
    settledAt: settled.reduce((latest, each) => Math.max(latest, each), settledAt(version)),
    plannedAt: null,
  })
}

/** Objects in bytes, the same whatever their order; memory that threads share. */
export function encodeObjects(objects: readonly ObjectVersion[]): SharedArrayBuffer {
  const sorted = objects.toSorted((a, b) => (a.location < b.location ? -1 : 1))
  const rows = sorted.map(({ location, version }) => [location, version && versionKey(version)])
  const text = new TextEncoder().encode(JSON.stringify(rows))
  const shared = new SharedArrayBuffer(text.length)
  new Uint8Array(shared).set(text)
  return shared
}

/** What was encoded. */
export function decodeObjects(shared: SharedArrayBuffer): readonly ObjectVersion[] {
  const rows = JSON.parse(textOf(shared)) as readonly (readonly [string, string | null])[]
  return rows.map(([location, key]) => ({ location, version: key === null ? null : versionOfKey(key) }))
}

/** A decoder takes no shared memory. */
function textOf(shared: SharedArrayBuffer): string {
  return new TextDecoder().decode(new Uint8Array(shared).slice())
}

function versionOfKey(key: string): FileVersion {
  const [device = 0n, inode = 0n, size = 0n, mtimeNs = 0n, ctimeNs = 0n] = key.split(':').map(BigInt)
  return Object.freeze({ device, inode, size, mtimeNs, ctimeNs })
}
