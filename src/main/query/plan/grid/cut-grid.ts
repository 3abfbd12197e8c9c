import { lastAtMost } from '../../../../plan/binary-search.ts'
import { isConstant } from '../../../../plan/condition/combine.ts'
import type { Condition } from '../../../../plan/condition/condition.ts'
import { BATCH_ROWS, FIRST_UNIT_ROWS, UNIT_BYTES, UNIT_CHUNKS, UNIT_ROWS } from '../../../../plan/limits.ts'
import { columnsAlong, elementsOf, type Grid } from '../../../../plan/source/grid.ts'
import { countRows, countUnits, rowsBefore, type UnitAxis } from '../../../../plan/source/grid-units.ts'
import type { IndexRange } from '../../../../plan/source/unit.ts'
import type { Steps } from '../../../../plan/steps.ts'
import type { ColumnInFile } from '../../source/column-in-file.ts'
import { bytesOfGridRow } from '../row-bytes.ts'
import { mostAtomicChunks } from './grid-costs.ts'
import { type GridLimits, unitAxes } from './grid-steps.ts'
import { isByAxis, pruneGrid } from './index-ranges.ts'
import { chunksLeft } from './scanned-grid.ts'

const LIMITS: GridLimits = Object.freeze({
  rows: UNIT_ROWS,
  bytes: UNIT_BYTES,
  chunks: UNIT_CHUNKS,
  fewRows: FIRST_UNIT_ROWS,
  joinedRows: BATCH_ROWS,
})

/**
 * The most rows for which chunks are put together that the annex decodes. It takes up to ten times as long as a worker, which waits for it,
 * and other queries wait for the worker.
 */
const ANNEX_ROWS = 1 << 17

/** The units of a grid that may have rows which pass a filter. */
export interface CutGrid {
  readonly axes: readonly UnitAxis[]
  /** The chunks in whose order the rows of each unit come. Null: they are in C order. */
  readonly chunk: readonly number[] | null
  /** The bytes of a decoded row, as estimated. */
  readonly rowBytes: number
  /** See `GridUnits`. */
  readonly tileBytes: number | null
  /** The number of units that have to be read. */
  readonly units: number
  /** The number of units that are left out, because none of their rows can pass. */
  readonly pruned: number
  /** The rows of the units that have to be read. */
  readonly rows: number
  /** How many of these rows pass the filter. Null: that is not known before they are read. */
  readonly passing: number | null
  /** Whether it is known that all of these rows pass the filter. */
  readonly isAllPassing: boolean
  /** The index ranges that the filter leaves of each axis. */
  readonly axisRanges: readonly (readonly IndexRange[])[]
}

/**
 * Turns a filter into index ranges along each axis, and cuts the ranges into units. Nothing outside of the ranges is
 * enumerated. `bytesOfRow` estimates the bytes of a decoded row, and `limit` is the most rows that are wanted, so that units need not
 * have more.
 */
export function* cutGrid(
  grid: Grid,
  filter: Condition | null,
  columns: ReadonlyMap<string, ColumnInFile>,
  bytesOfRow: (axisRanges: readonly (readonly IndexRange[])[]) => number,
  limit = Number.POSITIVE_INFINITY,
  limits = LIMITS,
): Steps<CutGrid> {
  const { rows, bytes, fewRows } = limits
  const wanted = Math.max(1, Math.min(limit, grid.annex === undefined ? limit : ANNEX_ROWS))
  const filteredAxes = yield* pruneGrid(grid, filter, columns)
  const isNone = filter !== null && isConstant(filter, false)
  const isSure = isNone || (isByAxis(grid, filter) && filteredAxes.every((each) => each.isSure))
  const passing = isNone ? 0 : filteredAxes.reduce((all, each) => all * indicesIn(each.ranges), 1)
  const ranges = filteredAxes.map((each) => each.ranges)
  const rowBytes = bytesOfRow(ranges)
  const most = Math.max(1, Math.floor(Math.min(rows, Math.max(limit, fewRows), bytes / rowBytes)))
  const chunkRowBytes = bytesOfGridRow(grid, chunkColumns(grid, columns), wholeOf(grid))
  const mostChunks =
    grid.isAtomic && grid.annex === undefined
      ? mostAtomicChunks(grid, chunksLeft(grid, ranges), chunkRowBytes)
      : limits.chunks
  const bounds = { ...limits, chunks: Math.min(limits.chunks, mostChunks) }
  const isEmpty = isNone || elementsOf(grid) === 0 || ranges.some((each) => each.length === 0)
  const steps = isEmpty ? null : unitAxes(grid, ranges, most, wanted, bounds)
  const axes = steps?.axes ?? null
  const units = axes === null ? 0 : countUnits(axes)
  const all =
    elementsOf(grid) === 0
      ? 0
      : countAll(grid, axes ?? unitAxes(grid, wholeOf(grid), most, wanted, bounds).axes)
  const rowsLeft = axes === null ? 0 : countRows(axes)
  return {
    axes: axes ?? [],
    chunk: steps?.chunk ?? null,
    rowBytes,
    tileBytes: grid.isAtomic
      ? elementsOf({ shape: (axes ?? []).map(({ step }) => step) }) * chunkRowBytes
      : null,
    units,
    pruned: Math.max(0, all - units),
    rows: rowsLeft,
    passing: isSure ? passing : null,
    isAllPassing: isSure && passing === rowsLeft,
    axisRanges: ranges,
  }
}

/** The columns that chunks are decoded for: those along an axis are read apart from them. */
function chunkColumns(
  { axes }: Grid,
  columns: ReadonlyMap<string, ColumnInFile>,
): ReadonlyMap<string, ColumnInFile> {
  const along = new Set(axes.flatMap((axis) => columnsAlong(axis).map(({ column }) => column)))
  return new Map([...columns].filter(([name]) => !along.has(name)))
}

function indicesIn(ranges: readonly IndexRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** The number of units that the whole grid would have, if it were cut in the same way. */
function countAll(grid: Grid, axes: readonly UnitAxis[]): number {
  const whole = wholeOf(grid)
  return countUnits(axes.map((axis, index) => ({ ...axis, ranges: whole[index] ?? [] })))
}

/** All indices of each axis. */
function wholeOf({ shape }: Grid): readonly (readonly IndexRange[])[] {
  return shape.map((size) => [{ from: 0, to: size }])
}

/** The units of a cut grid that contain the rows `offset` to before `offset + limit`, and the number of rows before these units. */
export function unitsBetween(
  { axes, units, rows }: CutGrid,
  offset: number,
  limit: number,
): { readonly from: number; readonly to: number; readonly rowsBefore: number } {
  if (offset >= rows || limit <= 0) return { from: units, to: units, rowsBefore: rows }
  if (offset === 0 && limit >= rows) return { from: 0, to: units, rowsBefore: 0 }
  const from = unitOf(axes, units, offset)
  const to = offset + limit >= rows ? units : unitOf(axes, units, offset + limit - 1) + 1
  return { from, to, rowsBefore: rowsBefore(axes, from) }
}

/** The index of the unit that contains a row. */
function unitOf(axes: readonly UnitAxis[], units: number, row: number): number {
  return lastAtMost(units, (unit) => rowsBefore(axes, unit), row)
}
