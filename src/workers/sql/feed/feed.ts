import { truthOf } from '../../../plan/condition/truth.ts'
import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { narrow } from '../../../plan/narrowed.ts'
import type { OpenScan } from '../../../plan/statement/statement.ts'
import { type DataType, type Field, isNested, typeName, valueType } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { childTypes } from '../../../wasm/core/layout.ts'
import { createChunkWriter } from '../../../wasm/duckdb/chunk-writer.ts'
import { duckForms, inputType } from '../../../wasm/duckdb/input-type.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import type { DecodedUnit } from '../../state/decoded-units.ts'
import type { TaskContext } from '../../state/task-context.ts'
import type { WorkerState } from '../../state/worker-state.ts'
import type { AssistanceChannel } from './assistance.ts'
import { createUnits } from './units.ts'

/**
 * A feed that can pause: it then returns 0 rows, as at its end, so that DuckDB returns the rows that it has so far. The next
 * call goes on.
 */
export interface PausingFeed extends Feed {
  readonly isPaused: boolean
}

/** The scan of a statement that a feed reads, and the vectors that it fills. */
export interface FeedOptions {
  readonly duck: Duck
  /** The number of the scan in its statement. */
  readonly scan: number
  readonly open: OpenScan
  /** Null: no other worker decodes units for it. */
  readonly assistance: AssistanceChannel | null
  /** For each vector, the index in the scan's projection of the column that it is for. Null: the vector is not used. */
  readonly columns: readonly (number | null)[]
  /** Reads a unit, the cost of which is the scan's. */
  measured<T>(read: () => T): T
  /** The context of the statement, which outlives the task that opens the feed. */
  readonly context: TaskContext
  /** Whether decoded columns may be kept for other queries, and those of others used. */
  readonly caching: boolean
  readonly mayPause: boolean
  /** Whether DuckDB applies the scan's filter again. */
  readonly isFilteredAgain: boolean
}

/** The rows of a unit that pass the filter. */
interface Rows {
  readonly count: number
  /** One column for each field. */
  readonly columns: readonly Column[]
}

/** How long DuckDB may hold back rows that it was given, while the feed looks for more. Milliseconds. */
const ROWS_WAIT_MS = 10

/** How long the feed may look for rows before other tasks of the worker get their turn. Milliseconds. */
const TASKS_WAIT_MS = 50

/** DuckDB returns from a call, so that the worker can do other work, only after it has asked for this many chunks. */
const TASK_CHUNKS = 50

/** The rows of a chunk: DuckDB's `STANDARD_VECTOR_SIZE`. */
const CHUNK_ROWS = 2048

/**
 * The rows of a scan, decoded unit by unit and handed over chunk by chunk. The members of `context` may differ at each call,
 * except for its core: columns of a unit lie in it, so a scan fails with its core.
 */
