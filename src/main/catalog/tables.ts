import type { Schema } from '../../plan/types/schema.ts'
import type { Caller } from '../auth/caller.ts'

export interface Table {
  readonly schema: string
  readonly name: string
  readonly type: 'BASE TABLE' | 'VIEW'
  readonly columns: Schema
}

/** The named tables. One catalog, named by `SERVICE_NAME`; schema `public` holds what users make. */
export interface Tables {
  /** Name of the catalog. */
  readonly catalog: string
  readonly defaultTable: string
  /** What the caller may see, by schema and name in UTF-8 byte order. */
  all(caller: Caller): readonly Table[]
  /** Null when there is none, or none that the caller may see. Names are exact. */
  find(caller: Caller, name: string, schema: string): Table | null
}

export const PUBLIC = 'public'

/** The empty table that stands where nobody has made one named `default` (http-api.md §6.3). */
const PLACEHOLDER: Table = Object.freeze({
  schema: PUBLIC,
  name: 'default',
  type: 'BASE TABLE',
  columns: Object.freeze({ fields: Object.freeze([]), metadata: Object.freeze({}) }),
})

/** The placeholder alone: tables cannot be made yet. */
export function createTables(settings: { readonly name: string; readonly defaultTable: string }): Tables {
  return {
    catalog: settings.name,
    defaultTable: settings.defaultTable,
    all: () => [PLACEHOLDER],
    find: (_caller, name, schema) => (name === PLACEHOLDER.name && schema === PUBLIC ? PLACEHOLDER : null),
  }
}
