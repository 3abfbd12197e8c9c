import { ServiceError } from '../../../plan/errors.ts'
import type { StoredDirectory } from '../../auth/directory/stored-directory.ts'
import type { StorePaths } from './paths.ts'
import type { CommittedChange, StoredRow } from './rows.ts'
import { startWriter, type WriterHandle } from './writer-handle.ts'

/** The part of pino's logger that is used here. */
export interface StoreLog {
  error(details: object, message: string): void
}

/** The definitions, users and roles on the disk. No other process may use them while they are open. */
export interface CatalogStore {
  /**
   * Makes the changes of one statement durable, all of them or none. Resolves in the order of the calls. Rejects with the signal's
   * reason if it is aborted before the commit has begun.
   */
  commit(changes: readonly CommittedChange[], signal: AbortSignal): Promise<void>
  /** Whether the thread runs that has the database. */
  readonly isOpen: boolean
  /** Waits for the statements that are being committed, and closes the database. */
  close(): Promise<void>
}

export interface CatalogStoreOptions {
  readonly paths: StorePaths
  readonly log: StoreLog
  /** Is given all definitions, some at a time, before the store is open. */
  onRows(rows: readonly StoredRow[]): void
  /** Is given all users and roles, before the store is open. */
  onDirectory(directory: StoredDirectory): void
  /** The module of the thread. Tests replace it. */
  readonly entry?: URL
}

const WRITER = new URL('./writer-thread.ts', import.meta.url)

/** How often the changes of a statement are sent: again if the thread dies, since making the same changes twice has no other result. */
const ATTEMPTS = 2

/**
 * Opens the database in a thread of its own. If that dies, another one takes its place at once, since the lock has ended with it.
 * Rejects with `internal` if the database cannot be used, or another service uses it.
 */
export async function openCatalogStore(options: CatalogStoreOptions): Promise<CatalogStore> {
  const { paths, log, onRows, onDirectory, entry = WRITER } = options
  const start = (sendsRows: boolean): Promise<WriterHandle> =>
    startWriter({ entry, data: { paths, sendsRows }, onRows, onDirectory, onDeath })
  let writer = await start(true)
  /** The thread that takes the place of one that has died. */
  let next: Promise<WriterHandle> = Promise.resolve(writer)
  let last: Promise<unknown> = Promise.resolve()

  function onDeath(error: Error): void {
    log.error({ err: error }, 'the thread that writes the catalog died')
    replace().catch((err: unknown) => log.error({ err }, 'the catalog could not be opened again'))
  }

  function replace(): Promise<WriterHandle> {
    next = start(false).then((started) => {
      writer = started
      return started
    })
    return next
  }

  async function commitNow(changes: readonly CommittedChange[]): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { commit } = await next.catch(replace)
      if ((await commit(changes)) === 'committed') return
    }
    throw new ServiceError(
      'catalog_unwritable',
      'The thread that writes the catalog died. Whether the statement has an effect is known when the service has been restarted.',
    )
  }

  return {
    commit(changes, signal) {
      const committed = last.then(() => {
        signal.throwIfAborted()
        return commitNow(changes)
      })
      last = committed.catch(() => undefined)
      return committed
    },
    get isOpen() {
      return writer.isRunning
    },
    async close() {
      await last
      await next.catch(() => undefined)
      await writer.close()
    },
  }
}
