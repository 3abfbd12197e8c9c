import { sortedByBytes } from '../../plan/byte-order.ts'
import { foldSqlName } from '../../plan/statement/statement.ts'
import { mayRead } from '../auth/rights/decide.ts'
import { type CatalogSnapshot, type CatalogTable, PLACEHOLDER, PUBLIC } from './catalog.ts'
import type { NameMap } from './digests/name-map.ts'

/**
 * A snapshot of these tables, all in schema `public`, by their names with the letters A to Z in lower case.
 */
export function createSnapshot(tables: NameMap<CatalogTable>): CatalogSnapshot {
  const byName = tables.has(PLACEHOLDER.name) ? tables : tables.with([[PLACEHOLDER.name, PLACEHOLDER]])
  let sorted: readonly CatalogTable[] | null = null
  return {
    all: ({ rights }) => {
      sorted ??= sortedByName(byName)
      if (rights.isEverything) return sorted
      return sorted.filter(({ schema, name }) => mayRead(rights, { kind: 'table', schema, name }))
    },
    find({ rights }, name, schema) {
      const found = foldSqlName(schema) === PUBLIC ? byName.get(foldSqlName(name)) : undefined
      if (found === undefined || !mayRead(rights, { kind: 'table', ...found })) return null
      return found
    },
  }
}

function sortedByName(tables: NameMap<CatalogTable>): readonly CatalogTable[] {
  const names = sortedByBytes(Array.from(tables.entries(), ([, { name }]) => name))
  return Object.freeze(names.flatMap((name) => tables.get(foldSqlName(name)) ?? []))
}
