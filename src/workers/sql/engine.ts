import { isServiceError, ServiceError } from '../../plan/errors.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { Product } from '../../plan/product.ts'
import { unpackScan } from '../../plan/statement/packed-scan.ts'
import { statementLost } from '../../plan/statement/statement-lost.ts'
import type {
  FunctionSignature,
  SqlAnswer,
  SqlOpenTask,
  SqlPrepareTask,
  SqlPullTask,
  SqlRowsAnswer,
} from '../../plan/task/task.ts'
import { addZonedNanoseconds } from '../../wasm/duckdb/casts/time-casts.ts'
import { lock, openDatabase, run } from '../../wasm/duckdb/database.ts'
import { replaceUnknownTables } from '../../wasm/duckdb/functions/replacement-scan.ts'
import { type Duck, instantiateDuck } from '../../wasm/duckdb/instance.ts'
import { profileStatements } from '../../wasm/duckdb/profile.ts'
import { selfTest } from '../../wasm/duckdb/self-test.ts'
import { cancelCheck } from '../store/cancel.ts'
import { createStopwatch } from '../store/stopwatch.ts'
import { bindStatement } from './binding/bind-statement.ts'
import { createExplanations } from './binding/explanations.ts'
import { functionSignatures, listFunctions } from './binding/function-names.ts'
import { NAMED_TABLE, registerGridCalls } from './binding/grid-calls.ts'
import { createMark } from './binding/marked-columns.ts'
import { createNamedViews } from './binding/named-views.ts'
import { registerScans, scanNames, shownNames, TABLE_FUNCTION } from './binding/scan-functions.ts'
import { readFunctions, valuesFunctions } from './binding/source-functions.ts'
import { createSystemViews, SYSTEM_VIEWS_TASK } from './binding/system-views.ts'
import { registerValues } from './binding/values-functions.ts'
import { attachCatalog } from './catalog-database.ts'
import { openCursor } from './cursor.ts'
import { openAssistance } from './feed/assistance.ts'
import { addFunctions } from './functions/add-functions.ts'
import { createNamedTypes } from './functions/named-types.ts'
import {
  chunksOf,
  contextOf,
  createStatement,
  type Statement,
  type StatementOptions,
  withScans,
} from './open-statement.ts'
import { asTooLarge } from './too-large.ts'

/** DuckDB in one thread, and the statements that are open in it, each with the key of its tasks. */
export interface Engine {
  /** The names of the scalar functions and macros that a query may call, in lower case. */
  readonly functions: readonly string[]
  /** The functions that a statement may call, aggregates included, with their parameters. It takes some 0.1 s to list them. */
  signatures(): readonly FunctionSignature[]
  /** DuckDB's compiled module. */
  readonly module: WebAssembly.Module
  prepare(task: SqlPrepareTask): SqlAnswer
  open(task: SqlOpenTask): SqlRowsAnswer
  pull(task: SqlPullTask): SqlRowsAnswer
  close(key: string): void
  /** The number of statements that are open. */
  readonly statements: number
  /** The size of DuckDB's memory in bytes. It never shrinks. */
  memoryBytes(): number
  /** Whether DuckDB has failed in such a way that it cannot be used any more. All of its statements are lost then. */
  isDead(): boolean
}

export interface EngineOptions extends Omit<StatementOptions, 'duck' | 'functions' | 'duckFunctions'> {
  /** DuckDB's module, if it has been compiled before. */
  readonly module: WebAssembly.Module | null
  /** The most memory of all statements together, in bytes. */
  readonly memoryBytes: number
  /** The formats whose files statements may read. */
  readonly formats: Formats
  readonly product: Product
  /** Whether statements may call functions that DuckDB does not have itself. False where it is measured what they cost. */
  readonly addsFunctions: boolean
}

/**
 * The most statements that can be open at once. Main opens fewer, but it may open one before a message that closes another
 * has arrived.
 */
