import type { Scalar } from '../types/scalar.ts'
import { type FileVersion, isSettled, versionKey } from './version.ts'

/** A dataset of a query. Users see `path`, which is relative to the dataset root; `location` is the absolute path. */
export interface FileRef {
  readonly path: string
  readonly location: string
  /** The version of the file. For a folder, that of its marker. */
  readonly version: FileVersion
  /** Values of constant columns by their names. Columns of these names in the file are not read. */
  readonly constants?: Readonly<Record<string, Scalar | null>>
  /**
   * The metadata of the file as the annex has parsed them, in a form of its format. In shared memory, because every task has its
   * file. Absent: workers read them from the file itself.
   */
  readonly metadata?: SharedArrayBuffer
  /** Absent: the dataset is one file. */
  readonly folder?: FolderRef
}

/** The plan's knowledge of a dataset that is a folder of objects, which is at `location`. */
export interface FolderRef {
  /** The key of the document that marks it. */
  readonly marker: string
  /** The version of the store. It is equal if the marker and all other documents have the same versions. */
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

/** The version of a dataset as a part of cache keys. For a folder it is that of its documents. */
export function fileKey({ version, folder }: FileRef): string {
  return folder?.key ?? versionKey(version)
}

/** Whether results of reading this version of a dataset may be cached. */
export function isFileSettled({ version, folder }: FileRef): boolean {
  return folder === undefined ? isSettled(version) : Date.now() >= folder.settledAt
}
