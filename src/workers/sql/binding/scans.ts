import {
  type FilterText,
  type Operator,
  type ScanRequest,
  type Source,
  sqlNames,
} from '../../../plan/statement/statement.ts'
import { ROW_COLUMN } from '../../../wasm/duckdb/table-function.ts'
import { filterText } from './marked-columns.ts'

/**
 * EXPLAIN does not say which scan is which, only how many rows it is estimated to have. So the last digits of the
 * estimate, to this base, are the scan's number.
 */
const BASE = 64

/** The estimate that scan `index` tells DuckDB. Numbers from 64 on say nothing. */
export function markedRows(source: Source, index: number): number {
  const rows = Math.min(Math.max(0, Math.floor(source.rows)), Number.MAX_SAFE_INTEGER - BASE)
  return rows - (rows % BASE) + (index % BASE)
}

/** A scan as it was bound: the place of its source, and the source. */
export interface BoundScan {
  readonly index: number
  readonly source: Source
}

/** What a scan is shown as, by the name under which EXPLAIN prints it; of other operators there is none. */
export type ScanNames = ReadonlyMap<string, string>

/**
 * The plan with its scans numbered, under the names and with the estimates that users know. `bound` are its scans; `values`
 * names the functions that give rows and are none.
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
    return { name, details: shown(operator, name, source), children: [], scan }
  }
  return visit(plan)
}

/** What each of a plan's scans reads; null: not known. */
export function readColumns(
  plan: Operator,
  bound: readonly BoundScan[],
  names: ScanNames,
): readonly ScanRequest['columns'][] {
  const found = findScans(plan, bound, names)
  return bound.map(({ source }, number) => {
    const only = found.get(number)
    return only === undefined ? null : columnsOf(only.scan, source)
  })
}

/** What is filtered directly above each of a plan's scans. `bound` are its scans, over columns with this mark. */
export function scanFilters(
  plan: Operator,
  bound: readonly BoundScan[],
  mark: number,
  names: ScanNames,
): readonly (readonly FilterText[])[] {
  const found = findScans(plan, bound, names)
  return bound.map(({ source }, number) => {
    const above = found.get(number)?.above
    const printed = above?.name === 'FILTER' ? above.details['Expression'] : undefined
    const filter = printed === undefined ? null : filterText(printed, mark, sqlNames(source.schema))
    return filter === null ? [] : [filter]
  })
}

interface FoundScan {
  readonly scan: Operator
  readonly above: Operator | null
}

/** The scans of a plan by their number, without those that stand there more than once. */
function findScans(
  plan: Operator,
  bound: readonly BoundScan[],
  names: ScanNames,
): ReadonlyMap<number, FoundScan> {
  const found = new Map<number, FoundScan>()
  const twice = new Set<number>()
  const visit = (operator: Operator, above: Operator | null): void => {
    const number = names.has(operator.name) ? scanNumber(operator, bound) : null
    if (number !== null) {
      if (found.has(number)) twice.add(number)
      found.set(number, { scan: operator, above })
    }
    for (const child of operator.children) visit(child, operator)
  }
  visit(plan, null)
  for (const number of twice) found.delete(number)
  return found
}

/** Only an estimate that is exactly the one told is taken for a number. */
function scanNumber(operator: Operator, bound: readonly BoundScan[]): number | null {
  if (bound.length > BASE) return null
  const rows = Number(operator.details['Estimated Cardinality'])
  const number = rows % BASE
  const scan = bound[number]
  return scan !== undefined && markedRows(scan.source, number) === rows ? number : null
}

/** Places of the columns in the source's schema; null if their names do not tell. */
function columnsOf(scan: Operator, source: Source): readonly number[] | null {
  const projected = scan.details['Projections']
  if (projected === undefined) return null
  const names = sqlNames(source.schema)
  // EXPLAIN separates names by line breaks.
  if (names.some((name) => name.includes('\n'))) return null
  const places: number[] = []
  for (const name of typeof projected === 'string' ? [projected] : projected) {
    const place = names.indexOf(name)
    if (place >= 0) places.push(place)
    else if (name !== ROW_COLUMN) return null
  }
  return places
}

function shown(operator: Operator, name: string, source: Source | undefined): Operator['details'] {
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
