import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { Product } from '../../plan/product.ts'
import type {
  SqlAnswer,
  SqlOpenTask,
  SqlPrepareTask,
  SqlPullTask,
  SqlRowsAnswer,
} from '../../plan/task/task.ts'
import type { Field } from '../../plan/types/schema.ts'
import type { Core } from '../../wasm/core/core.ts'
import { lock, openDatabase, run } from '../../wasm/duckdb/database.ts'
import { type Duck, instantiateDuck } from '../../wasm/duckdb/instance.ts'
import type { LogicalType } from '../../wasm/duckdb/logical-type.ts'
import { replaceUnknownTables } from '../../wasm/duckdb/replacement-scan.ts'
import { selfTest } from '../../wasm/duckdb/self-test.ts'
import type { ChunkOwner, ChunkStore } from '../state/chunk-store.ts'
import { createObjectLog, type ObjectLog } from '../state/object-log.ts'
import type { TaskContext } from '../state/task-context.ts'
import { cancelCheck } from '../store/cancel.ts'
import type { Chunks } from '../store/chunks.ts'
import { createStopwatch, type Stopwatch } from '../store/stopwatch.ts'
import { type Bound, bindStatement } from './binding/bind-statement.ts'
import { createExplanations } from './binding/explanations.ts'
import { callableFunctions, inconstantFunctions } from './binding/function-names.ts'
import { createMark } from './binding/marked-columns.ts'
import {
  registerScans,
  type Scanning,
  scanNames,
  shownNames,
  TABLE_FUNCTION,
} from './binding/scan-functions.ts'
import { readFunctions, valuesFunctions } from './binding/source-functions.ts'
import { registerValues } from './binding/values-functions.ts'
import { type Cursor, openCursor } from './cursor.ts'
import { type AssistanceLine, openAssistance } from './feed/assistance.ts'
import type { Feed } from './feed/chunk-feed.ts'
import type { FeedOptions, PausingFeed } from './feed/feed.ts'
import { createValuesFeed } from './feed/values-feed.ts'
import { asTooLarge } from './too-large.ts'

/** DuckDB in one worker, and the statements that are open in it, by key. */
export interface Engine {
  /** Scalar functions and macros by name, lower case. */
  readonly functions: readonly string[]
  prepare(task: SqlPrepareTask): SqlAnswer
  open(task: SqlOpenTask): SqlRowsAnswer
  pull(task: SqlPullTask): SqlRowsAnswer
  close(key: string): void
  /** Bytes of DuckDB's memory, which never shrinks. */
  memoryBytes(): number
  /** Whether DuckDB has failed in a way after which nothing in it can be relied on: then every statement is gone. */
  isDead(): boolean
}

export interface EngineOptions {
  /** Bytes that statements may use together. */
  readonly memoryBytes: number
  /** Whose files statements may read. */
  readonly formats: Formats
  readonly product: Product
  /** The worker's core. */
  core(): Core
  readonly chunks: ChunkStore
  inputType(field: Field): LogicalType
  openFeed(options: FeedOptions): PausingFeed
}

/** Statements that can be open at once; main opens fewer, and what it has closed may still be on its way. */
const CONNECTIONS = 40

/** What DuckDB's memory may hold besides what it counts as used by statements. Bytes. */
const UNCOUNTED_BYTES = 256 << 20

