import type { FileFormat } from '../../plan/format/file-format.ts'
import type { Scalar } from '../../plan/types/scalar.ts'
import type { Field, Schema } from '../../plan/types/schema.ts'
import type { Caller } from '../auth/caller.ts'
import type { RemoteAddress } from '../remotes/remote-client.ts'
import type { WrittenRemoteTable } from '../remotes/remote-table-name.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { AttachedNames } from './attached/attached.ts'
import type { Change, Definition } from './definition.ts'

/** A named table or view. */
export interface CatalogTable {
  readonly schema: string
  readonly name: string
  readonly type: 'BASE TABLE' | 'VIEW'
  /** Its columns, if they are known without opening a file. Null: it has those of its files. */
  readonly columns: Schema | null
  /** Where its rows are. Null: it has none, or is a view. */
  readonly source: TableSource | null
  /** The text of the query of a view. Null: it is no view. */
  readonly query: string | null
  /** What the catalog stores of it. Null: it is a part of the service, such as the placeholder. */
  readonly definition: Definition | null
  /**
   * A digest of all of the above, and of all tables and views below a view. It changes with whatever the name means.
   */
  readonly digest: string
}

/** Where the rows of a table are. */
export type TableSource = PartsSource | LocationSource | RemoteSource

/** Files in parts, each with constants of its own. */
interface PartsSource {
  readonly kind: 'parts'
  readonly format: FileFormat
  readonly parts: readonly TablePart[]
}

/** The files of an external table, whatever there are of them when it is read. */
export interface LocationSource {
  readonly kind: 'location'
  readonly format: FileFormat
  /** A file, a glob, or a folder, relative to the dataset root. */
  readonly location: string
  /** If it is a folder, its files are those below it with one of these extensions, in lower case and without the dot. */
  readonly extensions: readonly string[]
  /** The columns of folders `key=value`, in the order of the path. */
  readonly partitions: readonly Field[]
}

/** A table or a view of another service. */
export interface RemoteSource {
  readonly kind: 'remote'
  /** The format of its answers. */
  readonly format: FileFormat
  readonly address: RemoteAddress
  readonly table: WrittenRemoteTable
  /** The name of the secret that has the login. Null: it is asked without one. */
  readonly secret: string | null
  /** Has the secret, if it is none of those that statements name. */
  readonly ownSecrets: Pick<Secrets, 'read'> | null
  /** Whether the secret is the login that the options of the table have. Absent: it is not. */
  readonly hasOwnLogin?: true
  /** The number of the attached catalog that has it. Absent: it is an external table. */
  readonly attachment?: number
  /** The list of that catalog does not have the table: it may have been made since. */
  readonly isUnlisted?: true
}

/** Files of a table with constant columns, such as those in one folder of a partitioned table. */
export interface TablePart {
  /** Paths and globs relative to the dataset root, in order. */
  readonly paths: readonly string[]
  /** The value of each constant column, by its name in the table. A column of this name in a file is not read. */
  readonly constants: Readonly<Record<string, Scalar | null>>
}

/**
 * The named tables, each for those who may read it. There is one catalog, named by `SERVICE_NAME`, with the tables of users in
 * schema `public`.
 */
export interface Catalog {
  readonly name: string
  readonly defaultTable: string
  /** What the catalog holds now. It never changes: a query reads the snapshot that it began with to its end. */
  snapshot(): CatalogSnapshot
  /** The attached catalogs. Absent: there are none. */
  readonly attached?: AttachedNames
  /** What it would hold after these changes. They are not made. Throws what `change` throws before it stores anything. */
  preview(changes: readonly Change[]): Preview
  /** Whether a definition of this name is stored that cannot be read. No table has the name until it is replaced or dropped. */
  isUnreadable(name: string): boolean
  /**
   * Makes the changes durable, all of them or none, and puts a new snapshot in place of the present one. If the signal is aborted
   * before the commit has begun, nothing is changed. Throws `no_space` or `catalog_unwritable` if they cannot be written.
   */
  change(changes: Changes, signal: AbortSignal): Promise<void>
}

/** The changes of a statement. A function is called when all earlier changes have been made, and sees them in the snapshot. */
type Changes = readonly Change[] | (() => readonly Change[])

/** The catalog as it would be after some changes. */
interface Preview {
  readonly snapshot: CatalogSnapshot
  /** The views that read a changed name, directly or through other views, each after those that it reads. */
  readonly viewsAbove: readonly CatalogTable[]
}

/** The tables at one moment, each for callers who may read it. Names are found whatever the case of their letters A to Z. */
export interface CatalogSnapshot {
  /** The tables that the caller may see, by schema and name in UTF-8 byte order. */
  all(caller: Pick<Caller, 'rights'>): readonly CatalogTable[]
  /** The table of this name. Null: there is none, or none that the caller may read. */
  find(caller: Caller, name: string, schema: string): CatalogTable | null
}

export const PUBLIC = 'public'

/** The deepest nesting of views. It is a limit of time: a plan is bound level by level. */
export const MOST_NESTED_VIEWS = 64

/** The empty table `default`, which exists until a user creates one of that name. */
export const PLACEHOLDER: CatalogTable = Object.freeze({
  schema: PUBLIC,
  name: 'default',
  type: 'BASE TABLE',
  columns: Object.freeze({ fields: Object.freeze([]), metadata: Object.freeze({}) }),
  source: null,
  query: null,
  definition: null,
  digest: 'placeholder',
})
