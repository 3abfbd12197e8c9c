import { Worker } from 'node:worker_threads'
import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { createMetricsList, type MetricsList } from './list.ts'
import type { QueryMetrics } from './query-metrics.ts'
import type { RetentionOptions } from './retention.ts'
import { fromRow, type MetricsRow, rowSize, toRow } from './row.ts'
import { prepareFind } from './table.ts'
import type { FromWriter, ToWriter, WriterData } from './writer-thread.ts'

/** The metrics of finished queries. */
export interface MetricsStore extends MetricsList {
  /**
   * Stores metrics, which `find` gives from now on. Resolves once they are committed, together with others of about the same
   * time. Never rejects: metrics that cannot be written are lost, with a line in the log.
   */
  record(metrics: QueryMetrics): Promise<void>
  /** Whether so many metrics are uncommitted that the caller should wait for `record`. */
  readonly isBehind: boolean
  /** The metrics of a query. Null: there are none. Throws SQLite's error when the database cannot be read. */
  find(queryId: string): QueryMetrics | null
  /** Commits what is uncommitted and stops the writer thread. The database stays open. */
  close(): Promise<void>
}

/** Milliseconds in which metrics are collected for one transaction. A transaction costs as much as five rows. */
const COLLECT_MS = 25

/** The most characters of uncommitted rows: some 5000 queries, or seconds of writing to a busy disk. */
const MAX_CHARACTERS = 16 << 20

/** When the thread is started if there are no metrics, to delete old ones. Milliseconds; a starting service has other work. */
const START_MS = 2000

/** MiB of the thread's young generation. It is small because rows are garbage as soon as they are written. */
const YOUNG_MEGABYTES = 4

const WRITER = new URL('./writer-thread.ts', import.meta.url)

/** Rows of one transaction. */
interface Batch {
  readonly rows: readonly MetricsRow[]
  done(): void
}

/** Metrics are written by a separate thread and read in this one. `entry` is the thread's module, which tests replace. */
export function createMetricsStore(
  database: SqliteDatabase,
  options: RetentionOptions,
  entry = WRITER,
): MetricsStore {
  const { log, ...kept } = options
  const findCommitted = prepareFind(database)
  /** Uncommitted rows. */
  const pending = new Map<string, MetricsRow>()
  let characters = 0
  /** Those of them that are not sent to the thread yet. */
  let rows: MetricsRow[] = []
  let collected = Promise.withResolvers<void>()
  const sent: Batch[] = []
  let thread: Worker | null = null
  let timer = setTimeout(start, START_MS).unref()

  function start(): Worker {
    const data: WriterData = { path: database.name, ...kept }
    const started = new Worker(entry, {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    })
    started.on('message', (message: FromWriter) => {
      if (message.kind === 'error') log.error(message.details, message.message)
      else settle()
    })
    started.on('error', (error) => log.error({ err: error }, 'the thread that writes query metrics died'))
    started.once('exit', () => {
      if (thread === started) thread = null
      const lost = sent.reduce((sum, batch) => sum + batch.rows.length, 0)
      if (lost > 0) log.error({ lost }, 'query metrics could not be written')
      while (sent.length > 0) settle()
    })
    thread = started
    return started
  }

  /** Drops the oldest batch, which is committed or lost. */
  function settle(): void {
    const batch = sent.shift()
    for (const row of batch?.rows ?? []) {
      pending.delete(row.query_id)
      characters -= rowSize(row)
    }
    batch?.done()
  }

  function send(): void {
    clearTimeout(timer)
    if (rows.length === 0) return
    const message: ToWriter = rows
    const writer = thread ?? start()
    writer.postMessage(message)
    sent.push({ rows, done: collected.resolve })
    rows = []
    collected = Promise.withResolvers()
  }

  return {
    ...createMetricsList(database, pending),
    record(metrics) {
      const row = toRow(metrics)
      pending.set(row.query_id, row)
      characters += rowSize(row)
      if (rows.push(row) === 1) {
        clearTimeout(timer)
        timer = setTimeout(send, COLLECT_MS)
      }
      return collected.promise
    },
    get isBehind() {
      return characters > MAX_CHARACTERS
    },
    find(queryId) {
      const row = pending.get(queryId) ?? findCommitted(queryId)
      return row === null ? null : fromRow(row)
    },
    async close() {
      send()
      const writer = thread
      if (writer === null) return
      const { promise, resolve } = Promise.withResolvers<void>()
      writer.once('exit', () => resolve())
      const last: ToWriter = null
      writer.postMessage(last)
      await promise
    },
  }
}
