import { foldSqlName } from '../../plan/statement/statement.ts'
import { SYSTEM_RELATIONS } from '../../plan/statement/system-relations.ts'
import type { Caller } from '../auth/caller.ts'
import type { CatalogSnapshot, CatalogTable } from './catalog.ts'

/** The tables and views of the service itself, which the super-user alone sees. They come in the order of their names. */
const SYSTEM_TABLES: readonly CatalogTable[] = Object.freeze(
  SYSTEM_RELATIONS.map((relation) =>
    Object.freeze({ ...relation, source: null, query: null, definition: null, digest: 'system' }),
  ),
)

/** All tables that the caller may see, with those of the service itself, by schema and name in UTF-8 byte order. */
export function visibleTables(snapshot: CatalogSnapshot, caller: Caller): readonly CatalogTable[] {
  const tables = snapshot.all(caller)
  if (!caller.isSuperUser) return tables
  const names = new Set([...tables, ...SYSTEM_TABLES].map(({ schema }) => schema))
  return [...names]
    .toSorted()
    .flatMap((name) => [...SYSTEM_TABLES, ...tables].filter(({ schema }) => schema === name))
}

/** The table of this name, if the caller may see it. Null: there is none, or none that the caller may see. */
export function visibleTable(
  snapshot: CatalogSnapshot,
  caller: Caller,
  name: string,
  schema: string,
): CatalogTable | null {
  const [foldedName, foldedSchema] = [foldSqlName(name), foldSqlName(schema)]
  const systemTable = SYSTEM_TABLES.find(
    (table) => table.schema === foldedSchema && table.name === foldedName,
  )
  if (systemTable !== undefined) return caller.isSuperUser ? systemTable : null
  return snapshot.find(caller, name, schema)
}
