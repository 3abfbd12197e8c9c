import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { createThread } from '../threads/thread.ts'
import { createMetricsList, type MetricsList } from './list.ts'
import type { QueryMetrics } from './query-metrics.ts'
import type { RetentionOptions } from './retention.ts'
import { fromRow, type MetricsRow, rowSize, toRow } from './row.ts'
import { prepareFind } from './table.ts'
import type { RowsWriter, WriterData, WriterLine } from './writer-thread.ts'

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

/** Metrics are written by a separate thread and read in this one. `entry` is the thread's module, which tests replace. */
export function createMetricsStore(
  database: SqliteDatabase,
  options: RetentionOptions,
  entry = WRITER,
): MetricsStore {
  const { log, ...writerOptions } = options
  const findCommitted = prepareFind(database)
  /** Uncommitted rows. */
  const pending = new Map<string, MetricsRow>()
  let characters = 0
  /** Those of them that are not sent to the thread yet. */
  let rows: MetricsRow[] = []
  let collected = Promise.withResolvers<void>()
  const thread = createThread<RowsWriter, WriterLine>({
    task: 'writes query metrics',
    entry,
    data: (): WriterData => ({ path: database.name, ...writerOptions }),
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    onEvent: ({ details, message }) => log.error(details, message),
    onDeath: (error) => log.error({ err: error }, 'the thread that writes query metrics died'),
  })
  // A thread that cannot open the database is logged.
  let timer = setTimeout(() => thread.open().catch(() => undefined), START_MS).unref()

  /** Sends the rows that are collected. Resolves when they are committed or lost. */
  async function send(): Promise<void> {
    clearTimeout(timer)
    if (rows.length === 0) return
    const [batch, { resolve }] = [rows, collected]
    rows = []
    collected = Promise.withResolvers()
    await thread.call('write', batch).catch(() => {
      log.error({ lost: batch.length }, 'query metrics could not be written')
    })
    for (const row of batch) {
      pending.delete(row.query_id)
      characters -= rowSize(row)
    }
    resolve()
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
      await send()
      await thread.stop()
    },
  }
}
