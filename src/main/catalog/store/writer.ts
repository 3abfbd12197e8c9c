import type { MessagePort } from 'node:worker_threads'
import { ServiceError } from '../../../plan/errors.ts'
import type { StoredDirectory } from '../../auth/directory/stored-directory.ts'
import type { StoredSecretRow } from '../../secrets/stored-secrets.ts'
import { openedAs, type SqliteDatabase } from '../../sqlite/open-database.ts'
import { codeOf, reasonOf } from '../../sqlite/reason.ts'
import { serve } from '../../threads/serve.ts'
import { type AtStep, NOTHING_AT_STEPS } from '../steps.ts'
import { readUploads, type StoredUploads } from './begun-uploads.ts'
import { openCatalogDatabase } from './open-catalog.ts'
import type { StorePaths } from './paths.ts'
import {
  type CommittedChange,
  prepareCommit,
  readRows,
  readStoredDirectory,
  readStoredSecrets,
  type StoredRow,
} from './rows.ts'
import { readAttached, type StoredAttached } from './stored-attached.ts'
import { readCrawlers, type StoredCrawler } from './stored-crawlers.ts'

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

/** What the thread does when it is called. */
export interface CatalogWriter {
  /** Commits the changes of one statement. If that fails, nothing has changed. */
  commit(changes: readonly CommittedChange[]): void
}

/** What is stored: definitions, some at a time, all users and roles, all secrets and logins of tables, the begun uploads, the crawlers and the attached catalogs. It is sent before the thread is open. */
export type StoredEvent =
  | { readonly kind: 'rows'; readonly rows: readonly StoredRow[] }
  | { readonly kind: 'directory'; readonly directory: StoredDirectory }
  | {
      readonly kind: 'secrets'
      readonly secrets: readonly StoredSecretRow[]
      readonly logins: readonly StoredSecretRow[]
    }
  | { readonly kind: 'uploads'; readonly uploads: StoredUploads }
  | { readonly kind: 'crawlers'; readonly crawlers: readonly StoredCrawler[] }
  | { readonly kind: 'attached'; readonly attached: readonly StoredAttached[] }

/**
 * Runs the thread that has the database of the catalog: it sends the definitions, and then commits one statement after the other.
 * It is a thread of its own because each commit waits for the disk, 3 ms and more.
 */
export function runCatalogWriter(
  port: MessagePort,
  { paths, sendsRows }: WriterData,
  { open = openCatalogDatabase, atStep = NOTHING_AT_STEPS }: WriterParts = {},
): void {
  serve<CatalogWriter, StoredEvent>(port, (emit) => {
    const database = open(paths, atStep)
    const commit = openedAs(paths.catalog, 'catalog', () => {
      if (sendsRows) {
        for (const rows of readRows(database)) emit({ kind: 'rows', rows })
        emit({ kind: 'directory', directory: readStoredDirectory(database) })
        emit({
          kind: 'secrets',
          secrets: readStoredSecrets(database, 'secrets'),
          logins: readStoredSecrets(database, 'logins'),
        })
        emit({ kind: 'uploads', uploads: readUploads(database) })
        emit({ kind: 'crawlers', crawlers: readCrawlers(database) })
        emit({ kind: 'attached', attached: readAttached(database) })
      }
      return prepareCommit(database, atStep)
    })
    let merging: NodeJS.Timeout | undefined
    return {
      commit(changes) {
        clearTimeout(merging)
        merging = setTimeout(mergeLog, MERGE_MS, database).unref()
        try {
          commit(changes)
        } catch (error) {
          throw commitError(error)
        }
      },
      close() {
        clearTimeout(merging)
        database.close()
      },
    }
  })
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
