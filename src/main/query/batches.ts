import type { FileSummary, Unit } from '../../plan/unit.ts'

/** What one task reads at most. */
export interface BatchLimits {
  readonly rows: number
  /** Estimated, decoded. */
  readonly bytes: number
}

/** The way of a task and its answer takes as long as counting some 100 000 rows. */
const BATCH: BatchLimits = Object.freeze({ rows: 1 << 18, bytes: 16 << 20 })

/**
 * Units in runs that one task reads, in file order. Units are together that begin in the same stretch of rows of all that
 * the files have, so the same ones are in every query that reads them, and go to the worker that has them. The units of a
 * text file stand alone.
 */
export function batchesOf(
  units: readonly Unit[],
  summaries: readonly FileSummary[],
  most: BatchLimits = BATCH,
): readonly (readonly Unit[])[] {
  const batches: Unit[][] = []
  const before = rowCounter(summaries)
  let stretch = -1
  let bytes = 0
  for (const unit of units) {
    const its = Number.isFinite(unit.to) ? Math.floor((before(unit) + unit.from) / most.rows) : -1
    bytes += unit.decodedBytes
    const last = batches.at(-1)
    if (last !== undefined && its === stretch && its >= 0 && bytes <= most.bytes) last.push(unit)
    else {
      batches.push([unit])
      bytes = unit.decodedBytes
    }
    stretch = its
  }
  return batches
}

/** Rows before the segment of a unit; asked for in file order. */
function rowCounter(summaries: readonly FileSummary[]): (unit: Unit) => number {
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
