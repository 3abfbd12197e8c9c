import type { FormatOptions, Layout, OptionValue } from './file-format.ts'
import type { TableOption } from './table-options.ts'

/** One format: everything about it except how its bytes are read, which is in its provider. */
export interface FormatRow {
  /** Its name in plans, EXPLAIN and keys, such as `parquet`. */
  readonly id: string
  /** Its name in messages, such as `Parquet`. */
  readonly title: string
  /** The keys of the JSON `from`: its name, and then its aliases. */
  readonly from: readonly string[]
  /** The table functions in SQL, `read_…`, in lower case. */
  readonly functions: readonly string[]
  /** The groups of such files in listings. */
  readonly datasets: readonly DatasetGroup[]
  readonly options: readonly FormatOption[]
  /** Its names behind STORED AS of an external table, besides those of `from`. In lower case. Absent: none. */
  readonly storedAs?: readonly string[]
  /** The keys of OPTIONS of an external table. Absent: none. */
  readonly tableOptions?: readonly TableOption[]
  /** Checks the options that a request gives against each other. `reject` throws an error about one of them. */
  check?(given: FormatOptions, reject: (what: string, option: string) => never): void
  readonly layout: Layout
  /** Whether files may be compressed as a whole, and are inflated before they are read. Text formats only. Absent: they may not. */
  readonly mayBeCompressed?: boolean
  readonly storage: FormatStorage
}

/** Files that have the same format in listings. */
export interface DatasetGroup {
  readonly id: string
  /** Extensions of file names, in lower case and without the dot. */
  readonly extensions: readonly string[]
  /** Listings are sorted by this number. It must not change, because clients rely on the order. */
  readonly listingOrder: number
  /** False: listings leave such files out. Their names still say in which format they are read. Absent: true. */
  readonly isListed?: boolean
  /** Options that an extension implies if only the name says which format it is. Absent: the defaults. */
  readonly optionsOf?: Readonly<Record<string, FormatOptions>>
}

/** `object`: a dataset is one file. `folder`: a dataset is a folder that has a file with one of the names `markers`. */
export type FormatStorage = { readonly kind: 'object' } | FolderStorage

export interface FolderStorage {
  readonly kind: 'folder'
  /** The first of them that a folder has is the one by which listings show it. */
  readonly markers: readonly string[]
  /** What a message says first if no such folder is found. Absent: nothing. */
  readonly notFound?: string
}

/** An option that requests can set for reading files of a format. */
export interface FormatOption {
  /** The name of its member next to `paths` in JSON, and of its parameter in SQL. */
  readonly name: string
  /** The JSON Schema of its member, for the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Null: none. Formats then have the option only where a request gives it. */
  readonly default: OptionValue | null
  /** The default as an SQL expression, which the usage of the function shows. `read` gives null for it if `default` is null. */
  readonly sqlDefault: string
  /**
   * Converts what a request gives: from JSON a string, number, boolean, array or object; from SQL a string, bigint, boolean,
   * null, array or object, or undefined for any other type. `reject` throws an error. Its text follows the position of the
   * option in the message. Null: as if the option was not given.
   */
  read(given: unknown, reject: (what: string) => never): OptionValue | null
}
