import type { SqliteDatabase } from '../../sqlite/open-database.ts'

/** An attached catalog as it is stored (catalog/attached/stored-form.ts). It has no login, but for the name of a secret. */
export interface StoredAttached {
  /** The name with the letters A to Z in lower case. */
  readonly key: string
  readonly name: string
  /** Where it is, as JSON. */
  readonly address: string
  /** The name of a secret. Null: it is asked without a login. */
  readonly secret: string | null
  /** The tables that it listed, as JSON. */
  readonly tables: string
}

/** A change of the stored catalogs. */
export type AttachedChange =
  | { readonly kind: 'put_attached'; readonly attached: StoredAttached }
  | { readonly kind: 'drop_attached'; readonly key: string }

/** The attached catalogs on the disk. */
export interface AttachedStore {
  /** Those that were stored when the catalog was opened, also those that cannot be read. */
  readonly stored: readonly StoredAttached[]
  /** Makes changes durable, all of them or none. Rejects as a statement that changes the catalog does. */
  commit(changes: readonly AttachedChange[], signal: AbortSignal): Promise<void>
}

export function readAttached(database: SqliteDatabase): readonly StoredAttached[] {
  return database.prepare<[], StoredAttached>('SELECT key, name, address, secret, tables FROM attached').all()
}

/** Prepares a function that makes one change in the present transaction. */
export function prepareAttachedChanges(database: SqliteDatabase): (change: AttachedChange) => void {
  const put = database.prepare<[StoredAttached]>(
    'INSERT OR REPLACE INTO attached (key, name, address, secret, tables) VALUES (@key, @name, @address, @secret, @tables)',
  )
  const drop = database.prepare<[string]>('DELETE FROM attached WHERE key = ?')
  return (change) => {
    if (change.kind === 'drop_attached') drop.run(change.key)
    else put.run(change.attached)
  }
}
