import type { SqlPrepareTask, SqlRowsAnswer } from '../../plan/task/task.ts'
import type { Field } from '../../plan/types/schema.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { Duck } from '../../wasm/duckdb/instance.ts'
import type { LogicalType } from '../../wasm/duckdb/logical-type.ts'
import { askAnnex } from '../state/ask-annex.ts'
import type { ChunkOwner, ChunkStore } from '../state/chunk-store.ts'
import { createObjectLog, type ObjectLog } from '../state/object-log.ts'
import type { TaskContext } from '../state/task-context.ts'
import { cancelCheck } from '../store/cancel.ts'
import type { Chunks } from '../store/chunks.ts'
import { createStopwatch, type Stopwatch, sumMetrics } from '../store/stopwatch.ts'
import type { Bound } from './binding/bind-statement.ts'
import type { PlannedScan, Scanning } from './binding/scan-functions.ts'
import type { SourceFunction } from './binding/source-functions.ts'
import type { KnownFunctions } from './called-functions.ts'
import type { Cursor } from './cursor.ts'
import { columnsToFill } from './feed/asked-columns.ts'
import type { AssistanceChannel } from './feed/assistance.ts'
import type { Feed, FeedOptions, PausingFeed } from './feed/feed.ts'
import { joinedFeeds } from './feed/joined-feeds.ts'
import { createValuesFeed } from './feed/values-feed.ts'

/** A statement that is open in DuckDB: from the task that prepares it until its last row is answered, or until it fails. */
export interface Statement extends Scanning {
  readonly connection: number
  /** Whether DuckDB measures it. */
  readonly isProfiled: boolean
  /** Null: it has not been bound yet. */
  binding: Bound | null
  /** Null: it does not run yet. */
  cursor: Cursor | null
  /** Null: no other worker decodes units for it. */
  assistance: AssistanceChannel | null
  /** The feeds that DuckDB reads from. */
  readonly feeds: Set<Feed>
  /** The feed that the next part of the statement goes on with. Null: there is no next part. */
  paused: PausingFeed | null
  /** Whether decoded columns and chunks may be kept for other queries. */
  caching: boolean
  checkCancelled: () => void
  /** That of the task under way. While a scan reads it is the scan's. */
  stopwatch: Stopwatch
  /** Those of the scans that have read during the task under way, by their numbers. */
  readonly scanStopwatches: Map<number, Stopwatch>
  chunks: Chunks
  /** The objects that it has read and no answer has named yet. */
  readonly objects: ObjectLog
}

export interface StatementOptions {
  readonly duck: Duck
  /** The functions that a statement may call and DuckDB does not have. */
  readonly functions: readonly SourceFunction[]
  /** Those that DuckDB has. */
  readonly duckFunctions: KnownFunctions
  /** The worker's core. */
  core(): Core
  readonly chunks: ChunkStore
  inputType(field: Field): LogicalType
  openFeed(options: FeedOptions): PausingFeed
}

/** A statement that is about to be bound. */
export function createStatement(
  connection: number,
  task: SqlPrepareTask,
  options: StatementOptions,
  isProfiled = false,
): Statement {
  const { duck, core, inputType } = options
  const statement: Statement = {
    connection,
    isProfiled,
    sql: task.sql,
    functions: options.functions,
    duckFunctions: options.duckFunctions,
    sources: task.sources,
    definitions: task.definitions,
    absent: task.absent,
    unmade: new Map(),
    fresh: 0,
    bound: [],
    naming: null,
    missing: new Map(),
    values: task.values,
    missingValues: new Map(),
    scans: [],
    failure: null,
    binding: null,
    cursor: null,
    assistance: null,
    paused: null,
    feeds: new Set(),
    caching: true,
    checkCancelled: cancelCheck(task.cancel),
    stopwatch: createStopwatch(),
    scanStopwatches: new Map(),
    chunks: chunksOf({ ...task, caching: false }, options.chunks, () => statement),
    objects: createObjectLog(),
    openValues(values, columns) {
      const feed = createValuesFeed(duck, core(), values, columns, inputType)
      statement.feeds.add(feed)
      return {
        next: feed.next,
        end() {
          if (statement.feeds.delete(feed)) feed.end()
        },
      }
    },
    openFeed: (scan, planned, columns) => openFeed(statement, scan, planned, columns, options),
  }
  return statement
}

/** The context of a statement, which outlives its tasks: the stopwatch and the cancel check are those of the task under way. */
export function contextOf(statement: Statement, core: () => Core): TaskContext {
  return {
    get core() {
      return core()
    },
    get stopwatch() {
      return statement.stopwatch
    },
    get chunks() {
      return statement.chunks
    },
    get objects() {
      return statement.objects
    },
    undoFilter: (filtered) => askAnnex(filtered, () => statement.checkCancelled()),
    checkCancelled: () => statement.checkCancelled(),
  }
}

/** The decoded chunks that a statement reads, counted in the metrics of the task under way. */
export function chunksOf(owner: ChunkOwner, chunks: ChunkStore, statement: () => Statement): Chunks {
  return chunks.of(owner, { count: (what, by) => statement().stopwatch.count(what, by) })
}

/** Reads for a scan, whose own stopwatch measures that. */
function duringScan<T>(statement: Statement, scan: number, read: () => T): T {
  const { stopwatch, scanStopwatches } = statement
  const ofScan = scanStopwatches.get(scan) ?? createStopwatch()
  scanStopwatches.set(scan, ofScan)
  statement.stopwatch = ofScan
  try {
    return read()
  } finally {
    statement.stopwatch = stopwatch
  }
}

/** The answer with what its scans have measured. */
export function withScans(answer: SqlRowsAnswer, { scanStopwatches }: Statement): SqlRowsAnswer {
  if (scanStopwatches.size === 0) return answer
  const scans = Array.from(scanStopwatches, ([scan, stopwatch]) => ({ scan, metrics: stopwatch.metrics() }))
  const metrics = sumMetrics([answer.metrics, ...scans.map((each) => each.metrics)])
  return { ...answer, metrics, scans }
}

/** Opens the feed of a scan, or goes on with the one that has paused. */
function openFeed(
  statement: Statement,
  scan: number,
  { open, index }: PlannedScan,
  columns: readonly (number | null)[],
  options: StatementOptions,
): Feed {
  if (open.values !== undefined)
    return joinedFeeds(open.values, (part) => statement.openValues(part, columns))
  const { assistance, paused, binding, caching } = statement
  const asked = columnsToFill(options.duck, open, columns)
  const feed =
    paused ??
    options.openFeed({
      duck: options.duck,
      scan,
      open,
      assistance,
      columns: asked.columns,
      measured: (read) => duringScan(statement, scan, read),
      context: contextOf(statement, options.core),
      caching,
      mayPause: binding?.explanation.isRowWise === true,
      // A source without a request is one of a statement that the service has written. Its filter is applied in the scan alone.
      isFilteredAgain: statement.sources[index]?.request !== null,
    })
  statement.paused = null
  statement.feeds.add(feed)
  let isOurs = true
  return {
    next(chunk) {
      const rows = feed.next(chunk)
      asked.fillOthers(chunk, rows)
      if (feed.isPaused) {
        isOurs = false
        statement.paused = feed
      }
      return rows
    },
    end() {
      // A paused feed stays open for the next part of the statement.
      if (!isOurs) return
      statement.feeds.delete(feed)
      feed.end()
    },
  }
}
