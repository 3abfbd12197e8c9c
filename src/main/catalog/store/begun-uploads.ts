import type { SqliteDatabase } from '../../sqlite/open-database.ts'

/** An upload in parts that has begun and not ended. */
export interface BegunUpload {
  /** A UUID. */
  readonly id: string
  /** Where the file will be, relative to the dataset root. */
  readonly path: string
  /** Whether it takes the place of a file that is there. */
  readonly replaces: boolean
  /** How many parts have arrived. */
  readonly parts: number
  /** The bytes of all of them, and of the last one alone. */
  readonly bytes: number
  readonly lastBytes: number
  /** When it began, or the last part arrived. Milliseconds since 1970. */
  readonly changedAt: number
}

/** A change of the begun uploads. */
export type UploadChange =
  | { readonly kind: 'put_upload'; readonly upload: BegunUpload }
  | { readonly kind: 'drop_upload'; readonly id: string }

/** What the catalog stores of uploads. */
export interface StoredUploads {
  /** The random name of this service, with which the files of its uploads begin. It stays the same over restarts. */
  readonly owner: string
  readonly begun: readonly BegunUpload[]
}

/** The begun uploads on the disk. */
export interface UploadStore extends StoredUploads {
  /** Makes changes durable, all of them or none. Rejects as a statement that changes the catalog does. */
  commit(changes: readonly UploadChange[], signal: AbortSignal): Promise<void>
}

interface UploadRow extends Omit<BegunUpload, 'replaces'> {
  readonly replaces: number
}

export function readUploads(database: SqliteDatabase): StoredUploads {
  const owner = database.prepare<[], { owner: string }>('SELECT owner FROM upload_owner').get()?.owner
  if (owner === undefined) throw new TypeError('the owner of uploads is not stored')
  const rows = database
    .prepare<[], UploadRow>('SELECT id, path, replaces, parts, bytes, lastBytes, changedAt FROM uploads')
    .all()
  return { owner, begun: rows.map((row) => ({ ...row, replaces: row.replaces === 1 })) }
}

/** Prepares a function that makes one change in the present transaction. */
export function prepareUploadChanges(database: SqliteDatabase): (change: UploadChange) => void {
  const put = database.prepare<[UploadRow]>(
    `INSERT OR REPLACE INTO uploads (id, path, replaces, parts, bytes, lastBytes, changedAt)
    VALUES (@id, @path, @replaces, @parts, @bytes, @lastBytes, @changedAt)`,
  )
  const drop = database.prepare<[string]>('DELETE FROM uploads WHERE id = ?')
  return (change) => {
    if (change.kind === 'drop_upload') drop.run(change.id)
    else put.run({ ...change.upload, replaces: change.upload.replaces ? 1 : 0 })
  }
}
