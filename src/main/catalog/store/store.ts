import { ServiceError } from '../../../plan/errors.ts'
import { createThread, ThreadEnded } from '../../threads/thread.ts'
import type { StorePaths } from './paths.ts'
import type { CommittedChange } from './rows.ts'
import type { CatalogWriter, StoredEvent, WriterData } from './writer.ts'

/** The part of pino's logger that is used here. */
export interface StoreLog {
  error(details: object, message: string): void
}

/** The definitions, users, roles and secrets on the disk. No other process may use them while they are open. */
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
  /** Is given all that is stored, before the store is open. */
  onStored(stored: StoredEvent): void
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
  const { paths, log, onStored, entry = WRITER } = options
  const thread = createThread<CatalogWriter, StoredEvent>({
    task: 'writes the catalog',
    entry,
    data: (sendsRows): WriterData => ({ paths, sendsRows }),
    onEvent: onStored,
    onDeath(error, wasOpen) {
      if (!wasOpen) return
      log.error({ err: error }, 'the thread that writes the catalog died')
      thread.open().catch((err) => log.error({ err }, 'the catalog could not be opened again'))
    },
  })
  await thread.open()
  let last: Promise<unknown> = Promise.resolve()

  async function commitNow(changes: readonly CommittedChange[]): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await thread.open()
      try {
        return await thread.call('commit', changes)
      } catch (error) {
        if (!(error instanceof ThreadEnded)) throw error
      }
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
      return thread.isOpen
    },
    async close() {
      await last
      await thread.stop()
    },
  }
}
