import { ServiceError } from '../../plan/errors.ts'
import { type Database, RESULT_BYTES, SUCCESS } from './database.ts'
import { registerExplainedFunction } from './functions/explained-function.ts'
import { registerTableFunction } from './functions/table-function.ts'
import { isFailure, queryTexts } from './statement.ts'

/** The version of DuckDB in duckdb-wasm 1.32.0. */
const LIBRARY_VERSION = 'v1.4.3'

/** Rows of the test function. They need two chunks. */
const TEST_ROWS = 3000

/**
 * Checks that DuckDB works here: its version, a query for a constant, and a query over rows of a table function. Throws
 * `internal` if it does not.
 */
export function selfTest(database: Database): void {
  const { duck, connections } = database
  const version = duck.memory.text(duck.api.duckdb_library_version())
  expect('duckdb_library_version', version, LIBRARY_VERSION)
  expect('select 42', firstNumber(database, 'SELECT 42::BIGINT'), 42n)
  registerTestFunction(database, connections[0] ?? 0)
  const sum = BigInt((TEST_ROWS * (TEST_ROWS - 1)) / 2)
  expect('an explained function', explainedCall(database), EXPLAINED)
  expect('a table function', firstNumber(database, 'SELECT sum(n)::BIGINT FROM _self_test()'), sum)
}

/** The explanation of a call of a function, and its name in the plan: objects in memory are where they are expected. */
const EXPLAINED = 'a; option,b; x,a long name behind an alias; ANOTHER NAME'

function explainedCall({ duck, connections }: Database): string {
  const [connection = 0] = connections
  const parts: string[] = []
  const bigint = { kind: 'bigint' } as const
  registerExplainedFunction(duck, connection, {
    name: '_self_test_explained',
    parameters: ['option'],
    bind({ positional, named, aliases }) {
      parts.push(positional.join(), [...named].join(), aliases.join())
      const columns = ['n', 'm'].map((name) => ({ name, type: bigint }))
      return { columns, shownAs: 'another name' }
    },
    failed() {},
  })
  const call = `_self_test_explained('a', option := 'b') AS t(x, "a long name behind an alias")`
  const rows = queryTexts(duck, connection, `EXPLAIN (FORMAT json) SELECT x FROM ${call}`)
  if (isFailure(rows)) return rows.failure
  const plans = rows.map(([, text = '']) => JSON.parse(text)[0].name.trim())
  return [...parts, ...plans].join('; ')
}

function registerTestFunction({ duck }: Database, connection: number): void {
  const { api, memory } = duck
  registerTableFunction<null, { row: number }>(duck, connection, {
    name: '_self_test',
    parameters: [],
    bind: () => ({ columns: [{ name: 'n', type: { kind: 'bigint' } }], rows: TEST_ROWS, bound: null }),
    init: () => ({ row: 0 }),
    next(scan, chunk) {
      const from = scan.row
      scan.row = Math.min(TEST_ROWS, from + Number(api.duckdb_vector_size()))
      const data = api.duckdb_vector_get_data(api.duckdb_data_chunk_get_vector(chunk, 0n))
      const { i64 } = memory.views()
      for (let row = from; row < scan.row; row++) i64[data / 8 + row - from] = BigInt(row)
      return scan.row - from
    },
  })
}

/** The first value of a BIGINT column. */
function firstNumber({ duck, connections: [connection = 0] }: Database, sql: string): bigint {
  const { api, memory } = duck
  using scratch = memory.scratch()
  const result = scratch.bytes(RESULT_BYTES)
  if (api.duckdb_query(connection, scratch.text(sql), result) !== SUCCESS)
    throw unfit(`${sql}: ${memory.text(api.duckdb_result_error(result))}`)
  const chunk = api.duckdb_fetch_chunk(result)
  const data = chunk === 0 ? 0 : api.duckdb_vector_get_data(api.duckdb_data_chunk_get_vector(chunk, 0n))
  const value = memory.views().i64[data / 8] ?? 0n
  duck.destroy('duckdb_destroy_data_chunk', chunk)
  api.duckdb_destroy_result(result)
  return value
}

function expect(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw unfit(`${what} gives ${actual}, not ${expected}`)
}

function unfit(what: string): ServiceError {
  return new ServiceError(
    'internal',
    `DuckDB does not work here: ${what}. Is @duckdb/duckdb-wasm 1.32.0 there?`,
  )
}
