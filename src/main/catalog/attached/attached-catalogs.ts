import { hash } from 'node:crypto'
import { sortedByBytes } from '../../../plan/byte-order.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { RemoteAddress, RemoteTable } from '../../remotes/remote-client.ts'
import { attachedName, readAttachedName } from '../../sql/gate/attached-name.ts'
import { type CatalogTable, PUBLIC } from '../catalog.ts'
import type { AttachedCatalog, AttachedNames } from './attached.ts'

/** Attached catalogs, and their tables as those of this service. */
export interface AttachedCatalogs extends AttachedNames {
  /** Puts a catalog in place of the one of its name. */
  put(catalog: AttachedCatalog): void
  /** False: there is none of this name. */
  drop(name: string): boolean
  /** What is attached now. It never changes, and is the same object until something is attached or detached. */
  snapshot(): AttachedSnapshot
}

export interface AttachedSnapshot {
  /** The table that one name stands for (attached-name.ts). Null: it is no such name, or the catalog is not attached. */
  table(name: string): CatalogTable | null
}

/** A catalog, with a number of its own, so that a name never means what it meant before. */
interface Numbered {
  readonly catalog: AttachedCatalog
  readonly number: number
}

export function createAttachedCatalogs(): AttachedCatalogs {
  /** By their folded names. */
  let catalogs: ReadonlyMap<string, Numbered> = new Map()
  let snapshot = snapshotOf(catalogs)
  let count = 0

  function become(next: ReadonlyMap<string, Numbered>): void {
    catalogs = next
    snapshot = snapshotOf(next)
  }

  return {
    list: () => sortedByBytes([...catalogs.keys()]).flatMap((key) => catalogs.get(key)?.catalog ?? []),
    find: (name) => catalogs.get(foldSqlName(name))?.catalog ?? null,
    snapshot: () => snapshot,
    put: (catalog) => become(new Map(catalogs).set(foldSqlName(catalog.name), { catalog, number: ++count })),
    drop(name) {
      const others = new Map(catalogs)
      if (!others.delete(foldSqlName(name))) return false
      become(others)
      return true
    },
  }
}

function snapshotOf(catalogs: ReadonlyMap<string, Numbered>): AttachedSnapshot {
  return {
    table(text) {
      const written = readAttachedName(text)
      const attached = written === null ? undefined : catalogs.get(foldSqlName(written.catalog))
      if (written === null || attached === undefined) return null
      const { catalog, number } = attached
      const meant = meantTable(catalog.address, written)
      const table = listedTable(catalog.tables, meant) ?? { ...meant, isView: false }
      return tableOf(catalog, table, number)
    },
  }
}

/** The table of a catalog as one of this service. Its columns are asked for by each query. */
function tableOf(catalog: AttachedCatalog, { schema, name }: RemoteTable, number: number): CatalogTable {
  const { address, secret, ownSecrets, format } = catalog
  const table = Object.freeze({ schema, name })
  return Object.freeze({
    schema: PUBLIC,
    name: attachedName(catalog.name, schema, name),
    type: 'BASE TABLE',
    columns: null,
    source: Object.freeze({ kind: 'remote', format, address, table, secret, ownSecrets }),
    query: null,
    definition: null,
    digest: hash('sha256', JSON.stringify(['attached', number, schema, name])),
  })
}

/** `name.table` is in `public`. MySQL has databases for schemas, and it is in the one of the address. */
function meantTable(
  { kind, database }: RemoteAddress,
  written: Pick<RemoteTable, 'schema' | 'name'>,
): Pick<RemoteTable, 'schema' | 'name'> {
  return kind === 'mysql' && written.schema === PUBLIC ? { ...written, schema: database } : written
}

/** The listed table of exactly this name, or the only one whose name differs in the case of A to Z alone. */
function listedTable(
  tables: readonly RemoteTable[],
  { schema, name }: Pick<RemoteTable, 'schema' | 'name'>,
): RemoteTable | undefined {
  const exact = tables.find((table) => table.schema === schema && table.name === name)
  if (exact !== undefined) return exact
  const [key, folded] = [foldSqlName(schema), foldSqlName(name)]
  const like = tables.filter(
    (table) => foldSqlName(table.schema) === key && foldSqlName(table.name) === folded,
  )
  return like.length === 1 ? like[0] : undefined
}