const CONNECTIONS = 40

/**
 * The statements beside these that DuckDB can measure at once, as EXPLAIN ANALYZE asks for. Connections that measure are set apart, because
 * settings cannot be changed any more when statements run.
 */
const PROFILED_STATEMENTS = 4

/** The memory that DuckDB may use beyond what it counts for statements, in bytes. */
const UNCOUNTED_BYTES = 256 << 20

/** Boots DuckDB, which takes 0.9 s, and 0.6 s with a compiled module. Throws `internal` if it does not pass its self-test. */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { memoryBytes } = options
  const { duck, module } = await instantiateDuck({
    maximumBytes: memoryBytes + UNCOUNTED_BYTES,
    module: options.module,
  })
  const database = openDatabase(duck, { memoryBytes, connections: CONNECTIONS + PROFILED_STATEMENTS + 3 })
  selfTest(database)
  addZonedNanoseconds(database)
  const [explaining = 0, marking = 0, naming = 0, ...others] = database.connections
  const profiling = others.splice(0, PROFILED_STATEMENTS)
  const connections = others
  for (const connection of profiling) profileStatements(duck, connection)
  const mark = createMark()
  run(duck, explaining, "SET SESSION explain_output = 'all'")
  // Of this connection alone, other than the setting `disabled_optimizers`.
  run(duck, naming, 'PRAGMA disable_optimizer')
  /** The statement for which DuckDB is being called. */
  let present: Statement | null = null
  const presentStatement = (): Statement => {
    if (present === null) throw new ServiceError('internal', 'DuckDB asks for rows of no statement')
    return present
  }
  const [connection = 0] = connections
  const { formats, inputType } = options
  const ofFiles = readFunctions(formats)
  registerScans(duck, { connection, marking, mark }, ofFiles, formats, presentStatement, inputType)
  registerGridCalls(duck, connection, ofFiles, formats, presentStatement, inputType)
  replaceUnknownTables(database, () => (present?.naming ? NAMED_TABLE : TABLE_FUNCTION.macro))
  const ofValues = valuesFunctions(formats)
  registerValues(duck, connection, ofValues, presentStatement, inputType)
  const macros = options.addsFunctions ? addFunctions(database, options.core) : null
  createVersionFunctions(duck, connection, options.product)
  const shown = { scanNames: scanNames(ofFiles), valuesNames: shownNames(ofValues) }
  const listed = listFunctions(duck, connection)
  const statementOptions = { ...options, duck, functions: [...ofFiles, ...ofValues], duckFunctions: listed }
  const explanations = createExplanations(listed.inconstant)
  attachCatalog(database, options.product.name, naming)
  present = createStatement(connection, SYSTEM_VIEWS_TASK, statementOptions)
  createSystemViews(duck, connection, options.product.name)
  present = null
  const views = createNamedViews(duck, options.product.name, explanations)
  const types = createNamedTypes(duck)
  lock(database)

  const statements = new Map<string, Statement>()
  const free = [...connections]
  const freeProfiling = [...profiling]
  let isDead = false

  const end = (key: string, statement: Statement): void => {
    if (isDead) return
    try {
      statement.cursor?.end()
      statement.paused?.end()
      statement.binding?.prepared.end()
      statement.assistance?.end()
      // DuckDB frees what table functions hold of a statement only when the next one begins on its connection.
      run(duck, statement.connection, 'SELECT 1')
      statements.delete(key)
      const those = statement.isProfiled ? freeProfiling : free
      those.push(statement.connection)
    } catch {
      // DuckDB has too little memory left even for this, or is in an invalid state.
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
  /** Runs `work` for a statement. An error ends the statement; one that is unknown or `internal` ends DuckDB as well. */
  const during = <T>(key: string, statement: Statement, work: () => T): T => {
    present = statement
    statement.failure = null
    statement.stopwatch = createStopwatch()
    statement.scanStopwatches.clear()
    try {
      return work()
    } catch (error) {
      if (isServiceError(error) && error.code !== 'internal') end(key, statement)
      else die()
      throw asTooLarge(error, statement)
    } finally {
      present = null
    }
  }
  const statementOf = (key: string): Statement => {
    const statement = statements.get(key)
    if (statement !== undefined) return statement
    throw statementLost()
  }
  const next = (key: string, statement: Statement, answerBytes: number): SqlRowsAnswer => {
    if (statement.cursor === null)
      throw new ServiceError('internal', 'a statement is pulled that was not opened')
    const answer = withScans(
      statement.cursor.next(contextOf(statement, options.core), answerBytes),
      statement,
    )
    if (answer.isDone) end(key, statement)
    return answer
  }

  return {
    functions: listed.scalars,
    signatures: () => functionSignatures(duck, explaining),
    module,
    prepare(task) {
      const open = statements.get(task.key)
      if (open !== undefined) end(task.key, open)
      const profiled = task.isProfiled ? freeProfiling.pop() : undefined
      const connection = profiled ?? free.pop()
      if (connection === undefined)
        throw new ServiceError('overloaded', 'Too many statements are open; try again.')
      const statement = createStatement(connection, task, statementOptions, profiled !== undefined)
      statements.set(task.key, statement)
      return during(task.key, statement, () => {
        statement.checkCancelled()
        for (const text of [task.sql, ...task.definitions.map(({ query }) => query)]) macros?.make(text ?? '')
        const bound = bindStatement(
          {
            duck,
            connection,
            explaining,
            marking,
            naming: { duck, connection: naming, catalog: options.product.name },
            mark,
            explanations,
            views,
            types,
            ...shown,
          },
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
      const statement = statementOf(task.key)
      const { binding, connection } = statement
      return during(task.key, statement, () => {
        if (binding === null || statement.cursor !== null)
          throw new ServiceError('internal', 'a statement is opened twice, or before it is prepared')
        statement.checkCancelled = cancelCheck(task.cancel)
        // DuckDB binds a statement again when it begins if it calls a function of the time, and other statements may have replaced
        // its views. All of its parts run in one transaction, which goes on to see those that are there now.
        views.make(statement, connection)
        const { prepared, answer, explanation } = binding
        statement.scans = task.scans.map((packed, number) => ({
          index: answer.scans[number]?.source ?? -1,
          open: unpackScan(packed),
        }))
        statement.assistance = task.assistance && openAssistance(task.assistance)
        const { encoding, caching } = task
        statement.caching = caching
        statement.chunks = chunksOf(task, options.chunks, () => statement)
        statement.cursor = openCursor({
          duck,
          connection,
          prepared,
          schema: answer.output,
          encoding,
          scanning: statement,
          explanation,
          isProfiled: statement.isProfiled,
          isPaused: () => statement.paused !== null,
        })
        return next(task.key, statement, task.answerBytes)
      })
    },
    pull({ key, answerBytes }) {
      const statement = statementOf(key)
      return during(key, statement, () => next(key, statement, answerBytes))
    },
    close(key) {
      const statement = statements.get(key)
      if (statement !== undefined) during(key, statement, () => end(key, statement))
    },
    get statements() {
      return statements.size
    },
    memoryBytes: () => duck.memory.memory.buffer.byteLength,
    isDead: () => isDead,
  }
}

/** Creates the function that returns the version of the service: `service_version()`, and the same with the name of the product. */
function createVersionFunctions(duck: Duck, connection: number, { name, version }: Product): void {
  for (const each of new Set(['service', name]))
    run(duck, connection, `CREATE MACRO "${each}_version"() AS '${version.replaceAll("'", "''")}'`)
}

/** Ignores errors: after DuckDB has failed, every call of it may fail. */
function attempt(work: () => void): void {
  try {
    work()
  } catch {}
}
