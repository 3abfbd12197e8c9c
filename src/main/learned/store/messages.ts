import type { FileFormat } from '../../../plan/format/file-format.ts'

/** Files of one folder that are asked for. */
export interface AskedFiles {
  /** Their format, and the location of the folder. */
  readonly place: string
  /** A block of their names and versions, in any order. */
  readonly files: Uint8Array
}

/** The files that were found. */
export interface FoundFiles {
  /** Schemas and layouts by their ids. */
  readonly texts: ReadonlyMap<number, string>
  /** Those of each folder that was asked for, in the order of the folders. */
  readonly folders: readonly FoundInFolder[]
}

export interface FoundInFolder {
  /** Which rows of the asked block they are. */
  readonly indexes: Uint32Array
  /** A block of them in this order, which has ids of texts. */
  readonly files: Uint8Array
}

export const NOTHING_FOUND: FoundFiles = Object.freeze({ texts: new Map<number, string>(), folders: [] })

/** Files to be written in one transaction. */
export interface PutFiles {
  /** Schemas and layouts, to which the files refer by index. */
  readonly texts: readonly string[]
  readonly folders: readonly PutInFolder[]
}

export interface PutInFolder {
  /** As in `AskedFiles`. */
  readonly place: string
  /** A block of files by ascending names. */
  readonly files: Uint8Array
}

/** How the database names a folder of files of a format. */
export function placeOfFolder({ key }: Pick<FileFormat, 'key'>, location: string): string {
  return `${key} ${location}`
}
