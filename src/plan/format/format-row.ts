import type { FormatOptions, Layout, OptionValue } from './file-format.ts'

/** One format: all that is known of it besides how its bytes are read, which its provider knows. */
export interface FormatRow {
  /** Its name in plans, EXPLAIN and keys: `parquet`. */
  readonly id: string
  /** Its name in messages: `Parquet`. */
  readonly title: string
  /** Keys of the JSON `from`: its name, then other names of it. */
  readonly from: readonly string[]
  /** Table functions of SQL, `read_…`, in lower case. */
  readonly functions: readonly string[]
  /** What listings call such files. */
  readonly datasets: readonly DatasetGroup[]
  readonly options: readonly FormatOption[]
  readonly layout: Layout
  readonly storage: FormatStorage
  /** False: the language has the format and this version does not read it. A request for it is a `not_supported`. */
  readonly isRead: boolean
}

/** Files that listings show under one id. */
export interface DatasetGroup {
  readonly id: string
  /** Ends of names without the dot, in lower case. */
  readonly extensions: readonly string[]
  /** Groups are listed by this number; clients know the order of those that there are. */
  readonly listingOrder: number
  /** By extension: the options of such files where only the name tells the format. Absent: their defaults. */
  readonly optionsOf?: Readonly<Record<string, FormatOptions>>
}

/** `object`: one file. `folder`: a folder that holds one of the `markers`, which are names of files. */
export type FormatStorage =
  | { readonly kind: 'object' }
  | { readonly kind: 'folder'; readonly markers: readonly string[] }

/** What a request may say about how files of a format are read. */
export interface FormatOption {
  /** Its member next to `paths` in JSON, and its parameter in SQL. */
  readonly name: string
  /** JSON Schema of its member, for the OpenAPI document. */
  readonly schema: Readonly<Record<string, unknown>>
  /** What it is where a request does not say. */
  readonly default: OptionValue
  /** An expression of SQL that stands for the default, as the function's usage shows it. */
  readonly sqlDefault: string
  /**
   * The value for what a request gives: of JSON a string, number, boolean or array; of SQL a string, bigint, null or list,
   * or undefined for any other type. `reject` throws what is wrong with it, in words that follow the option's place.
   */
  read(given: unknown, reject: (what: string) => never): OptionValue
}
