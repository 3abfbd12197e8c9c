import { hash } from 'node:crypto'
import type { Caller } from '../../src/main/auth/caller.ts'
import {
  type Catalog,
  type CatalogTable,
  PLACEHOLDER,
  PUBLIC,
  type TableSource,
} from '../../src/main/catalog/catalog.ts'
import type { Schema } from '../../src/plan/types/schema.ts'
import { csvFormat } from '../formats/product.ts'

/** A catalog that a test changes while queries run. */
export interface ChangingCatalog extends Catalog {
  define(name: string, source: TableSource, columns?: Schema | null): void
  drop(name: string): void
  /** Takes the right to read a table or path away, or gives it back. */
  deny(name: string): void
  allow(name: string): void
}

export function changingCatalog(): ChangingCatalog {
  const tables = new Map<string, CatalogTable>([['default', PLACEHOLDER]])
  const denied = new Set<string>()
  const visible = (_caller: Caller): readonly CatalogTable[] =>
    [...tables.values()].filter(({ name }) => !denied.has(name))
  return {
    name: 'service',
    defaultTable: 'default',
    all: visible,
    find: (caller, name, schema) =>
      schema === PUBLIC ? (visible(caller).find((table) => table.name === name) ?? null) : null,
    mayReadFiles: (_caller, paths) => !paths.some((path) => denied.has(path)),
    define(name, source, columns = null) {
      const definition = { schema: PUBLIC, name, type: 'BASE TABLE', columns, source } as const
      const text = JSON.stringify(definition, (_key, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      )
      tables.set(name, { ...definition, digest: hash('sha256', text) })
    },
    drop: (name) => tables.delete(name),
    deny: (name) => denied.add(name),
    allow: (name) => denied.delete(name),
  }
}

/** Rows of CSV files, all of one part. */
export function csvSource(...paths: readonly string[]): TableSource {
  return { format: csvFormat(), parts: [{ paths, constants: {} }] }
}
