/**
 * The thread that writes metrics, in the order in which they come. It is a thread of its own because SQLite moves the
 * write-ahead log into the database every thousand pages or so, which may take long on a busy disk.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openMetricsDatabase } from './open-metrics.ts'
import type { RetentionOptions } from './retention.ts'
import type { MetricsRow } from './row.ts'
import { createMetricsWriter } from './writer.ts'

/** What the thread is started with. */
export interface WriterData extends Omit<RetentionOptions, 'log'> {
  readonly path: string
}

/** Rows to commit. Null: there will be no more, and the thread ends. */
export type ToWriter = readonly MetricsRow[] | null

/** `written`: the oldest rows that were sent are committed or lost. `error`: a line for the log. */
export type FromWriter =
  | { readonly kind: 'written' }
  | { readonly kind: 'error'; readonly details: object; readonly message: string }

const { path, ...kept } = workerData as WriterData
const database = openMetricsDatabase(path)
const send = (message: FromWriter): void => parentPort?.postMessage(message)
const log: RetentionOptions['log'] = {
  error: (details, message) => send({ kind: 'error', details: plain(details), message }),
}
const writer = createMetricsWriter(database, { ...kept, log })

parentPort?.on('message', (rows: ToWriter) => {
  if (rows !== null) {
    writer.write(rows)
    send({ kind: 'written' })
    return
  }
  writer.close()
  database.close()
  parentPort?.close()
})

/** Copies errors into plain objects: an error that is posted to another thread loses its code. */
function plain(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) =>
      value instanceof Error ? [key, { ...value, message: value.message, stack: value.stack }] : [key, value],
    ),
  )
}
