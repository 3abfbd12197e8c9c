import type { Scalar } from '../types/scalar.ts'
import { type FileVersion, isSettled, versionKey } from './version.ts'

/** A dataset of a query: `path` is what the user sees (relative to the dataset root), `location` what is opened. */
export interface FileRef {
  readonly path: string
  readonly location: string
  /** Of a folder, that of the document that marks it. */
  readonly version: FileVersion
  /** Columns that have one value in all of its rows, whatever the file holds under their names. */
  readonly constants?: Readonly<Record<string, Scalar | null>>
  /** Absent: the dataset is one file. */
  readonly folder?: FolderRef
}

/** What is planned of a dataset that is a folder of objects: `location` is the folder. */
export interface FolderRef {
  /** Key of the document that marks it. */
  readonly marker: string
  /** The version of the store: equal where the marker and all other documents are the same versions. */
  readonly key: string
  /** The other documents, as `encodeObjects` writes them; null: they are not known yet. Shared, because each task names its file. */
  readonly documents: SharedArrayBuffer | null
  /** From when on what is learned of the documents may be kept. Milliseconds since 1970. */
  readonly settledAt: number
  /**
   * Objects that changed then or later are not what was planned. In the time of the file system, nanoseconds since 1970; null:
   * nothing is planned yet.
   */
  readonly plannedAt: bigint | null
}

/** The version of a dataset as one string, to key caches: of a folder, that of its documents. */
export function fileKey({ version, folder }: FileRef): string {
  return folder?.key ?? versionKey(version)
}

/** Whether what is learned of this version of a dataset may be kept. */
export function isFileSettled({ version, folder }: FileRef): boolean {
  return folder === undefined ? isSettled(version) : Date.now() >= folder.settledAt
}
