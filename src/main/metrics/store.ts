import { Worker } from 'node:worker_threads'
import type { Catalog } from '../catalog/open.ts'
import type { QueryMetrics } from './query-metrics.ts'
import type { RetentionOptions } from './retention.ts'
import { fromRow, type MetricsRow, rowSize, toRow } from './row.ts'
import { prepareFind } from './table.ts'
import type { FromWriter, ToWriter, WriterData } from './writer-thread.ts'

export interface MetricsStore {
  /**
   * The metrics are found from now on. Resolves once they are committed, a little later, with all others of that time.
   * Never rejects: metrics that cannot be written are lost with a line in the log.
   */
  record(metrics: QueryMetrics): Promise<void>
  /** Whether so much waits to be committed that whoever records should wait, too. */
  readonly isBehind: boolean
  /** Throws SQLite's error when the database cannot be read. */
  find(queryId: string): QueryMetrics | null
  /** Commits what is waiting and stops the background work; the database stays open. */
  close(): Promise<void>
}

/** Milliseconds in which metrics are gathered for one transaction: it costs as much as five rows. */
const GATHER_MS = 25

/** Characters that may wait: some 5000 queries, seconds of a disk that others keep busy. */
const MOST_CHARACTERS = 16 << 20

/** After so many milliseconds the thread is started for what is to be deleted: a service that starts has other work. */
const START_MS = 2000

/** MiB that the thread's new objects may fill before they are collected: rows are garbage as soon as they are written. */
const YOUNG_MEGABYTES = 4

const WRITER = new URL('./writer-thread.ts', import.meta.url)

/** Rows of one transaction. */
interface Batch {
  readonly rows: readonly MetricsRow[]
  done(): void
}

/** Metrics are written by a thread of their own, and read here. Tests of faults give an entry of their own. */
export function createMetricsStore(
  catalog: Catalog,
  options: RetentionOptions,
  entry = WRITER,
): MetricsStore {
  const { log, ...kept } = options
  const findCommitted = prepareFind(catalog)
  /** What is not committed yet. */
  const pending = new Map<string, MetricsRow>()
  let characters = 0
  /** What is gathered, until it is sent. */
  let rows: MetricsRow[] = []
  let gathered = Promise.withResolvers<void>()
  const sent: Batch[] = []
  let thread: Worker | null = null
  let timer = setTimeout(start, START_MS).unref()

  function start(): Worker {
    const data: WriterData = { path: catalog.name, ...kept }
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

  /** The oldest batch is committed, or lost. */
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
    sent.push({ rows, done: gathered.resolve })
    rows = []
    gathered = Promise.withResolvers()
  }

  return {
    record(metrics) {
      const row = toRow(metrics)
      pending.set(row.query_id, row)
      characters += rowSize(row)
      if (rows.push(row) === 1) {
        clearTimeout(timer)
        timer = setTimeout(send, GATHER_MS)
      }
      return gathered.promise
    },
    get isBehind() {
      return characters > MOST_CHARACTERS
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
