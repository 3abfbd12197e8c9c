import { type Operator, type ScanRequest, type Source, sqlNames } from '../../plan/sql.ts'
import { ROW_COLUMN } from '../../wasm/duckdb/table-function.ts'
import { filterText, withoutMarks } from './marked-columns.ts'

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

/**
 * The plan with its scans numbered, under the names and with the estimates that users know, and what each scan reads.
 * `bound` are the scans as EXPLAIN has bound them, over columns with this mark.
 */
export function recognizeScans(
  plan: Operator,
  bound: readonly BoundScan[],
  mark: number,
  nameOf: (name: string) => string | undefined,
): { readonly plan: Operator; readonly scans: readonly ScanRequest[] } {
  const found = new Map<number, { readonly scan: Operator; readonly above: Operator | null }[]>()
  const visit = (operator: Operator, above: Operator | null): Operator => {
    const name = nameOf(operator.name)
    if (name === undefined) {
      const children = operator.children.map((child) => visit(child, operator))
      return { ...operator, details: unmarked(operator.details, mark), children }
    }
    const number = scanNumber(operator, bound)
    const source = number === null ? undefined : bound[number]?.source
    if (number !== null) found.set(number, [...(found.get(number) ?? []), { scan: operator, above }])
    return { name, details: shown(operator, name, source), children: [], scan: number }
  }
  const numbered = visit(plan, null)
  const scans = bound.map(({ index, source }, number): ScanRequest => {
    const [only, ...others] = found.get(number) ?? []
    if (only === undefined || others.length > 0) return { source: index, columns: null, filters: [] }
    const printed = only.above?.name === 'FILTER' ? only.above.details['Expression'] : undefined
    const filter = printed === undefined ? null : filterText(printed, mark, sqlNames(source.schema))
    return { source: index, columns: columnsOf(only.scan, source), filters: filter === null ? [] : [filter] }
  })
  return { plan: numbered, scans }
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

function unmarked(details: Operator['details'], mark: number): Operator['details'] {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [
      key,
      typeof value === 'string' ? withoutMarks(value, mark) : value.map((each) => withoutMarks(each, mark)),
    ]),
  )
}
