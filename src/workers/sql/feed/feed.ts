import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { narrowed } from '../../../plan/narrowed.ts'
import { truthOfNulls } from '../../../plan/predicate/predicate.ts'
import type { OpenScan } from '../../../plan/statement/statement.ts'
import { type Field, isNested, typeName, valueType } from '../../../plan/types/schema.ts'
import type { Column } from '../../../wasm/core/column.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { createChunkWriter } from '../../../wasm/duckdb/chunk-writer.ts'
import { duckForms, inputType } from '../../../wasm/duckdb/input-type.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import type { DecodedUnit } from '../../state/decoded-units.ts'
import type { TaskContext } from '../../state/task-context.ts'
import type { WorkerState } from '../../state/worker-state.ts'
import type { AssistanceChannel } from './assistance.ts'
import type { Feed } from './chunk-feed.ts'
import { createUnits } from './units.ts'

/** Where rows may wait for others it gives none, as at the end, and goes on with the next call. */
export interface PausingFeed extends Feed {
  readonly isPaused: boolean
}

/** What a feed is opened with: which scan of a statement, and for which vectors. */
export interface FeedOptions {
  readonly duck: Duck
  /** Number of the scan in its statement. */
  readonly scan: number
  readonly open: OpenScan
  /** Null: nobody else decodes units for it. */
  readonly assistance: AssistanceChannel | null
  /** For each vector the place in the scan's projection that it is for; null: one that is of no use. */
  readonly columns: readonly (number | null)[]
  /** Of the statement: it outlives the task that began it. */
  readonly context: TaskContext
  /** Whether decoded columns may be kept from query to query, and used. */
  readonly caching: boolean
  readonly mayPause: boolean
  /** Whether DuckDB drops what the scan's filter does not let through. */
  readonly isFilteredAgain: boolean
}

/** Rows of a unit that pass the filter, no longer masked. */
interface Rows {
  readonly count: number
  /** For each field. */
  readonly columns: readonly Column[]
}

/** So long rows that were handed over wait for others, and other work for rows. Milliseconds. */
const ROWS_WAIT_MS = 10
const WORK_WAITS_MS = 50

/** Chunks that DuckDB asks for before it lets others work. */
const TASK_CHUNKS = 50

/** Rows of a chunk: DuckDB's `STANDARD_VECTOR_SIZE`. */
const CHUNK_ROWS = 2048

/**
 * The rows of a scan, decoded unit by unit and handed over chunk by chunk. `context` is asked anew at each call but for
 * its core: a scan that has rows in a core fails with it.
 */
export function createFeed(options: FeedOptions, state: WorkerState): PausingFeed {
  const { scan: number, open: whole, assistance, columns, duck, context, mayPause } = options
  const { core } = context
  const used = columns.flatMap((place, vector) => (place === null ? [] : [{ place, vector }]))
  const places = used.map(({ place }) => place)
  const open = { ...whole, scan: narrowed(whole.scan, places) }
  const fields = open.scan.projection.map((each) => each.field)
  if (fields.length < used.length)
    throw new ServiceError('internal', 'a scan without a column that is asked for')
  const chunkWriter = createChunkWriter(duck, core, fields.map(inputType))
  const { filter } = open.scan
  // DuckDB drops such a row.
  const isNullFiltered = options.isFilteredAgain && filter !== null && truthOfNulls(filter) !== true
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
    checkCancelled: () => context.checkCancelled(),
  }
  const units = assistance?.units(number, open, state, reading) ?? createUnits(open, state, reading)

  let current: Rows = { count: 0, columns: [] }
  let row = 0
  let isPaused = false
  /** Chunks to come with nothing but a row of nulls in them. */
  let idle = 0
  let pauseAt = performance.now() + WORK_WAITS_MS
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
      if (isPaused) pauseAt = performance.now() + WORK_WAITS_MS
      isPaused = false
      const vectors = used.map(({ vector }) => duck.api.duckdb_data_chunk_get_vector(chunk, BigInt(vector)))
      while (row === current.count) {
        drop()
        if (idle === 0 && performance.now() > pauseAt) {
          isPaused = mayPause
          if (isPaused) return 0
          pauseAt = performance.now() + WORK_WAITS_MS
          if (mayIdle) idle = TASK_CHUNKS
        }
        if (idle > 0) {
          idle--
          chunkWriter.fillNull(vectors)
          return 1
        }
        const unit = units.next()
        if (unit === null) return 0
        current = context.stopwatch.time('encode', () => unmasked(unit, fields, core))
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

/** The rows that pass, in DuckDB's form; takes the unit. */
function unmasked({ rows, columns, mask }: DecodedUnit, fields: readonly Field[], core: Core): Rows {
  const left = new Set(columns)
  // A column may stand there twice.
  const made = new Map<Column, Column>()
  try {
    const count = mask === null ? rows : core.count(mask)
    for (const [index, column] of columns.entries()) {
      const field = fields[index]
      if (field === undefined || made.has(column)) continue
      const compact = mask === null ? column : core.filter(column, mask)
      left.delete(column)
      if (compact !== column) core.free(column)
      made.set(column, converted(compact, field, core))
    }
    return { count, columns: columns.flatMap((column) => made.get(column) ?? []) }
  } catch (error) {
    for (const column of [...left, ...made.values()]) core.free(column)
    throw error
  } finally {
    if (mask !== null) core.freeMask(mask)
  }
}

function converted(column: Column, { name, type }: Field, core: Core): Column {
  try {
    return core.duckColumn(column, duckForms(type))
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'type_mismatch') throw cause
    throw new ServiceError(
      'type_mismatch',
      `A value of column "${name}", ${typeName(type)}, does not fit into its type in SQL (docs/reference/sql.md).`,
      { cause },
    )
  }
}
