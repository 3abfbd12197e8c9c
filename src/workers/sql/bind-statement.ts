import { ServiceError } from '../../plan/errors.ts'
import { field, type Schema } from '../../plan/schema.ts'
import type { SqlNeedsAnswer, SqlPreparedAnswer } from '../../plan/task.ts'
import type { Duck } from '../../wasm/duckdb/instance.ts'
import type { DuckFailure } from '../../wasm/duckdb/statement.ts'
import { explain, extract, isFailure, type Prepared, SELECT_STATEMENT } from '../../wasm/duckdb/statement.ts'
import { duckError } from './duck-error.ts'
import { checkOperators, parsePlan } from './operators.ts'
import { outputType } from './output-type.ts'
import { SCAN_NAMES, type Scanning } from './scan-functions.ts'
import { recognizeScans } from './scans.ts'

/** A statement that may run. */
export interface Bound {
  readonly prepared: Prepared
  readonly answer: SqlPreparedAnswer
}

/**
 * Binds a statement and checks, before it runs, that it is one, only reads, and reads nothing but sources. What it names
 * and `scanning` does not have is answered as `sql_needs`.
 */
export function bindStatement(
  duck: Duck,
  connection: number,
  sql: string,
  scanning: Scanning,
): Bound | SqlNeedsAnswer {
  if (sql.includes('\0')) throw new ServiceError('invalid_sql', 'The statement holds a zero byte.')
  using statements = orThrow(extract(duck, connection, sql), scanning)
  if (statements.count !== 1) throw notOne(statements.count)
  const prepared = statements.prepare(0)
  if (scanning.missing.size > 0) {
    if (!isFailure(prepared)) prepared.end()
    return { kind: 'sql_needs', sources: [...scanning.missing.values()] }
  }
  const statement = orThrow(prepared, scanning)
  try {
    if (statement.kind !== SELECT_STATEMENT)
      throw new ServiceError('invalid_sql', 'SQL runs SELECT, WITH, VALUES and FROM statements only.')
    if (statement.parameters > 0)
      throw new ServiceError(
        'invalid_sql',
        'The statement has parameters (? or $1), which have no values here.',
      )
    const bound = scanning.bound.splice(0)
    const plan = parsePlan(orThrow(explain(duck, connection, sql), scanning))
    checkOperators(plan, new Set(SCAN_NAMES.keys()))
    const known = scanning.bound.length === bound.length
    scanning.bound.splice(0, Number.POSITIVE_INFINITY, ...bound)
    const recognized = recognizeScans(plan, known ? bound : [], SCAN_NAMES)
    const scans = bound.map(
      ({ index }, number) => recognized.scans[number] ?? { source: index, columns: null, filters: [] },
    )
    const output = outputSchema(duck, statement)
    return { prepared: statement, answer: { kind: 'sql_prepared', output, scans, plan: recognized.plan } }
  } catch (error) {
    statement.end()
    throw error
  }
}

/** What a failure stands for: what a table function has thrown, else what DuckDB says. */
export function failureOf(failure: DuckFailure, scanning: Scanning): ServiceError {
  return scanning.failure ?? duckError(failure.failure)
}

export function orThrow<T>(outcome: T | DuckFailure, scanning: Scanning): T {
  if (isFailure(outcome)) throw failureOf(outcome, scanning)
  return outcome
}

function outputSchema(duck: Duck, prepared: Prepared): Schema {
  const fields = prepared.columns.map((name, index) => {
    const type = prepared.columnType(index)
    try {
      return field(name, outputType(duck, type, name))
    } finally {
      duck.destroy('duckdb_destroy_logical_type', type)
    }
  })
  return { fields, metadata: {} }
}

function notOne(count: number): ServiceError {
  return new ServiceError(
    'invalid_sql',
    count === 0 ? 'There is no statement.' : `A query is one statement, not ${count}.`,
  )
}
