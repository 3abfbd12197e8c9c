/**
 * The thread that writes metrics, in the order in which they come. It is a thread of its own because SQLite moves the
 * write-ahead log into the database every thousand pages or so, which may take long on a busy disk.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { serve } from '../threads/serve.ts'
import { type CrawlerRunRow, prepareRunWrite } from './crawler-runs.ts'
import { openMetricsDatabase } from './open-metrics.ts'
import type { RetentionOptions } from './retention.ts'
import { createMetricsWriter, type MetricsWriter } from './writer.ts'

/** What the thread is started with. */
export interface WriterData extends Omit<RetentionOptions, 'log'> {
  readonly path: string
}

/** What the thread does when it is called. */
export interface RowsWriter extends Pick<MetricsWriter, 'write'> {
  /** Commits a run of a crawler. Throws SQLite's error. */
  writeRun(row: CrawlerRunRow): void
}

/** A line for the log. */
export interface WriterLine {
  readonly details: object
  readonly message: string
}

if (parentPort !== null)
  serve<RowsWriter, WriterLine>(parentPort, (emit) => {
    const { path, ...writerOptions } = workerData as WriterData
    const database = openMetricsDatabase(path)
    const log: RetentionOptions['log'] = {
      error: (details, message) => emit({ details: plain(details), message }),
    }
    const writer = createMetricsWriter(database, { ...writerOptions, log })
    return {
      write: writer.write,
      writeRun: prepareRunWrite(database),
      close() {
        writer.close()
        database.close()
      },
    }
  })

/** Copies errors into plain objects: an error that is posted to another thread loses its code. */
function plain(details: object): object {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) =>
      value instanceof Error ? [key, { ...value, message: value.message, stack: value.stack }] : [key, value],
    ),
  )
}
