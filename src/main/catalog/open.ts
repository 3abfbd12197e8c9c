import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { ServiceError } from '../../plan/errors.ts'
import { MIGRATIONS } from './migrations.ts'

export type Catalog = Database.Database

/**
 * How long a statement waits for another process that holds the write lock, milliseconds. It blocks the main thread,
 * so it is short; nobody else writes in normal operation.
 */
const BUSY_TIMEOUT_MS = 200

/**
 * Opens the service's database, makes it where there is none, and brings its schema up to date. WAL with
 * `synchronous=NORMAL`: a commit survives `kill -9` of the process, and costs microseconds.
 * Throws `internal` when the file cannot be used, or was written by a later version.
 */
export function openCatalog(path: string): Catalog {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const catalog = new Database(path, { timeout: BUSY_TIMEOUT_MS })
    catalog.pragma('journal_mode = WAL')
    catalog.pragma('synchronous = NORMAL')
    migrate(catalog)
    return catalog
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ServiceError('internal', `cannot open the catalog ${path}: ${reason}`, { cause })
  }
}

function migrate(catalog: Catalog): void {
  const run = catalog.transaction(() => {
    const done = Number(catalog.pragma('user_version', { simple: true }))
    if (done > MIGRATIONS.length)
      throw new ServiceError(
        'internal',
        `its schema (${done}) is newer than this version's (${MIGRATIONS.length})`,
      )
    for (const step of MIGRATIONS.slice(done)) catalog.exec(step)
    if (done < MIGRATIONS.length) catalog.pragma(`user_version = ${MIGRATIONS.length}`)
  })
  run.immediate()
}