interface Statement extends Scanning {
  readonly connection: number
  /** Null: not prepared. */
  binding: Bound | null
  cursor: Cursor | null
  assistance: AssistanceLine | null
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

/** Boots DuckDB; about a second. Throws `internal` when it does not pass its test. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { memoryBytes } = options
  const duck = await instantiateDuck({ maximumBytes: memoryBytes + UNCOUNTED_BYTES })
  const database = openDatabase(duck, { memoryBytes, connections: CONNECTIONS + 2 })
  selfTest(database)
  const [explaining = 0, marking = 0, ...connections] = database.connections
  const mark = createMark()
  run(duck, explaining, "SET SESSION explain_output = 'all'")
  let present: Statement | null = null
  const presentStatement = (): Statement => {
    if (present === null) throw new ServiceError('internal', 'DuckDB asks for rows of no statement')
    return present
  }
  const [connection = 0] = connections
  const { formats, inputType } = options
  const reading = readFunctions(formats)
  registerScans(duck, { connection, marking, mark }, reading, formats, presentStatement, inputType)
  replaceUnknownTables(database, TABLE_FUNCTION.macro)
  const making = valuesFunctions(formats)
  registerValues(duck, connection, making, presentStatement, inputType)
  createVersionFunction(duck, connection, options.product)
  const calls = { scanNames: scanNames(reading), valuesNames: shownNames(making) }
  const functions = callableFunctions(duck, connection)
  const explanations = createExplanations(inconstantFunctions(duck, connection))
  lock(database)

  const statements = new Map<string, Statement>()
  const free = [...connections]
  let isDead = false

  const end = (key: string, statement: Statement): void => {
    if (isDead) return
    try {
      statement.cursor?.end()
      statement.paused?.end()
      statement.binding?.prepared.end()
      statement.assistance?.end()
      // What table functions were given is freed when the connection's next statement begins.
      run(duck, statement.connection, 'SELECT 1')
      statements.delete(key)
      free.push(statement.connection)
    } catch {
      // DuckDB has no memory left for as little as this, or is broken.
      die()
    }
  }
  const die = (): void => {
    isDead = true
    for (const { feeds, assistance } of statements.values()) {
      for (const feed of feeds) attempt(() => feed.end())
      assistance?.end()
    }
    statements.clear()
  }
  /** Does something with a statement, which ends if it fails; and DuckDB with it, if the failure is of no known kind. */
  const during = <T>(key: string, statement: Statement, work: () => T): T => {
    present = statement
    statement.failure = null
    statement.stopwatch = createStopwatch()
    try {
      return work()
    } catch (error) {
      if (isServiceError(error) && error.code !== 'internal') end(key, statement)
      else die()
      throw asTooLarge(error)
    } finally {
      present = null
    }
  }
  const known = (key: string): Statement => {
    const statement = statements.get(key)
    if (statement !== undefined) return statement
    throw lostStatement()
  }
  const contextOf = (statement: Statement): TaskContext => ({
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
  })
  const chunksOf = (owner: ChunkOwner, statement: () => Statement): Chunks =>
    options.chunks.of(owner, { count: (what, by) => statement().stopwatch.count(what, by) })
  const create = (connection: number, task: SqlPrepareTask): Statement => {
    const statement: Statement = {
      connection,
      functions: [...reading, ...making],
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
      chunks: chunksOf({ ...task, caching: false }, () => statement),
      objects: createObjectLog(),
      openValues(values, columns) {
        const feed = createValuesFeed(duck, options.core(), values, columns, inputType)
        statement.feeds.add(feed)
        return {
          next: feed.next,
          end() {
            if (statement.feeds.delete(feed)) feed.end()
          },
        }
      },
      openFeed(scan, { open, index }, columns) {
        const context = contextOf(statement)
        const { assistance, paused, binding } = statement
        const mayPause = binding?.explanation.isRowWise === true
        const feed =
          paused ??
          options.openFeed({
            duck,
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
  const next = (key: string, statement: Statement, answerBytes: number): SqlRowsAnswer => {
    if (statement.cursor === null)
      throw new ServiceError('internal', 'a statement is pulled that was not opened')
    const answer = statement.cursor.next(contextOf(statement), answerBytes)
    if (answer.isDone) end(key, statement)
    return answer
  }

  return {
    functions,
    prepare(task) {
      const open = statements.get(task.key)
      if (open !== undefined) end(task.key, open)
      const connection = free.pop()
      if (connection === undefined)
        throw new ServiceError('overloaded', 'Too many statements are open; try again.')
      const statement = create(connection, task)
      statements.set(task.key, statement)
      return during(task.key, statement, () => {
        statement.checkCancelled()
        const bound = bindStatement(
          { duck, connection, explaining, marking, mark, explanations, ...calls },
          task.sql,
          statement,
        )
        if ('kind' in bound) {
          end(task.key, statement)
          return bound
        }
        statement.binding = bound
        return bound.answer
      })
    },
    open(task) {
      const statement = known(task.key)
      const { binding, connection } = statement
      return during(task.key, statement, () => {
        if (binding === null || statement.cursor !== null)
          throw new ServiceError('internal', 'a statement is opened twice, or before it is prepared')
        statement.checkCancelled = cancelCheck(task.cancel)
        const { prepared, answer, explanation } = binding
        statement.scans = task.scans.map((open, number) => ({
          index: answer.scans[number]?.source ?? -1,
          open,
        }))
        statement.assistance = task.assistance && openAssistance(task.assistance)
        const { encoding, caching } = task
        statement.caching = caching
        statement.chunks = chunksOf(task, () => statement)
        statement.cursor = openCursor({
          duck,
          connection,
          prepared,
          schema: answer.output,
          encoding,
          scanning: statement,
          explanation,
          isPaused: () => statement.paused !== null,
        })
        return next(task.key, statement, task.answerBytes)
      })
    },
    pull({ key, answerBytes }) {
      const statement = known(key)
      return during(key, statement, () => next(key, statement, answerBytes))
    },
    close(key) {
      const statement = statements.get(key)
      if (statement !== undefined) during(key, statement, () => end(key, statement))
    },
    memoryBytes: () => duck.memory.memory.buffer.byteLength,
    isDead: () => isDead,
  }
}

/** `service_version()`, of a service that is called so. */
function createVersionFunction(duck: Duck, connection: number, { name, version }: Product): void {
  run(duck, connection, `CREATE MACRO "${name}_version"() AS '${version.replaceAll("'", "''")}'`)
}

/** Of an instance that has failed nothing more can be asked. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {}
}

/** Of a statement that is not there: DuckDB has died under another one, or the worker is a new one. */
export function lostStatement(): ServiceError {
  return new ServiceError('statement_lost', 'The worker that ran the statement has lost it; ask again.')
}
