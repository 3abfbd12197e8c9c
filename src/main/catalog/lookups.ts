import type { Caller } from '../auth/caller.ts'
import { type Catalog, type CatalogTable, PUBLIC } from './catalog.ts'

/** What one query asks the catalog, on behalf of its caller. Each question is noted with its answer. */
export interface Lookups extends LookedUp {
  /** The table of schema `public` that a name means; null: none that the caller may read. */
  table(name: string): CatalogTable | null
  mayReadFiles(paths: readonly string[]): boolean
}

/** What was asked, and what was found. As long as each question has the same answer, the query would read the same tables. */
export interface LookedUp {
  readonly caller: Caller
  readonly lookups: readonly Lookup[]
}

export type Lookup =
  /** `digest`: of the table that was found; null: there was none. */
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
  }
}

/** Whether the catalog would answer every lookup as it did. */
export function isStillTrue(catalog: Catalog, { caller, lookups }: LookedUp): boolean {
  return lookups.every((lookup) =>
    lookup.kind === 'table'
      ? (catalog.find(caller, lookup.name, PUBLIC)?.digest ?? null) === lookup.digest
      : catalog.mayReadFiles(caller, lookup.paths) === lookup.isAllowed,
  )
}

/** The tables that were found, to tell answers over equal files apart that come from different definitions. */
export function tableDigests({ lookups }: LookedUp): readonly (string | null)[] {
  return lookups.flatMap((lookup) => (lookup.kind === 'table' ? [lookup.digest] : []))
}
