import { ServiceError } from '../../../plan/errors.ts'
import type { Operator, ScanRequest } from '../../../plan/statement/statement.ts'
import type { SqlNeedsAnswer, SqlPreparedAnswer } from '../../../plan/task/task.ts'
import { field, type Schema } from '../../../plan/types/schema.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import type { DuckFailure } from '../../../wasm/duckdb/statement.ts'
import {
  extract,
  isFailure,
  type Prepared,
  queryTexts,
  SELECT_STATEMENT,
} from '../../../wasm/duckdb/statement.ts'
import { duckError } from '../duck-error.ts'
import { outputType } from '../output/output-type.ts'
import type { Explanation, Explanations } from './explanations.ts'
import { checkOperators, checkText, isBlocking, isRowWise, isSampled, parsePlan } from './operators.ts'
import type { Scanning } from './scan-functions.ts'
import { type BoundScan, readColumns, type ScanNames, scanFilters, shownPlan } from './scans.ts'

/** A statement that may run. */
export interface Bound {
  readonly prepared: Prepared
  readonly answer: SqlPreparedAnswer
  readonly explanation: Explanation
}

/**
 * Where a statement is bound: on a connection of its own to run, on another one to be explained, and on one more to be
 * explained over marked columns.
 */
export interface BindOptions {
  readonly duck: Duck
  readonly connection: number
  readonly explaining: number
  readonly marking: number
  readonly mark: number
  readonly explanations: Explanations
  readonly scanNames: ScanNames
  /** What functions are shown as whose rows main makes. */
  readonly valuesNames: ScanNames
}

/**
 * Binds a statement and checks, before it runs, that it is one, only reads, and reads nothing but sources. What it names
 * and `scanning` does not have is answered as `sql_needs`.
 */
export function bindStatement(options: BindOptions, sql: string, scanning: Scanning): Bound | SqlNeedsAnswer {
  const { duck, connection } = options
  if (sql.includes('\0')) throw new ServiceError('invalid_sql', 'The statement holds a zero byte.')
  checkText(sql)
  using statements = orThrow(extract(duck, connection, sql), scanning)
  if (statements.count !== 1) throw notOne(statements.count)
  const prepared = statements.prepare(0)
  if (scanning.missing.size + scanning.missingValues.size > 0) {
    if (!isFailure(prepared)) prepared.end()
    return {
      kind: 'sql_needs',
      sources: [...scanning.missing.values()],
      values: [...scanning.missingValues.values()],
    }
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
    const output = outputSchema(duck, statement)
    const explanation = options.explanations.of(sql, scanning, () => explainScans(options, sql, scanning))
    const { plan, scans } = explanation
    const isConstant = options.explanations.isConstant(sql) && !isSampled(plan)
    const answer: SqlPreparedAnswer = { kind: 'sql_prepared', output, scans, plan, isConstant }
    return { prepared: statement, answer, explanation }
  } catch (error) {
    statement.end()
    throw error
  }
}

/**
 * Explains the statement and checks its plan: as it is bound, for what the optimizer drops from one plan it may keep in the
 * next, where a condition depends on the time or on the text of the statement; and as it would run.
 */
function explainScans(options: BindOptions, sql: string, scanning: Scanning): Explanation {
  const bound = scanning.bound.splice(0)
  const plans = orThrow(explain(options, options.explaining, sql), scanning)
  const [logical, physical] = [plans.get('logical_plan'), plans.get('physical_plan')]
  if (logical === undefined || physical === undefined)
    throw new ServiceError('internal', 'EXPLAIN prints other plans than it did')
  const { scanNames, valuesNames } = options
  const isScan = (name: string): boolean => scanNames.has(name)
  const isOurs = (name: string): boolean => isScan(name) || valuesNames.has(name)
  for (const plan of [logical, physical]) checkOperators(plan, isOurs)
  const explained = scanning.bound.splice(0)
  const columns = isSame(bound, explained) ? readColumns(physical, explained, scanNames) : []
  const filters = holds(physical, 'FILTER') ? filtersOf(options, sql, scanning, bound) : []
  return {
    isRowWise: isRowWise(physical, isScan),
    isBlocking: isBlocking(physical),
    plan: shownPlan(physical, explained, scanNames, valuesNames),
    scans: bound.map(({ index }, number) => ({
      source: index,
      columns: columns[number] ?? null,
      filters: filters[number] ?? [],
    })),
  }
}

/** What is filtered directly above each scan; of a statement that is not bound the same way again, nothing is known. */
function filtersOf(
  options: BindOptions,
  sql: string,
  scanning: Scanning,
  bound: readonly BoundScan[],
): readonly ScanRequest['filters'][] {
  const plans = explain(options, options.marking, sql)
  const physical = isFailure(plans) ? undefined : plans.get('physical_plan')
  const marked = scanning.bound.splice(0)
  if (physical === undefined || !isSame(bound, marked)) return []
  return scanFilters(physical, marked, options.mark, options.scanNames)
}

/** The plans that EXPLAIN prints, by kind. */
function explain(
  { duck }: BindOptions,
  connection: number,
  sql: string,
): ReadonlyMap<string, Operator> | DuckFailure {
  const rows = queryTexts(duck, connection, `EXPLAIN (FORMAT json) ${sql}`)
  return isFailure(rows) ? rows : new Map(rows.map(([kind = '', text = '']) => [kind, parsePlan(text)]))
}

function holds({ name, children }: Operator, operator: string): boolean {
  return name === operator || children.some((child) => holds(child, operator))
}

/** Whether two bindings have the same scans. */
function isSame(one: readonly BoundScan[], other: readonly BoundScan[]): boolean {
  return one.length === other.length && one.every(({ index }, number) => other[number]?.index === index)
}

/** What a failure stands for: what a table function has thrown, else what DuckDB says. */
function failureOf(failure: DuckFailure, scanning: Scanning): ServiceError {
  return scanning.failure ?? duckError(failure.failure, scanning.functions)
}

/** The outcome, unless it is a failure: that is thrown as `failureOf` says. */
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
