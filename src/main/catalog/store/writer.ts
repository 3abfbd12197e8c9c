import type { MessagePort } from 'node:worker_threads'
import { type ErrorData, ServiceError, toErrorData } from '../../../plan/errors.ts'
import type { StoredDirectory } from '../../auth/directory/stored-directory.ts'
import { openedAs, type SqliteDatabase } from '../../sqlite/open-database.ts'
import { codeOf, reasonOf } from '../../sqlite/reason.ts'
import { type AtStep, NOTHING_AT_STEPS } from '../steps.ts'
import { openCatalogDatabase } from './open-catalog.ts'
import type { StorePaths } from './paths.ts'
import { type CommittedChange, prepareCommit, readRows, readStoredDirectory, type StoredRow } from './rows.ts'

/** How long after a statement, if no other one comes, its changes are moved from the log into the file. Milliseconds. */
const MERGE_MS = 1000

/** What the thread is started with. */
export interface WriterData {
  readonly paths: StorePaths
  /** Whether main wants what is stored. False: the thread takes the place of one that has died. */
  readonly sendsRows: boolean
}

/** Parts of the thread that a test may replace. */
export interface WriterParts {
  readonly open?: typeof openCatalogDatabase
  readonly atStep?: AtStep
}

/** The changes of one statement. Null: there will be no more, and the thread ends. */
export type ToWriter = readonly CommittedChange[] | null

/**
 * `rows`: definitions, and `directory`: all users and roles; both before `opened`. `opened`: the file is open. `refused`: it cannot be opened, and the thread ends.
 * `committed` and `failed`: about the oldest statement that was sent; if it failed, nothing has changed.
 */
export type FromWriter =
  | { readonly kind: 'rows'; readonly rows: readonly StoredRow[] }
  | { readonly kind: 'directory'; readonly directory: StoredDirectory }
  | { readonly kind: 'opened' | 'committed' }
  | { readonly kind: 'refused' | 'failed'; readonly error: ErrorData }

/**
 * Runs the thread that has the database of the catalog: it sends the definitions, and then commits one statement after the other.
 * It is a thread of its own because each commit waits for the disk, 3 ms and more.
 */
export function runCatalogWriter(
  port: MessagePort,
  { paths, sendsRows }: WriterData,
  { open = openCatalogDatabase, atStep = NOTHING_AT_STEPS }: WriterParts = {},
): void {
  const send = (message: FromWriter): void => port.postMessage(message)
  try {
    const database = open(paths, atStep)
    const commit = openedAs(paths.catalog, 'catalog', () => {
      if (sendsRows) {
        for (const rows of readRows(database)) send({ kind: 'rows', rows })
        send({ kind: 'directory', directory: readStoredDirectory(database) })
      }
      return prepareCommit(database, atStep)
    })
    let merging: NodeJS.Timeout | undefined
    // The listener refers to the connection, which would lose its lock if it was collected as garbage.
    port.on('message', (changes: ToWriter) => {
      clearTimeout(merging)
      if (changes === null) {
        database.close()
        port.close()
        return
      }
      try {
        commit(changes)
        send({ kind: 'committed' })
      } catch (error) {
        send({ kind: 'failed', error: toErrorData(commitError(error)) })
      }
      merging = setTimeout(mergeLog, MERGE_MS, database).unref()
    })
    send({ kind: 'opened' })
  } catch (error) {
    send({ kind: 'refused', error: toErrorData(error) })
  }
}

/** Moves what is committed from the log into the file, so that a copy of that file alone has it. If that fails, the log keeps it. */
function mergeLog(database: SqliteDatabase): void {
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
  } catch {
    // The disk is full, for instance. The next commit says so, and the next start reads the log.
  }
}

function commitError(cause: unknown): ServiceError {
  const message = `Nothing has changed, because the catalog could not be written: ${reasonOf(cause)}.`
  const isFull = codeOf(cause).startsWith('SQLITE_FULL')
  return new ServiceError(isFull ? 'no_space' : 'catalog_unwritable', message, { cause })
}
