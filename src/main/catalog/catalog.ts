import type { FileFormat } from '../../plan/format/file-format.ts'
import type { Scalar } from '../../plan/types/scalar.ts'
import type { Schema } from '../../plan/types/schema.ts'
import type { Caller } from '../auth/caller.ts'

/** A table or view that has a name. */
export interface CatalogTable {
  readonly schema: string
  readonly name: string
  readonly type: 'BASE TABLE' | 'VIEW'
  /** Its columns, known without opening a file; null: those that its files have. */
  readonly columns: Schema | null
  /** Null: it has no rows. */
  readonly source: TableSource | null
  /** A digest of all of the above: a table that is defined in another way has another one. */
  readonly digest: string
}

/** Where the rows of a table are. */
export interface TableSource {
  readonly format: FileFormat
  readonly parts: readonly TablePart[]
}

/** Files of a table that have some columns in common, each with one value: those of one folder of a partitioned table. */
export interface TablePart {
  /** Paths and globs relative to the dataset root, in order. */
  readonly paths: readonly string[]
  /** By the names of columns of the table. A column of this name in a file is not read. */
  readonly constants: Readonly<Record<string, Scalar | null>>
}

/** What names mean, and which files may be read. One catalog, named by `SERVICE_NAME`; schema `public` holds what users make. */
export interface Catalog {
  readonly name: string
  readonly defaultTable: string
  /** What the caller may see, by schema and name in UTF-8 byte order. */
  all(caller: Caller): readonly CatalogTable[]
  /** Null when there is none, or none that the caller may read. Names are exact. */
  find(caller: Caller, name: string, schema: string): CatalogTable | null
  /** Whether the caller may read files by these paths and globs. */
  mayReadFiles(caller: Caller, paths: readonly string[]): boolean
}

export const PUBLIC = 'public'

/** The empty table that stands where nobody has made one named `default`. */
export const PLACEHOLDER: CatalogTable = Object.freeze({
  schema: PUBLIC,
  name: 'default',
  type: 'BASE TABLE',
  columns: Object.freeze({ fields: Object.freeze([]), metadata: Object.freeze({}) }),
  source: null,
  digest: 'placeholder',
})

/** The placeholder alone: tables cannot be made yet. Everybody may read every file. */
export function createCatalog(settings: { readonly name: string; readonly defaultTable: string }): Catalog {
  return {
    name: settings.name,
    defaultTable: settings.defaultTable,
    all: () => [PLACEHOLDER],
    find: (_caller, name, schema) => (name === PLACEHOLDER.name && schema === PUBLIC ? PLACEHOLDER : null),
    mayReadFiles: () => true,
  }
}
