import { sameMembers } from '../../../plan/same-members.ts'
import type { Operator, ScanRequest } from '../../../plan/statement/statement.ts'
import { run } from '../../../wasm/duckdb/database.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { isFailure, queryTexts } from '../../../wasm/duckdb/statement.ts'
import { fullName } from '../catalog-database.ts'
import { shownAs } from './grid-calls.ts'
import { parsePlan } from './operators.ts'
import { forgetBinding, type NamedCall, type Scanning } from './scan-functions.ts'
import { type BoundScan, isSame } from './scans.ts'
import { withoutSchemas } from './unqualified-columns.ts'

/*
 * The rows of arrays follow the columns that a SELECT names of them, in its list, WHERE, GROUP BY, ON and so on. DuckDB's plans have the
 * columns that are left when it has moved some of these into other blocks, and dropped others. Without the optimizer, a scan in the plan
 * has the columns that were bound to it, which are those that its block names, if the scan stands in that block itself: behind a
 * macro or a view it would be one of all columns. So the statement is also explained, not run, on a connection without the optimizer,
 * where calls that read arrays are table functions (grid-calls.ts) and tables of arrays are calls. The views of the catalog are
 * those that are there, and DuckDB binds their queries in the same way.
 */

/** The connection without the optimizer. */
export interface NamingConnection {
  readonly duck: Duck
  readonly connection: number
  /** The name of the catalog. */
  readonly catalog: string
}

/** The columns of a scan that its block names. */
type Named = ScanRequest['named']

/** What stands for a scan whose block names either no column or the first one: DuckDB reads the first one for both. */
const FIRST_OR_NONE = 'first or none'

type Reading = Named | typeof FIRST_OR_NONE

/** The scans of a statement in the plan that would run. */
interface PlannedScans {
  readonly bound: readonly BoundScan[]
  /** The columns that each reads. */
  readonly columns: readonly ScanRequest['columns'][]
  /** The numbers of those that are left in the plan. Null: not known. */
  readonly remainingScans: ReadonlySet<number> | null
}

/**
 * The columns that the blocks of a statement name of its scans. Null: the scan is none of arrays, or its columns are not known.
 */
export function namedColumns(
  naming: NamingConnection,
  sql: string,
  statement: Scanning,
  plan: PlannedScans,
): readonly Named[] {
  const { bound } = plan
  if (!bound.some(({ source }) => source.isGrid)) return bound.map(() => null)
  const written = namedInText(naming, sql, statement, bound)
  return bound.map((_, number) => written[number] ?? namedByCopy(number, written, plan))
}

/**
 * The columns of a scan that the optimizer has made. It copies common tables that are not materialized: it binds their scans once more
 * for each place, and drops those that were bound from the text. Null: it may be a copy of scans with different columns.
 */
function namedByCopy(
  number: number,
  written: readonly Named[],
  { bound, columns, remainingScans }: PlannedScans,
): Named {
  const scan = bound[number]
  if (number < written.length || !scan?.source.isGrid || remainingScans === null) return null
  const read = columns[number] ?? []
  const copied = written.filter(
    (named, other) =>
      bound[other]?.index === scan.index &&
      !remainingScans.has(other) &&
      (named === null || read.every((column) => named.includes(column))),
  )
  const [first = null, ...others] = copied
  return first !== null && others.every((named) => named !== null && sameMembers(first, named)) ? first : null
}

/** The columns of the scans that are bound from the text of a statement, which are the first ones of `bound`. Empty: not known. */
function namedInText(
  naming: NamingConnection,
  sql: string,
  statement: Scanning,
  bound: readonly BoundScan[],
): readonly Named[] {
  const first = explain(naming, sql, statement, bound, new Set())
  const unclear = first.flatMap((named, number) => (named === FIRST_OR_NONE ? [number] : []))
  if (unclear.length === 0) return first.map(asNamed)
  // With its first column behind the others, a scan shows the first one only if it is named.
  const second = explain(naming, sql, statement, bound, new Set(unclear))
  return first.map((named, number) => asNamed(named === FIRST_OR_NONE ? (second[number] ?? null) : named))
}

function asNamed(named: Reading): Named {
  return named === FIRST_OR_NONE ? null : named
}

