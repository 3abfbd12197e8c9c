import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { ServiceError } from '../../plan/errors.ts'
import { type Migrations, migrate } from './migrate.ts'
import { reasonOf } from './reason.ts'

/** A connection to an SQLite database. A lock that it has is lost when it is closed or collected as garbage. */
export type SqliteDatabase = Database.Database

/** What a database of the service is opened with. */
export interface DatabaseKind {
  /** Its name in messages, such as `catalog`. */
  readonly title: string
  readonly migrations: Migrations
  /** Whether no other connection, in whatever process, may use the file while this one is open. `kill -9` ends that, too. */
  readonly isExclusive: boolean
  /** What a commit survives. `FULL`: a loss of power; it waits for the disk. `NORMAL`: `kill -9`, and it costs microseconds. */
  readonly synchronous: 'FULL' | 'NORMAL'
}

/**
 * How long a statement waits while another process holds the write lock. Milliseconds. The wait blocks the thread, so it is
 * short; in normal operation no other process writes.
 */
const BUSY_TIMEOUT_MS = 200

/** How long opening waits for a file that one process alone may use: the one before may still be ending. Milliseconds. */
const EXCLUSIVE_TIMEOUT_MS = 1000

/**
 * Opens a database in WAL mode, creates it and its folder if there is none, and migrates its schema. Throws `internal` when the
 * file cannot be used, is in use by somebody else where that is excluded, or was written by a later version.
 */
export function openDatabase(path: string, kind: DatabaseKind): SqliteDatabase {
  return openedAs(path, kind.title, () => {
    const database = connect(path, kind)
    closedOnError(database, () => migrate(database, kind.migrations))
    return database
  })
}

/** Opens a database as it is, without migrating it. Throws SQLite's errors. */
export function connect(
  path: string,
  { isExclusive, synchronous }: Omit<DatabaseKind, 'title' | 'migrations'>,
): SqliteDatabase {
  mkdirSync(dirname(path), { recursive: true })
  const database = new Database(path, { timeout: isExclusive ? EXCLUSIVE_TIMEOUT_MS : BUSY_TIMEOUT_MS })
  return closedOnError(database, () => {
    // Before the first access in WAL mode: the index of the log is then in the memory of this process, which needs the lock at once.
    if (isExclusive) database.pragma('locking_mode = EXCLUSIVE')
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${synchronous}`)
    return database
  })
}

/** Does work with a connection. If that fails, the connection is closed, so that its lock does not wait for garbage collection. */
export function closedOnError<T>(database: SqliteDatabase, work: () => T): T {
  try {
    return work()
  } catch (error) {
    database.close()
    throw error
  }
}

/** Opens something by a function, and throws `internal` with a message that names it and the reason if that fails. */
export function openedAs<T>(path: string, title: string, open: () => T): T {
  try {
    return open()
  } catch (cause) {
    throw new ServiceError('internal', `cannot open the ${title} ${path}: ${reasonOf(cause)}`, { cause })
  }
}

/** Whether the database can be read: its file is there, and its disk answers. */
export function isReadable(database: SqliteDatabase): boolean {
  try {
    database.pragma('schema_version')
    return true
  } catch {
    return false
  }
}
