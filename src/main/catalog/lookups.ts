import { foldSqlName } from '../../plan/statement/statement.ts'
import type { Caller } from '../auth/caller.ts'
import { attachedNameOf } from '../sql/gate/attached-name.ts'
import { ANY_ATTACHED } from '../sql/gate/check-names.ts'
import type { WrittenName } from '../sql/grammar/node.ts'
import { type Catalog, type CatalogSnapshot, type CatalogTable, PUBLIC } from './catalog.ts'
import { visibleTables } from './visible-tables.ts'
import { readName } from './written-name.ts'

/** Looks names up in the catalog for one query, on behalf of its caller, and records each lookup with its result. */
export interface Lookups extends LookedUp {
  /** The table or view that a name in a statement means. Null: there is none that the caller may read. */
  table(name: WrittenName): CatalogTable | null
  /**
   * The table or view that a name in the JSON language means: the one that is named so, or else the one that the name means in a
   * statement. Null: there is none that the caller may read.
   */
  named(text: string): CatalogTable | null
  /** As `table`, but not recorded: for names in the query of a view whose own lookup is recorded. Its digest covers all below it. */
  findBelow(name: WrittenName): CatalogTable | null
  /** The names of all tables that the caller may read, for messages. They are not recorded. */
  tables(): readonly string[]
  /** All tables that the caller may see, with those of the service itself, to be listed. They are not recorded. */
  visible(): readonly CatalogTable[]
}

/** The lookups of a query. As long as each would have the same result, the query would read the same tables. */
export interface LookedUp {
  readonly caller: Caller
  readonly lookups: readonly Lookup[]
}

interface Lookup {
  readonly schema: string
  readonly name: string
  /** That of the table that was found. Null: there was none. */
  readonly digest: string | null
}

/** The lookups of a query that begins now. All of them are made in the present snapshot of the catalog. */
export function createLookups(catalog: Pick<Catalog, 'name' | 'snapshot'>, caller: Caller): Lookups {
  const snapshot = catalog.snapshot()
  const lookups: Lookup[] = []
  /** Names that are recorded, so that each is recorded once. */
  const recorded = new Set<string>()

  /** The name in the snapshot that a written name stands for. Null: it is in a catalog that is not here. */
  function nameOf({ catalog: qualifier, schema, name }: WrittenName): Pick<Lookup, 'schema' | 'name'> | null {
    const here = foldSqlName(catalog.name)
    const attached = attachedNameOf({ catalog: qualifier, schema, name }, here, ANY_ATTACHED)
    if (attached !== null) return { schema: PUBLIC, name: attached }
    return qualifier === null || foldSqlName(qualifier) === here ? { schema: schema ?? PUBLIC, name } : null
  }

  function findBelow(written: WrittenName): CatalogTable | null {
    const named = nameOf(written)
    return named && snapshot.find(caller, named.name, named.schema)
  }

  function table(written: WrittenName): CatalogTable | null {
    const named = nameOf(written)
    if (named === null) return null
    const catalogTable = snapshot.find(caller, named.name, named.schema)
    const schema = foldSqlName(named.schema)
    const name = foldSqlName(named.name)
    const key = `${schema}\0${name}`
    if (recorded.has(key)) return catalogTable
    recorded.add(key)
    lookups.push({ schema, name, digest: catalogTable?.digest ?? null })
    return catalogTable
  }

  return {
    caller,
    lookups,
    table,
    findBelow,
    named(text) {
      const exact = table({ catalog: null, schema: null, name: text })
      const written = exact === null ? readName(text) : null
      return written === null ? exact : table(written)
    },
    tables: () => snapshot.all(caller).flatMap(({ schema, name }) => (schema === PUBLIC ? [name] : [])),
    visible: () => visibleTables(snapshot, caller),
  }
}

/** Whether every lookup would have the same result now. */
export function isStillTrue(snapshot: CatalogSnapshot, { caller, lookups }: LookedUp): boolean {
  return lookups.every(
    ({ schema, name, digest }) => (snapshot.find(caller, name, schema)?.digest ?? null) === digest,
  )
}

/**
 * The names that were looked up, with the digests of what was found. They tell answers over the same files by different
 * definitions apart.
 */
export function tableDigests({ lookups }: LookedUp): readonly (string | null)[] {
  return lookups.flatMap(({ schema, name, digest }) => [schema, name, digest])
}
