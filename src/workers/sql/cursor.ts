import { addProfiles, type OperatorProfile } from '../../plan/statement/operator-profile.ts'
import type { Encoding } from '../../plan/task/encoding.ts'
import { type Part, partBytes } from '../../plan/task/part.ts'
import type { SqlRowsAnswer } from '../../plan/task/task.ts'
import type { Schema } from '../../plan/types/schema.ts'
import { run as runOwn } from '../../wasm/duckdb/database.ts'
import type { Duck } from '../../wasm/duckdb/instance.ts'
import { lastProfile } from '../../wasm/duckdb/profile.ts'
import type { Pending, Prepared, Rows } from '../../wasm/duckdb/statement.ts'
import type { TaskContext } from '../state/task-context.ts'
import { orThrow } from './binding/bind-statement.ts'
import type { Explanation } from './binding/explanations.ts'
import type { Scanning } from './binding/scan-functions.ts'
import { createBatch } from './output/batch.ts'
import { type ChunkColumns, createChunkColumns } from './output/chunk-columns.ts'

/** The rows of a running statement. */
export interface Cursor {
  /**
   * The next rows, about `answerBytes` of them or fewer. There may be none: the statement runs for `SLICE_MS` at most before
   * its worker can do other work.
   */
  next(context: TaskContext, answerBytes: number): SqlRowsAnswer
  end(): void
}

export interface CursorOptions {
  readonly duck: Duck
  readonly connection: number
  readonly prepared: Prepared
  readonly schema: Schema
  readonly encoding: Encoding
  readonly scanning: Scanning
  readonly explanation: Explanation
  /** Whether DuckDB measures the statements of the connection. */
  readonly isProfiled: boolean
  /** Whether the part of the statement that has ended is not its last. */
  isPaused(): boolean
}

/** How long a statement runs without a row before its worker can do other work. Milliseconds. */
const SLICE_MS = 50
/** If a chunk has taken this long, the rows at hand are answered without waiting for more. Milliseconds. */
const SLOW_CHUNK_MS = 5

/**
 * Opens a cursor over the rows of a bound statement. DuckDB holds a chunk back until there is a second one or the statement
 * has ended. So a statement that makes its rows one by one runs in parts: at the end of each, DuckDB returns all of its
 * rows. The parts run in one transaction, so that `now()` is the same in all of them.
 */
export function openCursor(options: CursorOptions): Cursor {
  const { duck, connection, prepared, schema, encoding, scanning, isProfiled } = options
  const { isRowWise, isBlocking } = options.explanation
  const chunks = chunkColumns(options)
  if (isRowWise) runOwn(duck, connection, 'BEGIN TRANSACTION')
  let pending: Pending | null = null
  let rows: Rows | null = null
  let sent = 0
  /** That of all parts that have ended. */
  let profile: OperatorProfile | null = null

  const start = (): Pending => {
    // DuckDB may bind the statement again, and its scans are then numbered again, in the same order.
    scanning.bound.splice(0)
    return orThrow(prepared.start(), scanning)
  }
  const endPart = (): void => {
    rows?.end()
    pending?.end()
    rows = null
    pending = null
  }
  /** Runs the statement until it has rows, or a slice of time is over. */
  const run = ({ checkCancelled }: TaskContext): Rows | null => {
    pending ??= start()
    const end = performance.now() + SLICE_MS
    while (!orThrow(pending.step(), scanning)) {
      checkCancelled()
      if (performance.now() > end) return null
    }
    return orThrow(pending.result(), scanning)
  }

  return {
    next(context, answerBytes) {
      const { core, stopwatch } = context
      const parts: Part[] = []
      const isAwaited = sent === 0 && !isBlocking
      let bytes = 0
      let isDone = false
      const batch = createBatch(core, schema, encoding)
      const flush = (): void => {
        for (const part of stopwatch.time('encode', () => batch.encode(sent))) {
          parts.push(part)
          bytes += partBytes(part)
          sent += part.rows
        }
      }
      try {
        context.checkCancelled()
        rows ??= run(context)
        while (rows !== null && bytes < answerBytes) {
          const start = performance.now()
          const chunk = orThrow(rows.next(), scanning)
          if (chunk === null) {
            isDone = !options.isPaused()
            endPart()
            if (isProfiled) profile = addProfiles(profile, lastProfile(duck, connection))
            break
          }
          try {
            const columns = stopwatch.time('encode', () => chunks.import(core, chunk))
            batch.add(columns, Number(duck.api.duckdb_data_chunk_get_size(chunk)))
          } finally {
            duck.destroy('duckdb_destroy_data_chunk', chunk)
          }
          if (isAwaited || performance.now() - start > SLOW_CHUNK_MS) break
          if (batch.isFull()) flush()
          context.checkCancelled()
        }
        flush()
      } finally {
        batch.end()
      }
      const chunkRecords = context.chunks.statistics?.take() ?? null
      return {
        kind: 'sql_rows',
        parts,
        isDone,
        objects: context.objects.take(),
        ...(chunkRecords !== null && { chunkRecords }),
        metrics: stopwatch.metrics(),
        ...(isDone && profile !== null && { profile }),
      }
    },
    end() {
      endPart()
      if (isRowWise) runOwn(duck, connection, 'ROLLBACK')
      chunks[Symbol.dispose]()
    },
  }
}

function chunkColumns({ duck, connection, prepared, schema }: CursorOptions): ChunkColumns {
  const types = schema.fields.map((_, index) => prepared.columnType(index))
  try {
    return createChunkColumns(duck, connection, schema, types)
  } finally {
    for (const type of types) duck.destroy('duckdb_destroy_logical_type', type)
  }
}
