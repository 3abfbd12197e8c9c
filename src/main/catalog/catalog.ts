import type { FileFormat } from '../../plan/format/file-format.ts'
import type { Scalar } from '../../plan/types/scalar.ts'
import type { Schema } from '../../plan/types/schema.ts'
import type { Caller } from '../auth/caller.ts'

/** A named table or view. */
export interface CatalogTable {
  readonly schema: string
  readonly name: string
  readonly type: 'BASE TABLE' | 'VIEW'
  /** Its columns, if they are known without opening a file. Null: it has those of its files. */
  readonly columns: Schema | null
  /** Null: it has no rows. */
  readonly source: TableSource | null
  /** A digest of all of the above. It changes with the definition of the table. */
  readonly digest: string
}

/** Where the rows of a table are. */
export interface TableSource {
  readonly format: FileFormat
  readonly parts: readonly TablePart[]
}

/** Files of a table with constant columns, such as those in one folder of a partitioned table. */
export interface TablePart {
  /** Paths and globs relative to the dataset root, in order. */
  readonly paths: readonly string[]
  /** The value of each constant column, by its name in the table. A column of this name in a file is not read. */
  readonly constants: Readonly<Record<string, Scalar | null>>
}

/**
 * The named tables, and who may read which files. There is one catalog, named by `SERVICE_NAME`, with the tables of users in
 * schema `public`.
 */
export interface Catalog {
  readonly name: string
  readonly defaultTable: string
  /** The tables that the caller may see, by schema and name in UTF-8 byte order. */
  all(caller: Caller): readonly CatalogTable[]
  /** The table of exactly this name. Null: there is none, or none that the caller may read. */
  find(caller: Caller, name: string, schema: string): CatalogTable | null
  /** Whether the caller may read files by these paths and globs. */
  mayReadFiles(caller: Caller, paths: readonly string[]): boolean
}

export const PUBLIC = 'public'

/** The empty table `default`, which exists until a user creates one of that name. */
export const PLACEHOLDER: CatalogTable = Object.freeze({
  schema: PUBLIC,
  name: 'default',
  type: 'BASE TABLE',
  columns: Object.freeze({ fields: Object.freeze([]), metadata: Object.freeze({}) }),
  source: null,
  digest: 'placeholder',
})

/** A catalog with only the placeholder: tables cannot be created yet. Everybody may read every file. */
export function createCatalog(settings: { readonly name: string; readonly defaultTable: string }): Catalog {
  return {
    name: settings.name,
    defaultTable: settings.defaultTable,
    all: () => [PLACEHOLDER],
    find: (_caller, name, schema) => (name === PLACEHOLDER.name && schema === PUBLIC ? PLACEHOLDER : null),
    mayReadFiles: () => true,
  }
}
