/** A file, as the database knows it. */
export interface StoredKey {
  /** Its format and its location. */
  readonly place: string
  readonly version: string
}

/** The files that were found. */
export interface FoundFiles {
  /** Schemas and layouts by their ids. */
  readonly texts: ReadonlyMap<number, string>
  readonly files: readonly FoundFile[]
  /** What is known of all values of their columns, one after the other. */
  readonly wholes: Uint8Array
}

export interface FoundFile {
  /** The index of its key. */
  readonly index: number
  /** Ids of texts. */
  readonly schema: number
  readonly layout: number
  readonly sizes: readonly number[]
  readonly wholeBytes: number
}

export const NOTHING_FOUND: FoundFiles = Object.freeze({
  texts: new Map<number, string>(),
  files: [],
  wholes: new Uint8Array(0),
})

/** Files to be written in one transaction. */
export interface PutFiles {
  /** Schemas and layouts, to which the files refer by index. */
  readonly texts: readonly string[]
  readonly files: readonly PutFile[]
}

export interface PutFile extends StoredKey {
  readonly schema: number
  readonly layout: number
  readonly sizes: readonly number[]
  readonly whole: Uint8Array
}
