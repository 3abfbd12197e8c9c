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
import { boundDivisions } from '../functions/integer-divisions.ts'
import type { NamedTypes } from '../functions/named-types.ts'
import { mayMixIntervals } from '../output/mixed-intervals.ts'
import { differenceType, outputType } from '../output/output-type.ts'
import type { Explanation, Explanations } from './explanations.ts'
import { type NamingConnection, namedColumns } from './named-columns.ts'
import type { NamedViews } from './named-views.ts'
import { checkOperators, checkText, isBlocking, isRowWise, isSampled, parsePlan } from './operators.ts'
import { forgetBinding, type Scanning } from './scan-functions.ts'
import {
  type BoundScan,
  isSame,
  readColumns,
  type ScanNames,
  scanFilters,
  scansOf,
  shownPlan,
} from './scans.ts'

/** A bound statement that has passed all checks. */
export interface Bound {
  readonly prepared: Prepared
  readonly answer: SqlPreparedAnswer
  readonly explanation: Explanation
}

/**
 * The connections on which a statement is bound: `connection`, to run; `explaining`, for EXPLAIN; `marking`, for EXPLAIN
 * over marked columns (marked-columns.ts); `naming`, for EXPLAIN without the optimizer (named-columns.ts).
 */
export interface BindOptions {
  readonly duck: Duck
  readonly connection: number
  readonly explaining: number
  readonly marking: number
  readonly naming: NamingConnection
  readonly mark: number
  readonly explanations: Explanations
  readonly views: NamedViews
  readonly types: NamedTypes
  /** How the functions are shown that read sources. */
  readonly scanNames: ScanNames
  /** How the functions are shown whose rows main makes. */
  readonly valuesNames: ScanNames
}

/**
 * Makes the views that a statement names, binds it, and checks that it is a single SELECT that reads nothing but sources. If it names sources that
 * `scanning` does not have, these are answered as `sql_needs`. Throws `invalid_sql` and what table functions throw.
 */
export function bindStatement(options: BindOptions, sql: string, scanning: Scanning): Bound | SqlNeedsAnswer {
  const { duck, connection } = options
  if (sql.includes('\0')) throw new ServiceError('invalid_sql', 'The statement holds a zero byte.')
  checkText(sql)
  using statements = orThrow(extract(duck, connection, sql), scanning)
  if (statements.count !== 1) throw notOne(statements.count)
  const texts = [sql, ...scanning.definitions.map(({ query }) => query ?? '')]
  options.types.make(texts, [connection, options.explaining, options.marking, options.naming.connection])
  options.views.make(scanning, connection)
  const divisions = boundDivisions(duck)
  const bound = statements.prepare(0)
  const prepared = isFailure(bound) ? (prepareAgain(options, bound, sql, scanning) ?? bound) : bound
  if (scanning.missing.size + scanning.missingValues.size > 0) {
    if (!isFailure(prepared)) prepared.end()
    return {
      kind: 'sql_needs',
      sources: [...scanning.missing.values()],
      values: [...scanning.missingValues.values()],
    }
  }
  const statement = orThrow(prepared, scanning)
  const dividesIntegers = boundDivisions(duck) > divisions
  try {
    if (statement.kind !== SELECT_STATEMENT)
      throw new ServiceError('invalid_sql', 'SQL runs SELECT, WITH, VALUES and FROM statements only.')
    if (statement.parameters > 0)
      throw new ServiceError(
        'invalid_sql',
        'The statement has parameters (? or $1), which have no values here.',
      )
    const output = outputSchema(duck, statement, scanning)
    const { explanations, views } = options
    const isTextConstant = explanations.isConstant(sql) && views.areConstant(scanning.definitions)
    const explanation = explanations.of(sql, scanning, isTextConstant, () =>
      explainScans(options, sql, scanning),
    )
    const { plan, scans } = explanation
    const isConstant = isTextConstant && !isSampled(plan)
    const answer: SqlPreparedAnswer = {
      kind: 'sql_prepared',
      output,
      scans,
      plan,
      isConstant,
      dividesIntegers,
    }
    return { prepared: statement, answer, explanation }
  } catch (error) {
    statement.end()
    throw error
  }
}

/**
 * Prepares a statement again that could not be bound, if the reason may be that DuckDB keeps the types of a view's columns, which may
 * be others by now: those of its files. Null: it is another reason.
 */
function prepareAgain(
  { duck, connection, views }: BindOptions,
  { failure }: DuckFailure,
  sql: string,
  scanning: Scanning,
): Prepared | DuckFailure | null {
  if (scanning.missing.size + scanning.missingValues.size > 0 || scanning.failure !== null) return null
  const isInStatement = duckError(failure, scanning).at !== undefined
  if (isInStatement || !views.makeAgain(scanning, connection)) return null
  forgetBinding(scanning)
  // A statement can be prepared once only after it has been split off.
  using statements = orThrow(extract(duck, connection, sql), scanning)
  return statements.prepare(0)
}

