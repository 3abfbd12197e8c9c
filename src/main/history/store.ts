import type { SqliteDatabase } from '../sqlite/open-database.ts'
import { createThread } from '../threads/thread.ts'
import { type CrawlerRun, prepareRunList, toRunRow } from './crawler-runs.ts'
import { createMetricsList, type MetricsList } from './list.ts'
import type { QueryMetrics } from './query-metrics.ts'
import type { RetentionOptions } from './retention.ts'
import { fromRow, type MetricsRow, rowSize, toRow } from './row.ts'
import { prepareFind } from './table.ts'
import type { RowsWriter, WriterData, WriterLine } from './writer-thread.ts'

/** The metrics of finished queries, and the runs of crawlers. */
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
  /**
   * Stores a run of a crawler, in place of what was stored of it before. One that cannot be written is lost, with a line in the log. Resolves
   * when it is committed or lost.
   */
  recordRun(run: CrawlerRun): Promise<void>
  /** The last runs of a crawler, or of all crawlers, those that began last first. Throws SQLite's error when the database cannot be read. */
  listRuns(crawler: string | null): readonly CrawlerRun[]
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
  /** Runs of crawlers that are not committed yet, as they were recorded last, by their ids. */
  const pendingRuns = new Map<string, CrawlerRun>()
  const listCommittedRuns = prepareRunList(database)
  /** Settles when all runs so far are committed or lost. */
  let lastRun: Promise<void> = Promise.resolve()
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
    recordRun(run) {
      pendingRuns.set(run.id, run)
      const written = thread
        .call('writeRun', toRunRow(run))
        .catch((err) => log.error({ err, crawler: run.crawler }, 'a run of a crawler could not be written'))
        .finally(() => {
          if (pendingRuns.get(run.id) === run) pendingRuns.delete(run.id)
        })
      lastRun = Promise.all([lastRun, written]).then(() => undefined)
      return written
    },
    listRuns(crawler) {
      const committed = listCommittedRuns(crawler).map((run) => pendingRuns.get(run.id) ?? run)
      const ids = new Set(committed.map(({ id }) => id))
      const others = [...pendingRuns.values()].filter(
        (run) => !ids.has(run.id) && (crawler === null || run.crawler === crawler),
      )
      return [...others.reverse(), ...committed]
    },
    async close() {
      await Promise.all([send(), lastRun])
      await thread.stop()
    },
  }
}
