import { Worker } from 'node:worker_threads'
import { fromErrorData, ServiceError } from '../../../plan/errors.ts'
import type { StoredDirectory } from '../../auth/directory/stored-directory.ts'
import type { CommittedChange, StoredRow } from './rows.ts'
import type { FromWriter, ToWriter, WriterData } from './writer.ts'

/** The thread that writes the catalog, as main has it. It keeps the process running only while it commits. */
export interface WriterHandle {
  readonly isRunning: boolean
  /**
   * Commits the changes of one statement. To be called again only when that is done. `died`: it is not known whether they were
   * committed. Rejects with the error for which nothing has changed.
   */
  commit(changes: readonly CommittedChange[]): Promise<'committed' | 'died'>
  /** Closes the database and ends the thread. */
  close(): Promise<void>
}

export interface WriterOptions {
  /** The module of the thread. */
  readonly entry: URL
  readonly data: WriterData
  /** Is given all definitions, some at a time, before the writer is started. */
  onRows(rows: readonly StoredRow[]): void
  /** Is given all users and roles, before the writer is started. */
  onDirectory(directory: StoredDirectory): void
  /** Is called when the thread has ended by itself, after it was started. */
  onDeath(error: Error): void
}

/** Starts the thread. Resolves when it has opened the database, and rejects with the error for which it cannot. */
export async function startWriter(options: WriterOptions): Promise<WriterHandle> {
  const { entry, data, onRows, onDirectory, onDeath } = options
  const worker = new Worker(entry, { workerData: data })
  const exited = Promise.withResolvers<void>()
  let isRunning = true
  /** Whether it has opened the database, and has not been told to end. */
  let isNeeded = false
  let failure = new Error('The thread has ended.')
  /** What the thread is doing. Null: nothing. */
  let doing: PromiseWithResolvers<'committed' | 'died'> | null = null

  function done(settle: (done: PromiseWithResolvers<'committed' | 'died'>) => void): void {
    if (doing !== null) settle(doing)
    doing = null
    worker.unref()
  }

  worker.on('message', (message: FromWriter) => {
    if (message.kind === 'rows') onRows(message.rows)
    else if (message.kind === 'directory') onDirectory(message.directory)
    else if ('error' in message) done(({ reject }) => reject(fromErrorData(message.error)))
    else done(({ resolve }) => resolve('committed'))
  })
  worker.on('error', (error: Error) => {
    failure = error
  })
  worker.once('exit', () => {
    isRunning = false
    if (isNeeded) onDeath(failure)
    done(({ resolve }) => resolve('died'))
    exited.resolve()
  })

  function begin(): Promise<'committed' | 'died'> {
    doing = Promise.withResolvers()
    worker.ref()
    return doing.promise
  }

  function send(message: ToWriter): void {
    worker.postMessage(message)
  }

  if ((await begin()) === 'died')
    throw new ServiceError('internal', 'The thread that writes the catalog died.', { cause: failure })
  isNeeded = true
  return {
    get isRunning() {
      return isRunning
    },
    commit(changes) {
      const committed = begin()
      send(changes)
      return committed
    },
    async close() {
      if (!isRunning) return
      isNeeded = false
      worker.ref()
      send(null)
      await exited.promise
    },
  }
}
