import type { ScanSpec } from '../../../plan/scan.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { RowsUnit, Unit } from '../../../plan/source/unit.ts'
import type { UnitSpace } from '../../../plan/source/unit-space.ts'
import { columnsIn } from '../source/column-in-file.ts'
import type { Batches } from './unit-sequence.ts'

/** What one task reads at most. */
export interface BatchLimits {
  readonly rows: number
  /** Estimated, decoded. */
  readonly bytes: number
}

/** Rows of a batch, at least and at most: powers of two, so that stretches of one size are made of those of another. */
const ROWS = Object.freeze({ least: 1 << 18, most: 1 << 21 })

const BYTES = 16 << 20

/** What a batch should take, where it may hold so many rows: ten times the way of a task and its answer. Nanoseconds. */
const BATCH_NS = 4_000_000

/** Measured on one column, of numbers or by dictionary: to inflate and decode a stored byte, and to look at a row. */
const STORED_BYTE_NS = 2.5
const ROW_NS = 1.5

/** The more rows the less they take, by what the columns of a scan have stored. */
export function batchLimits(scan: Pick<ScanSpec, 'columns'>, summaries: readonly FileSummary[]): BatchLimits {
  let bytes = 0
  let rows = 0
  for (const summary of summaries) {
    const places = [...columnsIn(summary, scan).values()].flatMap(({ index }) => index ?? [])
    for (const segment of summary.segments) {
      rows += segment.rows ?? 0
      for (const place of places) bytes += segment.storedBytes[place] ?? 0
    }
  }
  const rowNs = ROW_NS + (rows === 0 ? 0 : (bytes / rows) * STORED_BYTE_NS)
  let most: number = ROWS.least
  while (most < ROWS.most && 2 * most * rowNs <= BATCH_NS) most *= 2
  return { rows: most, bytes: BYTES }
}

/**
 * Units in runs that one task reads, in file order. Units are together that begin in the same stretch of rows of all that
 * the files have, so the same ones are in every query of the same columns, and go to the worker that has them. The units
 * of a text file stand alone.
 */
export function batchesOf(space: UnitSpace, summaries: readonly FileSummary[], most: BatchLimits): Batches {
  const batches: Unit[][] = []
  const before = rowCounter(summaries)
  let stretch = -1
  let bytes = 0
  for (const { units } of space.runs)
    for (const unit of units) {
      const its = unit.kind === 'rows' ? Math.floor((before(unit) + unit.from) / most.rows) : -1
      bytes += unit.decodedBytes
      const last = batches.at(-1)
      if (last !== undefined && its === stretch && its >= 0 && bytes <= most.bytes) last.push(unit)
      else {
        batches.push([unit])
        bytes = unit.decodedBytes
      }
      stretch = its
    }
  return { count: batches.length, at: (index) => batches[index] ?? [] }
}

/** Rows before the segment of a unit; asked for in file order. */
function rowCounter(summaries: readonly FileSummary[]): (unit: RowsUnit) => number {
  let rows = 0
  let file = 0
  let segment = 0
  return (unit) => {
    while (file < unit.file || (file === unit.file && segment < unit.segment)) {
      const segments = summaries[file]?.segments ?? []
      if (segment < segments.length) rows += segments[segment++]?.rows ?? 0
      else {
        file++
        segment = 0
      }
    }
    return rows
  }
}
