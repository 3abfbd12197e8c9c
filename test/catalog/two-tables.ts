import { hash } from 'node:crypto'
import {
  type Catalog,
  type CatalogSnapshot,
  type CatalogTable,
  PLACEHOLDER,
  PUBLIC,
  type TableSource,
} from '../../src/main/catalog/catalog.ts'
import { digestsAfter, NO_DIGESTS } from '../../src/main/catalog/digests/digests.ts'
import { foldSqlName } from '../../src/plan/statement/statement.ts'
import type { Schema } from '../../src/plan/types/schema.ts'
import { csvFormat } from '../formats/product.ts'

/** A catalog that a test changes while queries run. */
export interface ChangingCatalog extends Catalog {
  define(name: string, source: TableSource, columns?: Schema | null): void
  /** Defines a view by its query. `below` are the names in it. */
  view(name: string, query: string, ...below: readonly string[]): void
  drop(name: string): void
  /** Takes the right to read a table away, or gives it back. */
  deny(name: string): void
  allow(name: string): void
}

type Defined = Omit<CatalogTable, 'digest'> & { readonly below: readonly string[] }

export function changingCatalog(): ChangingCatalog {
  const defined = new Map<string, Defined>()
  let digests = NO_DIGESTS
  const denied = new Set<string>()
  const tables = (): readonly CatalogTable[] => [
    ...[...defined].map(([key, { below: _, ...table }]) => ({
      ...table,
      digest: digests.digests.get(key) ?? '',
    })),
    ...(defined.has('default') ? [] : [PLACEHOLDER]),
  ]
  const visible = (_caller: unknown, all: readonly CatalogTable[]): readonly CatalogTable[] =>
    all.filter(({ name }) => !denied.has(name))
  let present = tables()
  const snapshotOf = (all: readonly CatalogTable[]): CatalogSnapshot => ({
    all: (caller) => visible(caller, all),
    find: (caller, name, schema) =>
      schema === PUBLIC
        ? (visible(caller, all).find((table) => foldSqlName(table.name) === foldSqlName(name)) ?? null)
        : null,
  })
  function changed(key: string): void {
    const found = defined.get(key)
    const { below = [], ...table } = found ?? {}
    const parts = found && { definitionDigest: hash('sha256', textOf(table)), below: below.map(foldSqlName) }
    digests = digestsAfter(digests, new Map([[key, parts ?? null]]))
    present = tables()
  }
  function put(
    name: string,
    definition: Pick<Defined, 'type' | 'columns' | 'source' | 'query' | 'below'>,
  ): void {
    const key = foldSqlName(name)
    defined.set(key, { schema: PUBLIC, name, definition: null, ...definition })
    changed(key)
  }
  return {
    name: 'service',
    defaultTable: 'default',
    isUnreadable: () => false,
    snapshot: () => snapshotOf(present),
    preview: () => ({ snapshot: snapshotOf(present), viewsAbove: [] }),
    change: () => Promise.reject(new Error('this catalog is changed by its test')),
    define: (name, source, columns = null) =>
      put(name, { type: 'BASE TABLE', columns, source, query: null, below: [] }),
    view: (name, query, ...below) => put(name, { type: 'VIEW', columns: null, source: null, query, below }),
    drop(name) {
      defined.delete(foldSqlName(name))
      changed(foldSqlName(name))
    },
    deny: (name) => denied.add(name),
    allow: (name) => denied.delete(name),
  }
}

function textOf(definition: object): string {
  return JSON.stringify(definition, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
}

/** Rows of CSV files, all of one part. */
export function csvSource(...paths: readonly string[]): TableSource {
  return { kind: 'parts', format: csvFormat(), parts: [{ paths, constants: {} }] }
}