/**
 * Explains the statement and checks two plans of it: the logical one, as it was bound, and the physical one, which would
 * run. The physical one is not enough: what the optimizer drops from it, it may keep the next time, where a condition
 * depends on the time or on the text of the statement.
 */
function explainScans(options: BindOptions, sql: string, scanning: Scanning): Explanation {
  const bound = scanning.bound.splice(0)
  const plans = orThrow(explain(options, options.explaining, sql), scanning, EXPLAIN)
  const [logical, physical] = [plans.get('logical_plan'), plans.get('physical_plan')]
  if (logical === undefined || physical === undefined)
    throw new ServiceError('internal', 'EXPLAIN prints other plans than it did')
  const { scanNames, valuesNames } = options
  const isScan = (name: string): boolean => scanNames.has(name)
  const isSource = (name: string): boolean => isScan(name) || valuesNames.has(name)
  for (const plan of [logical, physical]) checkOperators(plan, isSource)
  const explained = scanning.bound.splice(0)
  const isSameAgain = isSame(bound, explained)
  const columns = isSameAgain ? readColumns(physical, explained, scanNames) : []
  const remainingScans = isSameAgain ? scansOf(physical, explained, scanNames) : null
  const filters = holds(physical, 'FILTER') ? filtersOf(options, sql, scanning, bound) : []
  const named = namedColumns(options.naming, sql, scanning, { bound, columns, remainingScans })
  return {
    isRowWise: isRowWise(physical, isScan),
    isBlocking: isBlocking(physical),
    plan: shownPlan(physical, explained, scanNames, valuesNames),
    scans: bound.map(({ index }, number) => ({
      source: index,
      columns: chooseColumns(columns[number] ?? null, named[number] ?? null),
      named: named[number] ?? null,
      filters: filters[number] ?? [],
    })),
  }
}

/** The columns that a scan reads. DuckDB may ask for others than the statement names, which nothing uses (feed/asked-columns.ts). */
function chooseColumns(columns: ScanRequest['columns'], named: ScanRequest['named']): ScanRequest['columns'] {
  return named === null || columns === null ? columns : columns.filter((column) => named.includes(column))
}

/**
 * The filters directly above each scan. Empty: they are not known, because another binding of the statement has other scans.
 */
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

const EXPLAIN = 'EXPLAIN (FORMAT json) '

/** The plans that EXPLAIN prints, by their kinds. */
function explain(
  { duck }: BindOptions,
  connection: number,
  sql: string,
): ReadonlyMap<string, Operator> | DuckFailure {
  const rows = queryTexts(duck, connection, EXPLAIN + sql)
  return isFailure(rows) ? rows : new Map(rows.map(([kind = '', text = '']) => [kind, parsePlan(text)]))
}

/** Whether an operator of this name is part of the plan. */
function holds({ name, children }: Operator, operator: string): boolean {
  return name === operator || children.some((child) => holds(child, operator))
}

/** The error of a failed call of DuckDB: the one that a table function has thrown, else one of DuckDB's text. */
function failureOf(failure: DuckFailure, scanning: Scanning, prefix: string): ServiceError {
  return scanning.failure ?? duckError(failure.failure, scanning, prefix)
}

/** The result of a call of DuckDB. Throws its error if it has failed. `prefix` is the text that came before the statement. */
export function orThrow<T>(outcome: T | DuckFailure, scanning: Scanning, prefix = ''): T {
  if (isFailure(outcome)) throw failureOf(outcome, scanning, prefix)
  return outcome
}

function outputSchema(duck: Duck, prepared: Prepared, scanning: Scanning): Schema {
  /** Not asked of statements without a difference. */
  const isDuration = (): boolean => !mayMixIntervals(scanning)
  const fields = prepared.columns.map((name, index) => {
    const type = prepared.columnType(index)
    try {
      const difference = differenceType(duck, type)
      return field(name, difference !== null && isDuration() ? difference : outputType(duck, type, name))
    } finally {
      duck.destroy('duckdb_destroy_logical_type', type)
    }
  })
  return { fields, metadata: {} }
}

function notOne(count: number): ServiceError {
  return new ServiceError(
    'invalid_sql',
    count === 0
      ? 'There is no statement.'
      : // DuckDB writes a PIVOT whose columns are not listed as two statements, of which the first finds them.
        `A query is one statement, not ${count}; the columns of a PIVOT are listed: PIVOT t ON kind IN ('a', 'b') USING count(*).`,
  )
}
