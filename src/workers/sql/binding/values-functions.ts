import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { Values } from '../../../plan/statement/made-rows.ts'
import { type NamedValues, type ValuesRequest, valuesKey } from '../../../plan/statement/values.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { run } from '../../../wasm/duckdb/database.ts'
import {
  type Binding,
  ROW_COLUMN,
  registerTableFunction,
} from '../../../wasm/duckdb/functions/table-function.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import type { LogicalType } from '../../../wasm/duckdb/logical-type.ts'
import type { Feed } from '../feed/feed.ts'
import { callOf, type ValuesFunction } from './source-functions.ts'

/** The state of a statement that the functions need whose rows main makes. */
export interface ValuesReading {
  readonly values: readonly NamedValues[]
  /** What the statement names and `values` does not have, by key. Filled while it is bound. */
  readonly missingValues: Map<string, ValuesRequest>
  failure: ServiceError | null
  openValues(values: Values, columns: readonly (number | null)[]): Feed
}

interface Bound {
  readonly statement: ValuesReading
  /** Null: missing. */
  readonly values: Values | null
}

/** Registers the functions whose rows main makes. `present` is the statement for which DuckDB is called. */
export function registerValues(
  duck: Duck,
  connection: number,
  functions: readonly ValuesFunction[],
  present: () => ValuesReading,
  inputType: (field: Field) => LogicalType,
): void {
  for (const fn of functions) {
    const { macro, scan, parameters } = fn
    registerTableFunction<Bound, Feed>(duck, connection, {
      name: scan,
      parameters: parameters.map(() => ({ kind: 'any' })),
      bind: (given) => bind(present(), fn.requestOf(given), inputType),
      init({ statement, values }, columns) {
        if (values !== null) return statement.openValues(values, columns)
        throw new ServiceError(
          'invalid_sql',
          `${macro}: what it names must not change from one moment to the next.`,
        )
      },
      next: (feed, chunk) => feed.next(chunk),
      endScan: (feed) => feed.end(),
      failed(error) {
        present().failure ??= isServiceError(error)
          ? error
          : new ServiceError('internal', `${macro}: ${error}`, { cause: error })
      },
    })
    const rows = `SELECT * EXCLUDE ("${ROW_COLUMN}") FROM ${callOf(fn)}`
    run(duck, connection, `CREATE MACRO ${macro}(${parameters.join(', ')}) AS TABLE (${rows})`)
  }
}

/**
 * Binds a call. Missing values are bound too, with a column that no statement names, so that DuckDB goes on and all that the
 * statement names is found.
 */
function bind(
  statement: ValuesReading,
  request: ValuesRequest,
  inputType: (field: Field) => LogicalType,
): Binding<Bound> {
  const key = valuesKey(request)
  const values = statement.values.find((each) => valuesKey(each.request) === key)?.values ?? null
  if (values === null) {
    statement.missingValues.set(key, request)
    const columns = [{ name: `${ROW_COLUMN}?`, type: { kind: 'boolean' } }] as const
    return { columns, rows: 0, bound: { statement, values } }
  }
  const columns = values.fields.map((field) => ({ name: field.name, type: inputType(field) }))
  return { columns, rows: values.rows, bound: { statement, values } }
}