export function createFeed(options: FeedOptions, state: WorkerState): PausingFeed {
  const { scan: number, open: whole, assistance, columns, duck, context, mayPause } = options
  const { core } = context
  const used = columns.flatMap((index, vector) => (index === null ? [] : [{ index, vector }]))
  const indexes = used.map(({ index }) => index)
  const open = { ...whole, scan: narrow(whole.scan, indexes) }
  const fields = open.scan.projection.map((each) => each.field)
  if (fields.length < used.length)
    throw new ServiceError('internal', 'a scan without a column that is asked for')
  const chunkWriter = createChunkWriter(duck, core, fields.map(inputType))
  const { filter } = open.scan
  // Whether DuckDB drops a row of nulls by the filter.
  const isNullFiltered = options.isFilteredAgain && filter !== null && truthOf(filter, null) !== true
  const mayIdle = isNullFiltered && !fields.some(({ type }) => isNested(valueType(type)))
  const reading: TaskContext = {
    core,
    get stopwatch() {
      return context.stopwatch
    },
    get chunks() {
      return context.chunks
    },
    get objects() {
      return context.objects
    },
    undoFilter: context.undoFilter,
    checkCancelled: () => context.checkCancelled(),
  }
  const units = assistance?.units(number, open, state, reading) ?? createUnits(open, state, reading)

  let current: Rows = { count: 0, columns: [] }
  let row = 0
  let isPaused = false
  /**
   * How many chunks of a single row of nulls, which DuckDB drops, are still to be given so that it returns from its call.
   */
  let idle = 0
  let pauseAt = performance.now() + TASKS_WAIT_MS
  const drop = (): void => {
    for (const column of new Set(current.columns)) core.free(column)
    current = { count: 0, columns: [] }
    row = 0
  }
  return {
    get isPaused() {
      return isPaused
    },
    next(chunk) {
      context.checkCancelled()
      if (isPaused) pauseAt = performance.now() + TASKS_WAIT_MS
      isPaused = false
      const vectors = used.map(({ vector }) => duck.api.duckdb_data_chunk_get_vector(chunk, BigInt(vector)))
      while (row === current.count) {
        drop()
        if (idle === 0 && performance.now() > pauseAt) {
          isPaused = mayPause
          if (isPaused) return 0
          pauseAt = performance.now() + TASKS_WAIT_MS
          if (mayIdle) idle = TASK_CHUNKS
        }
        if (idle > 0) {
          idle--
          chunkWriter.fillNull(vectors)
          return 1
        }
        const unit = options.measured(units.next)
        if (unit === null) return 0
        current = context.stopwatch.time('encode', () => unmask(unit, fields, core))
        chunkWriter.begin(current.columns)
      }
      const from = row
      row = Math.min(current.count, from + CHUNK_ROWS)
      chunkWriter.fill(vectors, from, row - from)
      pauseAt = performance.now() + ROWS_WAIT_MS
      return row - from
    },
    end() {
      drop()
      units.end()
      chunkWriter.end()
    },
  }
}

/** The rows of a unit that pass its mask, in the forms in which DuckDB takes them. Takes over the unit. */
function unmask({ rows, columns, mask }: DecodedUnit, fields: readonly Field[], core: Core): Rows {
  const remainingColumns = new Set(columns)
  // A column may occur more than once.
  const convertedColumns = new Map<Column, Column>()
  try {
    const count = mask === null ? rows : core.count(mask)
    for (const [index, column] of columns.entries()) {
      const field = fields[index]
      if (field === undefined || convertedColumns.has(column)) continue
      const compact = mask === null ? column : core.filter(column, mask)
      remainingColumns.delete(column)
      if (compact !== column) core.free(column)
      convertedColumns.set(column, convert(compact, field, core))
    }
    return { count, columns: columns.flatMap((column) => convertedColumns.get(column) ?? []) }
  } catch (error) {
    for (const column of [...remainingColumns, ...convertedColumns.values()]) core.free(column)
    throw error
  } finally {
    if (mask !== null) core.freeMask(mask)
  }
}

/** What to do if a value has nanoseconds. */
const NANOSECONDS =
  ' Intervals have microseconds there: cast the column to microseconds where it is written, or read it by a JSON query, which keeps nanoseconds.'

/** Whether a type is, or has in it, one whose nanoseconds SQL does not have. */
function hasNanoseconds(type: DataType): boolean {
  switch (type.kind) {
    case 'duration':
      return type.unit === 'nanosecond'
    case 'interval':
      return type.unit === 'month_day_nano'
    default:
      return childTypes(valueType(type)).some(hasNanoseconds)
  }
}

function convert(column: Column, { name, type }: Field, core: Core): Column {
  try {
    return core.duckColumn(column, duckForms(type))
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'type_mismatch') throw cause
    throw new ServiceError(
      'type_mismatch',
      `A value of column "${name}", ${typeName(type)}, does not fit into its type in SQL (docs/reference/sql.md).${hasNanoseconds(type) ? NANOSECONDS : ''}`,
      { cause },
    )
  }
}

/** The rows of a table function, chunk by chunk as DuckDB asks for them. */
export interface Feed {
  /** Fills an empty chunk and returns the number of its rows; 0 at the end. */
  next(chunk: number): number
  end(): void
}
