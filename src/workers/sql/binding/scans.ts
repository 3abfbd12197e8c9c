import type { ServiceError } from '../../../plan/errors.ts'
import { sameMembers } from '../../../plan/same-members.ts'
import {
  type FilterText,
  type Operator,
  type ScanRequest,
  type Source,
  type SourceRequest,
  sqlNames,
} from '../../../plan/statement/statement.ts'
import type { ValuesRequest } from '../../../plan/statement/values.ts'
import { ROW_COLUMN } from '../../../wasm/duckdb/functions/table-function.ts'
import { filterText } from './marked-columns.ts'

/**
 * EXPLAIN does not tell scans apart, but it prints the estimated number of rows of each. So the number of a scan is the last
 * digit of its estimate, written to this base.
 */
const BASE = 64

/**
 * The estimated number of rows that DuckDB gets for a scan, with the scan's number in it. Numbers from 64 on are
 * ambiguous.
 */
export function markedRows(source: Source, number: number): number {
  const rows = Math.min(Math.max(0, Math.floor(source.rows)), Number.MAX_SAFE_INTEGER - BASE)
  return rows - (rows % BASE) + (number % BASE)
}

/** A scan as it was bound: the index of its source, and the source. */
export interface BoundScan {
  readonly index: number
  readonly source: Source
}

/** Whether two bindings have scans of the same sources in the same order. */
export function isSame(one: readonly BoundScan[], other: readonly BoundScan[]): boolean {
  return one.length === other.length && one.every(({ index }, number) => other[number]?.index === index)
}

/** The names of functions as users know them, by the names that EXPLAIN prints. */
export type ScanNames = ReadonlyMap<string, string>

/**
 * The plan with its scans numbered, and with the names and estimates that users know. `bound` are its scans; `values` names
 * the functions whose rows main makes.
 */
export function shownPlan(
  plan: Operator,
  bound: readonly BoundScan[],
  names: ScanNames,
  values: ScanNames,
): Operator {
  const visit = (operator: Operator): Operator => {
    const name = names.get(operator.name) ?? values.get(operator.name)
    if (name === undefined) return { ...operator, children: operator.children.map(visit) }
    const scan = names.has(operator.name) ? scanNumber(operator, bound) : null
    const source = scan === null ? undefined : bound[scan]?.source
    return { name, details: show(operator, name, source), children: [], scan }
  }
  return visit(plan)
}

/**
 * The indexes of the columns that each scan of a plan reads: none, if the plan does not have the scan any more. Null: not known, or
 * one occurrence of the scan reads others than the next.
 */
export function readColumns(
  plan: Operator,
  bound: readonly BoundScan[],
  names: ScanNames,
): readonly ScanRequest['columns'][] {
  const { scans, isEachKnown } = findScans(plan, bound, names)
  return bound.map(({ source }, number) => {
    const [first, ...others] = scans.get(number) ?? []
    if (first === undefined) return isEachKnown ? [] : null
    const columns = columnsOf(first.scan, source)
    const isOne = others.every(({ scan }) => areSame(columns, columnsOf(scan, source)))
    return isOne ? columns : null
  })
}

/** The numbers of the scans that a plan has. Null: not known of each. */
export function scansOf(
  plan: Operator,
  bound: readonly BoundScan[],
  names: ScanNames,
): ReadonlySet<number> | null {
  const { scans, isEachKnown } = findScans(plan, bound, names)
  return isEachKnown ? new Set(scans.keys()) : null
}

function areSame(one: ScanRequest['columns'], other: ScanRequest['columns']): boolean {
  return one !== null && other !== null && sameMembers(one, other)
}

/** The filter directly above each scan of a plan, if it is known. `bound` are its scans, over columns with this mark. */
export function scanFilters(
  plan: Operator,
  bound: readonly BoundScan[],
  mark: number,
  names: ScanNames,
): readonly (readonly FilterText[])[] {
  const { scans } = findScans(plan, bound, names)
  return bound.map(({ source }, number) => {
    const [only, ...others] = scans.get(number) ?? []
    const above = others.length === 0 ? only?.above : undefined
    const printed = above?.name === 'FILTER' ? above.details['Expression'] : undefined
    const filter = printed === undefined ? null : filterText(printed, mark, sqlNames(source.schema))
    return filter === null ? [] : [filter]
  })
}

interface FoundScan {
  readonly scan: Operator
  readonly above: Operator | null
}

interface FoundScans {
  /** The occurrences of each scan by its number. */
  readonly scans: ReadonlyMap<number, readonly FoundScan[]>
  /** Whether the plan has no scan whose number is not known. */
  readonly isEachKnown: boolean
}

function findScans(plan: Operator, bound: readonly BoundScan[], names: ScanNames): FoundScans {
  const scans = new Map<number, readonly FoundScan[]>()
  let isEachKnown = true
  const visit = (operator: Operator, above: Operator | null): void => {
    const number = names.has(operator.name) ? scanNumber(operator, bound) : null
    if (number !== null) scans.set(number, [...(scans.get(number) ?? []), { scan: operator, above }])
    else if (names.has(operator.name)) isEachKnown = false
    for (const child of operator.children) visit(child, operator)
  }
  visit(plan, null)
  return { scans, isEachKnown }
}

/** The number of a scan by its estimate. Null: the estimate is not exactly the one that DuckDB was told for any scan. */
function scanNumber(operator: Operator, bound: readonly BoundScan[]): number | null {
  if (bound.length > BASE) return null
  const rows = Number(operator.details['Estimated Cardinality'])
  const number = rows % BASE
  const scan = bound[number]
  return scan !== undefined && markedRows(scan.source, number) === rows ? number : null
}

/** The indexes in the source's schema of the columns that a scan reads. Null: their names do not tell. */
function columnsOf(scan: Operator, source: Source): readonly number[] | null {
  const projected = scan.details['Projections']
  if (projected === undefined) return null
  const names = sqlNames(source.schema)
  // EXPLAIN separates names by line breaks, so a name with one is ambiguous.
  if (names.some((name) => name.includes('\n'))) return null
  const indexes: number[] = []
  for (const name of typeof projected === 'string' ? [projected] : projected) {
    const index = names.indexOf(name)
    if (index >= 0) indexes.push(index)
    else if (name !== ROW_COLUMN) return null
  }
  return indexes
}

function show(operator: Operator, name: string, source: Source | undefined): Operator['details'] {
  const { Projections: projected = [], ...details } = operator.details
  const columns = (typeof projected === 'string' ? [projected] : projected).filter(
    (each) => each !== ROW_COLUMN,
  )
  return {
    ...details,
    Function: name,
    ...(columns.length > 0 && { Projections: columns }),
    ...(source && { 'Estimated Cardinality': String(source.rows) }),
  }
}

/** Why DuckDB does not have a table or a view of a statement: it cannot be made yet, or not at all. */
export interface Unmade {
  /** What it names and the task does not have, by key. */
  readonly missing: ReadonlyMap<string, SourceRequest>
  readonly missingValues: ReadonlyMap<string, ValuesRequest>
  /** Null: it can be made when what is missing is there. */
  readonly error: ServiceError | null
}
