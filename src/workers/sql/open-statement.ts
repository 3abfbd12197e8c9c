import type { SqlPrepareTask } from '../../plan/task/task.ts'
import type { Field } from '../../plan/types/schema.ts'
import type { Core } from '../../wasm/core/core.ts'
import type { Duck } from '../../wasm/duckdb/instance.ts'
import type { LogicalType } from '../../wasm/duckdb/logical-type.ts'
import type { ChunkOwner, ChunkStore } from '../state/chunk-store.ts'
import { createObjectLog, type ObjectLog } from '../state/object-log.ts'
import type { TaskContext } from '../state/task-context.ts'
import { cancelCheck } from '../store/cancel.ts'
import type { Chunks } from '../store/chunks.ts'
import { createStopwatch, type Stopwatch } from '../store/stopwatch.ts'
import type { Bound } from './binding/bind-statement.ts'
import type { Scanning } from './binding/scan-functions.ts'
import type { SourceFunction } from './binding/source-functions.ts'
import type { Cursor } from './cursor.ts'
import type { AssistanceChannel } from './feed/assistance.ts'
import type { Feed } from './feed/chunk-feed.ts'
import type { FeedOptions, PausingFeed } from './feed/feed.ts'
import { createValuesFeed } from './feed/values-feed.ts'

/** A statement that is open in an engine, from its preparation to its end. */
export interface Statement extends Scanning {
  readonly connection: number
  /** Null: not prepared. */
  binding: Bound | null
  cursor: Cursor | null
  assistance: AssistanceChannel | null
  readonly feeds: Set<Feed>
  /** What the next part of the statement reads on with. */
  paused: PausingFeed | null
  caching: boolean
  checkCancelled: () => void
  /** Of the present task. */
  stopwatch: Stopwatch
  chunks: Chunks
  /** What it has read that no answer has told of. */
  readonly objects: ObjectLog
}

export interface StatementOptions {
  readonly duck: Duck
  /** What statements may call that is not DuckDB's. */
  readonly functions: readonly SourceFunction[]
  /** The worker's core. */
  core(): Core
  readonly chunks: ChunkStore
  inputType(field: Field): LogicalType
  openFeed(options: FeedOptions): PausingFeed
}

/** A statement that is not bound yet, on a connection of its own. */
export function createStatement(
  connection: number,
  task: SqlPrepareTask,
  options: StatementOptions,
): Statement {
  const statement: Statement = {
    connection,
    functions: options.functions,
    sources: task.sources,
    bound: [],
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
    chunks: chunksOf({ ...task, caching: false }, () => statement, options),
    objects: createObjectLog(),
    openValues(values, columns) {
      const feed = createValuesFeed(options.duck, options.core(), values, columns, options.inputType)
      statement.feeds.add(feed)
      return {
        next: feed.next,
        end() {
          if (statement.feeds.delete(feed)) feed.end()
        },
      }
    },
    openFeed(scan, { open, index }, columns) {
      const context = contextOf(statement, options)
      const { assistance, paused, binding } = statement
      const mayPause = binding?.explanation.isRowWise === true
      const feed =
        paused ??
        options.openFeed({
          duck: options.duck,
          scan,
          open,
          assistance,
          columns,
          context,
          caching: statement.caching,
          mayPause,
          // Else the statement is the service's own, and leaves the filter to the scan.
          isFilteredAgain: statement.sources[index]?.request !== null,
        })
      statement.paused = null
      statement.feeds.add(feed)
      let isOurs = true
      return {
        next(chunk) {
          const rows = feed.next(chunk)
          if (feed.isPaused) {
            isOurs = false
            statement.paused = feed
          }
          return rows
        },
        end() {
          if (!isOurs) return
          statement.feeds.delete(feed)
          feed.end()
        },
      }
    },
  }
  return statement
}

/** The chunks that a statement reads, counted in its present task. */
export function chunksOf(
  owner: ChunkOwner,
  statement: () => Statement,
  { chunks }: Pick<StatementOptions, 'chunks'>,
): Chunks {
  return chunks.of(owner, { count: (what, by) => statement().stopwatch.count(what, by) })
}

/** What a statement decodes with, as its present task has it. */
export function contextOf(statement: Statement, options: Pick<StatementOptions, 'core'>): TaskContext {
  return {
    get core() {
      return options.core()
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
    checkCancelled: () => statement.checkCancelled(),
  }
}
