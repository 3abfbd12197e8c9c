import { RESULT_BYTES, SUCCESS } from './database.ts'
import type { Duck } from './instance.ts'

/** The text of an error of DuckDB, unchanged. */
export interface DuckFailure {
  readonly failure: string
}

/** The value of `duckdb_statement_type` for SELECT. */
export const SELECT_STATEMENT = 1

/** Values of `duckdb_pending_state`. All others mean that there are rows, or that there will be none. */
const NOT_READY = 1
const FAILED = 2

/** The statements of a text, to be prepared by their indexes. Freed at the end of a block by `using`. */
export interface Extracted extends Disposable {
  readonly count: number
  prepare(index: number): Prepared | DuckFailure
}

/** A bound statement with its plan. */
export interface Prepared {
  /** Its `duckdb_statement_type`. */
  readonly kind: number
  readonly parameters: number
  readonly columns: readonly string[]
  /** The handle of a column's logical type. The caller has to destroy it. */
  columnType(index: number): number
  /** Begins to run the statement, with its rows streamed. */
  start(): Pending | DuckFailure
  end(): void
}

/** A statement that runs and has no rows yet. */
export interface Pending {
  /** Does one step of the work. True: there are rows, or there will be none. */
  step(): boolean | DuckFailure
  /** The rows, once `step` was true. */
  result(): Rows | DuckFailure
  end(): void
}

export interface Rows {
  /** The handle of the next chunk, which the caller has to destroy. Null: there are no more. */
  next(): number | null | DuckFailure
  end(): void
}

/** Whether DuckDB has failed. */
export function isFailure(outcome: unknown): outcome is DuckFailure {
  return typeof outcome === 'object' && outcome !== null && 'failure' in outcome
}

/** Splits a text into its statements. It must not have a zero byte. */
export function extract(duck: Duck, connection: number, sql: string): Extracted | DuckFailure {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const slot = scratch.bytes(4)
  const count = Number(api.duckdb_extract_statements(connection, scratch.text(sql), slot))
  const statements = memory.views().u32[slot / 4] ?? 0
  const end = () => duck.destroy('duckdb_destroy_extracted', statements)
  // If there is no statement and no error, the text is empty or has only comments.
  const error = count === 0 ? textAt(duck, api.duckdb_extract_statements_error(statements)) : ''
  if (error !== '') {
    end()
    return { failure: error }
  }
  return {
    count,
    prepare: (index) => prepare(duck, connection, statements, index),
    [Symbol.dispose]: end,
  }
}

function prepare(duck: Duck, connection: number, statements: number, index: number): Prepared | DuckFailure {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const slot = scratch.bytes(4)
  const state = api.duckdb_prepare_extracted_statement(connection, statements, BigInt(index), slot)
  const statement = memory.views().u32[slot / 4] ?? 0
  const end = () => duck.destroy('duckdb_destroy_prepare', statement)
  if (state !== SUCCESS) {
    const failure = textAt(duck, api.duckdb_prepare_error(statement))
    end()
    return { failure }
  }
  const columns = Number(api.duckdb_prepared_statement_column_count(statement))
  return {
    kind: api.duckdb_prepared_statement_type(statement),
    parameters: Number(api.duckdb_nparams(statement)),
    columns: Array.from({ length: columns }, (_, column) =>
      memory.takeText(api.duckdb_prepared_statement_column_name(statement, BigInt(column))),
    ),
    columnType: (column) => api.duckdb_prepared_statement_column_logical_type(statement, BigInt(column)),
    start: () => start(duck, statement),
    end,
  }
}

function start(duck: Duck, statement: number): Pending | DuckFailure {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const slot = scratch.bytes(4)
  const state = api.duckdb_pending_prepared_streaming(statement, slot)
  const pending = memory.views().u32[slot / 4] ?? 0
  const end = () => duck.destroy('duckdb_destroy_pending', pending)
  const failure = () => ({ failure: textAt(duck, api.duckdb_pending_error(pending)) })
  if (state !== SUCCESS) {
    const outcome = failure()
    end()
    return outcome
  }
  return {
    step() {
      const step = api.duckdb_pending_execute_task(pending)
      return step === FAILED ? failure() : step !== NOT_READY
    },
    result() {
      const rows = openResult(duck)
      if (api.duckdb_execute_pending(pending, rows.address) === SUCCESS) return rows
      const failed = { failure: textAt(duck, api.duckdb_result_error(rows.address)) }
      rows.end()
      return failed
    },
    end,
  }
}

function openResult(duck: Duck): Rows & { readonly address: number } {
  const { api, memory } = duck
  const address = memory.allocate(RESULT_BYTES)
  memory.views().u8.fill(0, address, address + RESULT_BYTES)
  return {
    address,
    next() {
      const chunk = api.duckdb_fetch_chunk(address)
      if (chunk !== 0) return chunk
      // No chunk means the end or an error.
      const failure = textAt(duck, api.duckdb_result_error(address))
      return failure === '' ? null : { failure }
    },
    end() {
      api.duckdb_destroy_result(address)
      memory.free(address)
    },
  }
}

/** The rows of a query whose columns are all texts without nulls. */
export function queryTexts(duck: Duck, connection: number, sql: string): string[][] | DuckFailure {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const result = scratch.bytes(RESULT_BYTES)
  const state = api.duckdb_query(connection, scratch.text(sql), result)
  try {
    if (state !== SUCCESS) return { failure: textAt(duck, api.duckdb_result_error(result)) }
    const rows: string[][] = []
    for (let chunk = api.duckdb_fetch_chunk(result); chunk !== 0; chunk = api.duckdb_fetch_chunk(result)) {
      const columns = Number(api.duckdb_data_chunk_get_column_count(chunk))
      const count = Number(api.duckdb_data_chunk_get_size(chunk))
      for (let row = 0; row < count; row++)
        rows.push(Array.from({ length: columns }, (_, column) => textIn(duck, chunk, column, row)))
      duck.destroy('duckdb_destroy_data_chunk', chunk)
    }
    return rows
  } finally {
    api.duckdb_destroy_result(result)
  }
}

/** Bytes of a `duckdb_string_t`, and of the longest text inlined in it. It has the length, and then the text or its address. */
const STRING_BYTES = 16
const INLINED_BYTES = 12

function textIn(duck: Duck, chunk: number, column: number, row: number): string {
  const { api, memory } = duck
  const vector = api.duckdb_data_chunk_get_vector(chunk, BigInt(column))
  const data = api.duckdb_vector_get_data(vector) + row * STRING_BYTES
  const { u8, u32 } = memory.views()
  const length = u32[data / 4] ?? 0
  const start = length <= INLINED_BYTES ? data + 4 : (u32[data / 4 + 2] ?? 0)
  return Buffer.from(u8.buffer, start, length).toString('utf8')
}

function textAt(duck: Duck, address: number): string {
  return address === 0 ? '' : duck.memory.text(address)
}
