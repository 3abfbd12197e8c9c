import { sortedByBytes } from '../../plan/byte-order.ts'
import { foldSqlName } from '../../plan/statement/statement.ts'
import { type CatalogSnapshot, type CatalogTable, PLACEHOLDER, PUBLIC } from './catalog.ts'
import type { NameMap } from './digests/name-map.ts'

/**
 * A snapshot of these tables, all in schema `public`, by their names with the letters A to Z in lower case. Everybody may read every
 * table and every file.
 */
export function createSnapshot(tables: NameMap<CatalogTable>): CatalogSnapshot {
  const byName = tables.has(PLACEHOLDER.name) ? tables : tables.with([[PLACEHOLDER.name, PLACEHOLDER]])
  let sorted: readonly CatalogTable[] | null = null
  return {
    all: () => (sorted ??= sortedByName(byName)),
    find: (_caller, name, schema) =>
      foldSqlName(schema) === PUBLIC ? (byName.get(foldSqlName(name)) ?? null) : null,
    mayReadFiles: () => true,
  }
}

function sortedByName(tables: NameMap<CatalogTable>): readonly CatalogTable[] {
  const names = sortedByBytes(Array.from(tables.entries(), ([, { name }]) => name))
  return Object.freeze(names.flatMap((name) => tables.get(foldSqlName(name)) ?? []))
}