/** What the plan says of each scan if the first columns of some are bound behind their others. */
function explain(
  naming: NamingConnection,
  sql: string,
  statement: Scanning,
  bound: readonly BoundScan[],
  turned: ReadonlySet<number>,
): readonly Reading[] {
  const { duck, connection, catalog } = naming
  const calls = new Map<number, NamedCall>()
  const tables = tablesOf(bound)
  statement.naming = { turned, calls }
  // A table that is not there is replaced by a call.
  const dropped = tables.map((name) => `DROP VIEW IF EXISTS ${fullName(catalog, name)};`)
  run(duck, connection, `BEGIN; ${dropped.join(' ')}`)
  try {
    const plans = plan(naming, sql, statement) ?? plannedWithoutSchemas(naming, sql, statement, tables)
    const written = bound.slice(0, statement.bound.length)
    if (plans === null || !isSame(written, statement.bound)) return []
    const scans = scansIn(plans)
    return written.map(({ source }, number) => {
      if (!source.isGrid) return null
      const call = calls.get(number)
      const occurrences = scans.get(shownAs(number)) ?? []
      return call === undefined ? null : inAll(occurrences.map((scan) => readScan(scan, call)))
    })
  } finally {
    statement.naming = null
    forgetBinding(statement)
    run(duck, connection, 'ROLLBACK')
  }
}

/** The plans of a statement. Null: it cannot be bound like this. */
function plan(
  { duck, connection }: NamingConnection,
  sql: string,
  statement: Scanning,
): readonly Operator[] | null {
  forgetBinding(statement)
  const rows = queryTexts(duck, connection, `EXPLAIN (FORMAT json) ${sql}`)
  return isFailure(rows) ? null : rows.map(([, text = '']) => parsePlan(text))
}

/** The same with columns such as `public.t.a` written as `t.a`, in the views of the statement as well. Null: there are none. */
function plannedWithoutSchemas(
  naming: NamingConnection,
  sql: string,
  statement: Scanning,
  tables: readonly string[],
): readonly Operator[] | null {
  const { duck, connection, catalog } = naming
  const rewrite = (text: string) => withoutSchemas(text, catalog, tables)
  let isOther = rewrite(sql) !== sql
  for (const { name, query } of statement.definitions) {
    if (query === null || rewrite(query) === query) continue
    isOther = true
    queryTexts(duck, connection, `CREATE OR REPLACE VIEW ${fullName(catalog, name)} AS ${rewrite(query)}`)
  }
  return isOther ? plan(naming, rewrite(sql), statement) : null
}

/** The names of the tables of arrays, each once. */
function tablesOf(bound: readonly BoundScan[]): readonly string[] {
  const names = bound.flatMap(({ source: { isGrid, request } }) =>
    isGrid && request?.kind === 'table' ? [request.name] : [],
  )
  return [...new Set(names)]
}

/** The operators of plans by their names. */
function scansIn(plans: readonly Operator[]): ReadonlyMap<string, readonly Operator[]> {
  const scans = new Map<string, Operator[]>()
  const visit = (operator: Operator): void => {
    const { name, children } = operator
    const same = scans.get(name)
    if (same === undefined) scans.set(name, [operator])
    else same.push(operator)
    children.forEach(visit)
  }
  plans.forEach(visit)
  return scans
}

/** The columns that EXPLAIN prints of a scan. */
function readScan(scan: Operator, { columns, hasAliases, isTurned }: NamedCall): Reading {
  const printed = scan.details['Projections']
  // EXPLAIN separates names by line breaks, so a name with one is ambiguous.
  if (printed === undefined || columns.some(({ name }) => name.includes('\n'))) return null
  const indexes = new Map(columns.map(({ name, index }) => [name, index]))
  const named: number[] = []
  for (const name of typeof printed === 'string' ? [printed] : printed) {
    const index = indexes.get(name)
    if (index === undefined) return null
    named.push(index)
  }
  const isFirst = named.length === 1 && columns.length > 1 && named[0] === columns[0]?.index
  if (!isFirst) return named
  // A name in an alias is that of the column in its place, whichever that is, so that nothing follows from another order.
  if (hasAliases) return null
  return isTurned ? [] : FIRST_OR_NONE
}

/** What all occurrences of a scan have in common. None: the plan does not have it, since DuckDB had bound it only to see its columns. */
function inAll(each: readonly Reading[]): Reading {
  const [first, ...others] = each
  if (first === undefined) return []
  return others.every((other) => isEqual(first, other)) ? first : null
}

function isEqual(one: Reading, other: Reading): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return one !== null && other !== null && sameMembers(one, other)
}
