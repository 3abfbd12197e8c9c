import { ServiceError } from '../../../plan/errors.ts'
import { FIRST_UNIT_ROWS, UNIT_BYTES, UNIT_ROWS } from '../../../plan/limits.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import type { KnownColumn } from '../../../plan/predicate/bounds.ts'
import { mayMatch, mustMatch } from '../../../plan/predicate/prune.ts'
import type { ScanSpec } from '../../../plan/scan.ts'
import type { FileSummary, Segment } from '../../../plan/source/segments.ts'
import type { Unit } from '../../../plan/source/unit.ts'
import { listedUnits, type UnitSpace } from '../../../plan/source/unit-space.ts'
import { type ColumnInFile, columnsIn } from '../source/column-in-file.ts'

/** What of a plan has to be read. */
export interface CutUnits {
  readonly units: UnitSpace
  /** Units that are not read: no row of them can be in the answer. */
  readonly pruned: number
  /** The plan's offset without the rows of units that lie wholly before it. */
  readonly skip: number
  /** Rows of segments that are not read although they pass: all of them do, and only their number is wanted. */
  readonly counted: number
}

export interface CutOptions {
  /** Whether rows go out as they are read, so that the first of them should be there soon. */
  readonly isStreamed: boolean
  /** Whether only the number of rows is wanted. */
  readonly isCounted: boolean
}

const STREAMED: CutOptions = Object.freeze({ isStreamed: true, isCounted: false })

/** Units of one query, about 100 bytes each on the main thread. */
const MAX_UNITS = 2_000_000

/**
 * Cuts the segments of a plan's files, in file order, into units of bounded rows and bytes. Left out are segments that
 * by their statistics hold no row that passes the filter, or only such rows where these are only counted, and, where
 * there is no filter, units that lie wholly before the offset or behind the limit; the first of these is small.
 * `summaries` are those of `plan.files`, with statistics of the filter's columns. Throws `memory_limit` when there are
 * too many.
 */
export function cutUnits(
  { scan, offset, limit }: Pick<ScanPlan, 'scan' | 'offset' | 'limit'>,
  summaries: readonly FileSummary[],
  { isStreamed, isCounted }: CutOptions = STREAMED,
): CutUnits {
  const units: Unit[] = []
  let pruned = 0
  let passed = 0
  let skip = offset
  /** Without a filter the rows of the answer are counted before they are read. */
  let areCounted = scan.filter === null
  let counted = 0
  for (const [file, summary] of summaries.entries()) {
    const columns = columnsIn(summary, scan)
    for (const [index, segment] of summary.segments.entries()) {
      const bytes = segmentBytes(scan, columns, segment)
      if (segment.rows === null) {
        requireRoom(units.length + pruned + 1)
        units.push({ kind: 'text', file, segment: index, begin: null, decodedBytes: bytes })
        areCounted = false
        continue
      }
      const { rows } = segment
      const pieces = Math.max(1, Math.ceil(Math.max(rows / UNIT_ROWS, bytes / UNIT_BYTES)))
      const step = Math.max(1, Math.ceil(rows / pieces))
      requireRoom(units.length + pruned + rows / step)
      const known = (name: string): KnownColumn | null => columns.get(name)?.known(index) ?? null
      const mayPass = scan.filter === null || mayMatch(scan.filter, known, rows)
      if (isCounted && mayPass && (scan.filter === null || mustMatch(scan.filter, known, rows))) {
        passed += rows
        pruned += Math.ceil(rows / step)
        continue
      }
      for (let from = 0, to = 0; from < rows; from = to) {
        // Of a filter's rows it is not known where the first are.
        const isFirst = isStreamed && areCounted && units.length === 0
        to = Math.min(rows, from + (isFirst ? Math.min(step, FIRST_UNIT_ROWS) : step))
        const isBefore = areCounted && counted + to - from <= offset
        const isBehind = areCounted && counted >= offset + limit
        counted += to - from
        if (isBefore) skip -= to - from
        if (isBefore || isBehind || !mayPass) {
          pruned++
          continue
        }
        const decodedBytes = Math.ceil((bytes / rows) * (to - from))
        units.push({ kind: 'rows', file, segment: index, from, to, decodedBytes })
      }
    }
  }
  return { units: listedUnits(units), pruned, skip, counted: passed }
}

function requireRoom(units: number): void {
  if (units > MAX_UNITS)
    throw new ServiceError('memory_limit', `The query has over ${MAX_UNITS} units; name fewer files.`)
}

/** Estimated bytes of a segment in memory, in the types of the scan, constants included. */
function segmentBytes(
  { projection }: ScanSpec,
  columns: ReadonlyMap<string, ColumnInFile>,
  segment: Segment,
): number {
  let bytes = 0
  for (const { index, minRowBytes } of columns.values()) {
    const asStored = index === null ? 0 : (segment.decodedBytes[index] ?? 0)
    bytes += Math.max(asStored, (segment.rows ?? 0) * minRowBytes)
  }
  for (const { expression } of projection) {
    if (expression.kind === 'constant' && expression.value?.kind === 'bytes') {
      bytes += (segment.rows ?? 0) * expression.value.value.length
    }
  }
  return bytes
}
