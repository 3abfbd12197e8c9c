import { ServiceError } from '../../plan/errors.ts'
import { UNIT_BYTES, UNIT_ROWS } from '../../plan/limits.ts'
import type { Plan, ScanSpec } from '../../plan/plan.ts'
import type { DataType } from '../../plan/schema.ts'
import type { FileSummary, Segment, Unit } from '../../plan/unit.ts'
import type { KnownColumn } from './bounds.ts'
import { mayMatch } from './prune.ts'
import { rowWidth } from './row-width.ts'
import { widenStatistics } from './widen-statistics.ts'

/** What of a plan has to be read. */
export interface CutUnits {
  readonly units: readonly Unit[]
  /** Units that are not read: no row of them can be in the answer. */
  readonly pruned: number
  /** The plan's offset without the rows of units that lie wholly before it. */
  readonly skip: number
}

/** Units of one query, about 100 bytes each on the main thread. */
const MAX_UNITS = 2_000_000

/**
 * Cuts the segments of a plan's files, in file order, into units of bounded rows and bytes. Left out are segments that
 * by their statistics hold no row that passes the filter and, where there is no filter, units that lie wholly before
 * the offset or behind the limit. `summaries` are those of `plan.files`, with statistics of the filter's columns.
 * Throws `memory_limit` when there are too many.
 */
export function cutUnits({ scan, offset, limit }: Plan, summaries: readonly FileSummary[]): CutUnits {
  const units: Unit[] = []
  let pruned = 0
  let skip = offset
  /** Rows of the answer up to this unit: known as long as every row passes. */
  let passed = 0
  for (const [file, summary] of summaries.entries()) {
    const columns = columnsIn(summary, scan)
    for (const [index, segment] of summary.segments.entries()) {
      const { rows } = segment
      const bytes = decodedBytes(scan, columns, segment)
      const step = Math.max(1, Math.ceil(rows / Math.ceil(Math.max(rows / UNIT_ROWS, bytes / UNIT_BYTES))))
      if (units.length + pruned + rows / step > MAX_UNITS) {
        throw new ServiceError(
          'memory_limit',
          `The query has more than ${MAX_UNITS} units; name fewer files.`,
        )
      }
      const mayPass =
        scan.filter === null || mayMatch(scan.filter, statisticsIn(summary, columns, index), rows)
      for (let from = 0; from < rows; from += step) {
        const to = Math.min(rows, from + step)
        const isBefore = scan.filter === null && passed + to - from <= offset
        const isBehind = scan.filter === null && passed >= offset + limit
        if (isBefore) skip -= to - from
        if (isBefore || isBehind || !mayPass) pruned++
        else
          units.push({
            file,
            segment: index,
            from,
            to,
            decodedBytes: Math.ceil((bytes / rows) * (to - from)),
          })
        passed += to - from
      }
    }
  }
  return { units, pruned, skip }
}

/** A column of the scan and where one file has it; null: nowhere, the column is null in all of its rows. */
interface ColumnInFile {
  readonly type: DataType
  readonly stored: { readonly index: number; readonly type: DataType } | null
}

function columnsIn({ schema }: FileSummary, { columns }: ScanSpec): ReadonlyMap<string, ColumnInFile> {
  const stored = new Map(schema.fields.map(({ name, type }, index) => [name, { index, type }]))
  return new Map(columns.map(({ name, type }) => [name, { type, stored: stored.get(name) ?? null }]))
}

/** Estimated bytes of a segment in memory, in the types of the scan. */
function decodedBytes(
  { projection }: ScanSpec,
  columns: ReadonlyMap<string, ColumnInFile>,
  segment: Segment,
): number {
  let bytes = 0
  for (const { type, stored } of columns.values()) {
    const asStored = stored === null ? 0 : (segment.decodedBytes[stored.index] ?? 0)
    bytes += Math.max(asStored, segment.rows * rowWidth(type))
  }
  for (const output of projection) {
    if (output.kind === 'constant' && output.value?.kind === 'bytes') {
      bytes += segment.rows * output.value.value.length
    }
  }
  return bytes
}

function statisticsIn(
  { statistics, segments }: FileSummary,
  columns: ReadonlyMap<string, ColumnInFile>,
  segment: number,
): (name: string) => KnownColumn | null {
  const rows = segments[segment]?.rows ?? 0
  return (name) => {
    const column = columns.get(name)
    if (column === undefined) return null
    const { type, stored } = column
    if (stored === null) return { type, nulls: rows }
    const known = Object.hasOwn(statistics, name) ? (statistics[name]?.[segment] ?? null) : null
    return widenStatistics(known, stored.type, type, rows)
  }
}
