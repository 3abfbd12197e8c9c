import { sortedByBytes } from '../../plan/byte-order.ts'
import { foldSqlName } from '../../plan/statement/statement.ts'
import type { Rights } from '../auth/rights/rights.ts'
import { tableTest } from '../auth/rights/table-rights.ts'
import { type CatalogSnapshot, type CatalogTable, PLACEHOLDER, PUBLIC } from './catalog.ts'
import type { DigestedTables } from './digests/digested-tables.ts'

/**
 * A snapshot of these tables, all in schema `public`, by their names with the letters A to Z in lower case. To read a view takes the
 * right to it and to each table and view that it reads. Names below it that nothing has are errors when it is read.
 */
export function createSnapshot({
  tables,
  namesReadBy,
}: Pick<DigestedTables, 'tables' | 'namesReadBy'>): CatalogSnapshot {
  const byName = tables.has(PLACEHOLDER.name) ? tables : tables.with([[PLACEHOLDER.name, PLACEHOLDER]])
  let sorted: readonly CatalogTable[] | null = null

  /** Whether the caller may read a table of this folded name, and all that is there below it. */
  function mayRead(rights: Rights, name: string): boolean {
    const isAllowed = tableTest(rights)
    if (!isAllowed(PUBLIC, name)) return false
    const reached = new Set([name])
    // A set is iterated to its end, names that are added meanwhile included.
    for (const each of reached)
      for (const below of namesReadBy(each)) {
        if (!byName.has(below)) continue
        if (!isAllowed(PUBLIC, below)) return false
        reached.add(below)
      }
    return true
  }

  return {
    all({ rights }) {
      sorted ??= sortedByName(byName)
      if (rights.isEverything) return sorted
      const refused = refusedNames(sorted, namesReadBy, rights)
      return sorted.filter(({ name }) => !refused.has(foldSqlName(name)))
    },
    find({ rights }, written, schema) {
      const name = foldSqlName(written)
      const catalogTable = foldSqlName(schema) === PUBLIC ? byName.get(name) : undefined
      return catalogTable !== undefined && (rights.isEverything || mayRead(rights, name))
        ? catalogTable
        : null
    },
  }
}

/** The tables that the rights do not allow, and all views above them, by their folded names. */
function refusedNames(
  tables: readonly CatalogTable[],
  namesReadBy: DigestedTables['namesReadBy'],
  rights: Rights,
): ReadonlySet<string> {
  const isAllowed = tableTest(rights)
  const above = new Map<string, string[]>()
  const refused = new Set<string>()
  for (const table of tables) {
    const name = foldSqlName(table.name)
    if (!isAllowed(PUBLIC, name)) refused.add(name)
    for (const below of table.query === null ? [] : namesReadBy(name)) {
      const views = above.get(below)
      if (views === undefined) above.set(below, [name])
      else views.push(name)
    }
  }
  for (const name of refused) for (const view of above.get(name) ?? []) refused.add(view)
  return refused
}

function sortedByName(tables: DigestedTables['tables']): readonly CatalogTable[] {
  const names = sortedByBytes(Array.from(tables.entries(), ([, { name }]) => name))
  return Object.freeze(names.flatMap((name) => tables.get(foldSqlName(name)) ?? []))
}
