import type { Formats } from '../../../plan/format/create-formats.ts'
import type { CheckQuery } from '../../sql/statements/query-text.ts'
import type { Catalog, CatalogTable } from '../catalog.ts'
import { createCatalog } from '../create-catalog.ts'
import type { NamesIn } from '../digests/digested-tables.ts'
import type { AtStep } from '../steps.ts'
import { tableOf } from '../table-of.ts'
import type { StorePaths } from './paths.ts'
import type { StoredRow } from './rows.ts'
import { type CatalogStore, openCatalogStore, type StoreLog } from './store.ts'
import { fromStoredForm } from './stored-form.ts'

/** A catalog whose changes are on the disk before they are seen. */
export interface StoredCatalog extends Catalog, Pick<CatalogStore, 'isOpen' | 'close'> {}

export interface StoredCatalogOptions {
  readonly name: string
  readonly defaultTable: string
  readonly formats: Formats
  readonly namesIn: NamesIn
  /** Refuses the query of a view that may not run. */
  readonly checkQuery: CheckQuery
  readonly paths: StorePaths
  readonly log: StoreLog
  /** The module of the thread. Tests replace it. */
  readonly entry?: URL
  readonly atStep?: AtStep
}

/**
 * Opens the catalog with the tables that are stored. A definition that cannot be read is logged; it stays stored, and there is
 * no table of its name. Rejects with `internal` if the database cannot be used, or another service uses it.
 */
export async function openStoredCatalog(options: StoredCatalogOptions): Promise<StoredCatalog> {
  const { formats, checkQuery, log } = options
  const tables = new Map<string, CatalogTable>()
  const unreadable: string[] = []
  const add = (row: StoredRow): void => {
    try {
      tables.set(row.key, tableOf(fromStoredForm(row, checkQuery), row.digest, formats))
    } catch (error) {
      unreadable.push(row.key)
      log.error({ err: error, table: row.key }, 'a stored definition cannot be read, and is left out')
    }
  }
  const store = await openCatalogStore({ ...options, onRows: (rows) => rows.forEach(add) })
  const catalog = createCatalog({ ...options, tables, unreadable, commit: store.commit })
  return {
    ...catalog,
    get isOpen() {
      return store.isOpen
    },
    async close() {
      await catalog.settled()
      await store.close()
    },
  }
}
