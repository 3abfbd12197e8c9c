import { SMALL_FILE_BYTES } from '../limits.ts'
import type { Scalar } from '../types/scalar.ts'
import type { FetchedBytes } from './fetched-bytes.ts'
import type { PlainBytes } from './plain-bytes.ts'
import { type FileVersion, isSettled, versionKey } from './version.ts'

/** A dataset of a query. */
export interface FileRef {
  /** The path that users see, relative to the dataset root. That of a group in a store ends with the key of the group. */
  readonly path: string
  /** The absolute path. A group has that of its store. */
  readonly location: string
  /** The version of the file. For a folder, that of its marker. */
  readonly version: FileVersion
  /** Values of constant columns by their names. Columns of these names in the file are not read. */
  readonly constants?: Readonly<Record<string, Scalar | null>>
  /** Absent: the dataset is one file. */
  readonly folder?: FolderRef
  /** The bytes that are read of a compressed file. Absent: those that it has. */
  readonly plain?: PlainBytes
  /** The bytes of a table of another service, which is no file: `location` is '', and each fetch has a version of its own. Absent: it is one. */
  readonly fetched?: FetchedBytes
}

/** The plan's knowledge of a dataset that is a folder of objects, which is at `location`. */
export interface FolderRef {
  /** The key of the document that marks it. */
  readonly marker: string
  /** The key of the group that is read. Absent: the whole store. */
  readonly group?: string
  /**
   * The version of the store, and the group. It is equal if the marker and all other documents have the same versions, and the group
   * is the same.
   */
  readonly key: string
  /** The other documents by `encodeObjects`. Null: not known yet. In shared memory, because every task has its file. */
  readonly documents: SharedArrayBuffer | null
  /** The time after which results of reading the documents may be cached. Milliseconds since 1970. */
  readonly settledAt: number
  /**
   * When the query was planned, by the clock of the file system, in nanoseconds since 1970. An object that changed then or later
   * is refused. Null: nothing is planned yet.
   */
  readonly plannedAt: bigint | null
}

/** The path of the store of a dataset as users see it. It differs from that of the dataset for a group in a store. */
export function storePath({ path, folder }: FileRef): string {
  return folder?.group === undefined ? path : path.slice(0, -folder.group.length - 1)
}

/** Whether a dataset is one small file. */
export function isSmallFile({ version, folder, plain, fetched }: FileRef): boolean {
  return folder === undefined && fetched === undefined && (plain?.size ?? version.size) <= SMALL_FILE_BYTES
}

/** The version of a dataset as a part of cache keys. For a folder it is that of its documents. It also tells whether a file is read inflated. */
export function fileKey({ version, folder, plain }: FileRef): string {
  const key = folder?.key ?? versionKey(version)
  return plain === undefined ? key : `${key} plain`
}

/** Whether results of reading this version of a dataset may be cached. */
export function isFileSettled({ version, folder, fetched }: FileRef): boolean {
  // No other query reads the same fetch.
  if (fetched !== undefined) return false
  return folder === undefined ? isSettled(version) : Date.now() >= folder.settledAt
}
