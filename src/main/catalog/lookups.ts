import type { Caller } from '../auth/caller.ts'
import { type Catalog, type CatalogTable, PUBLIC } from './catalog.ts'

/** Looks names up in the catalog for one query, on behalf of its caller, and records each lookup with its result. */
export interface Lookups extends LookedUp {
  /** The table of this name in schema `public`. Null: there is none that the caller may read. */
  table(name: string): CatalogTable | null
  mayReadFiles(paths: readonly string[]): boolean
  /** The names of all tables that the caller may read, for messages. They are not recorded. */
  tables(): readonly string[]
}

/** The lookups of a query. As long as each would have the same result, the query would read the same tables. */
export interface LookedUp {
  readonly caller: Caller
  readonly lookups: readonly Lookup[]
}

export type Lookup =
  /** `digest` is that of the table that was found. Null: there was none. */
  | { readonly kind: 'table'; readonly name: string; readonly digest: string | null }
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly isAllowed: boolean }

export function createLookups(catalog: Catalog, caller: Caller): Lookups {
  const lookups: Lookup[] = []
  return {
    caller,
    lookups,
    table(name) {
      const table = catalog.find(caller, name, PUBLIC)
      lookups.push({ kind: 'table', name, digest: table?.digest ?? null })
      return table
    },
    mayReadFiles(paths) {
      const isAllowed = catalog.mayReadFiles(caller, paths)
      lookups.push({ kind: 'files', paths, isAllowed })
      return isAllowed
    },
    tables: () => catalog.all(caller).flatMap(({ schema, name }) => (schema === PUBLIC ? [name] : [])),
  }
}

/** Whether every lookup would have the same result now. */
export function isStillTrue(catalog: Catalog, { caller, lookups }: LookedUp): boolean {
  return lookups.every((lookup) =>
    lookup.kind === 'table'
      ? (catalog.find(caller, lookup.name, PUBLIC)?.digest ?? null) === lookup.digest
      : catalog.mayReadFiles(caller, lookup.paths) === lookup.isAllowed,
  )
}

/** The digests of the tables that were found. They tell answers over the same files by different table definitions apart. */
export function tableDigests({ lookups }: LookedUp): readonly (string | null)[] {
  return lookups.flatMap((lookup) => (lookup.kind === 'table' ? [lookup.digest] : []))
}
