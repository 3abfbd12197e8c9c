import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { ServiceError } from '../../plan/errors.ts'
import { MIGRATIONS } from './migrations.ts'

/** The service's SQLite database. */
export type CatalogDatabase = Database.Database

/**
 * How long a statement waits while another process holds the write lock. Milliseconds. The wait blocks the thread, so it is
 * short; in normal operation no other process writes.
 */
const BUSY_TIMEOUT_MS = 200

/**
 * Opens the service's database, creates it if there is none, and migrates its schema. It is in WAL mode with
 * `synchronous=NORMAL`: a commit survives `kill -9` of the process, and costs microseconds. Throws `internal` when the file
 * cannot be used, or was written by a later version.
 */
export function openCatalogDatabase(path: string): CatalogDatabase {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const database = new Database(path, { timeout: BUSY_TIMEOUT_MS })
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    migrate(database)
    return database
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError('internal', `cannot open the catalog ${path}: ${reason}`, { cause })
  }
}

/** Whether the database can be read: its file is there, and its disk answers. */
export function isReadable(database: CatalogDatabase): boolean {
  try {
    database.pragma('schema_version')
    return true
  } catch {
    return false
  }
}

function migrate(database: CatalogDatabase): void {
  const run = database.transaction(() => {
    const done = Number(database.pragma('user_version', { simple: true }))
    if (done > MIGRATIONS.length)
      throw new ServiceError(
        'internal',
        `its schema (${done}) is newer than this version's (${MIGRATIONS.length})`,
      )
    for (const step of MIGRATIONS.slice(done)) database.exec(step)
    if (done < MIGRATIONS.length) database.pragma(`user_version = ${MIGRATIONS.length}`)
  })
  run.immediate()
}
