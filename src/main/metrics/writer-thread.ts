/**
 * The thread that writes metrics, in the order in which they come. SQLite moves them from its log into the database every
 * thousand pages or so, which takes as long as the disk does.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { openCatalog } from '../catalog/open.ts'
import type { RetentionOptions } from './retention.ts'
import type { MetricsRow } from './row.ts'
import { createMetricsWriter } from './writer.ts'

/** What the thread is started with. */
export interface WriterData extends Omit<RetentionOptions, 'log'> {
  readonly path: string
}

/** Rows to commit; null: there will be no more. */
export type ToWriter = readonly MetricsRow[] | null

/** The oldest rows that were sent are committed or lost; or a line for the log. */
export type FromWriter =
  | { readonly kind: 'written' }
  | { readonly kind: 'error'; readonly details: object; readonly message: string }

const { path, ...kept } = workerData as WriterData
const catalog = openCatalog(path)
const answer = (message: FromWriter): void => parentPort?.postMessage(message)
const log: RetentionOptions['log'] = {
  error: (details, message) => answer({ kind: 'error', details: plain(details), message }),
}
const writer = createMetricsWriter(catalog, { ...kept, log })

parentPort?.on('message', (rows: ToWriter) => {
  if (rows !== null) {
    writer.write(rows)
    answer({ kind: 'written' })
    return
  }
  writer.close()
  catalog.close()
  parentPort?.close()
})

/** Errors lose their codes on their way to another thread. */
function plain(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) =>
      value instanceof Error ? [key, { ...value, message: value.message, stack: value.stack }] : [key, value],
    ),
  )
}
