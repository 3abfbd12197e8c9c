import type { Grid } from '../../../plan/source/grid.ts'
import { countCellSlices, type UnitAxis } from '../../../plan/source/grid-units.ts'
import type { RowRun } from '../../../plan/source/unit.ts'

/** The limits of a unit of a grid. */
export interface GridLimits {
  readonly rows: number
  /** Estimated decoded bytes. */
  readonly bytes: number
  readonly chunks: number
  /** The most rows of a unit if a query wants no more rows than that. */
  readonly fewRows: number
}

/**
 * The indices of a cell along each axis. A cell is one chunk or, if chunks are small, as many as fit into a unit, beginning with
 * those along the last axis. Cells depend on the grid alone, so that the order of its rows does too.
 */
export function cellSteps(
  { shape, chunk }: Pick<Grid, 'shape' | 'chunk'>,
  limits: GridLimits,
): readonly number[] {
  const steps = [...chunk]
  const extents = steps.map((step, place) => Math.min(step, shape[place] ?? 0))
  let chunks = 1
  for (let place = steps.length - 1; place >= 0; place--) {
    const size = shape[place] ?? 0
    const each = chunk[place] ?? 1
    const room = Math.floor((limits.rows * (extents[place] ?? 1)) / Math.max(1, productOf(extents)))
    const most = Math.min(Math.floor(room / each), Math.floor(limits.chunks / chunks), Math.ceil(size / each))
    const step = Math.max(1, most) * each
    steps[place] = step
    extents[place] = Math.min(size, step)
    chunks *= Math.max(1, most)
    if (step < size) break
  }
  return steps
}

/**
 * Cuts what a filter leaves of a grid into units; `left` are the index ranges of each axis. A unit has at most `mostRows` rows and
 * reads a limited number of chunks.
 */
export function unitAxes(
  { shape, chunk, axes }: Grid,
  left: readonly (readonly RowRun[])[],
  mostRows: number,
  limits: GridLimits,
): readonly UnitAxis[] {
  const cells = cellSteps({ shape, chunk }, limits)
  const whole = axes.map(({ dimension }, place): UnitAxis => {
    const step = cells[place] ?? 1
    return { dimension, step, part: step, block: step, ranges: joined(left[place] ?? [], chunk[place] ?? 1) }
  })
  const rows = productOf(whole.map(longest))
  return rows > mostRows ? cut(whole, chunk, mostRows) : merged(whole, chunk, mostRows, limits.chunks)
}

/** Joins ranges that have no whole chunk between them: reading what is between costs no further chunk. */
function joined(ranges: readonly RowRun[], chunk: number): readonly RowRun[] {
  const made: { from: number; to: number }[] = []
  for (const { from, to } of ranges) {
    const last = made.at(-1)
    if (last !== undefined && Math.ceil(last.to / chunk) >= Math.floor(from / chunk)) last.to = to
    else made.push({ from, to })
  }
  return made
}

/**
 * Cuts cells into parts. The first axes are cut first, so that the rows of the parts, one part after the other, are in the order
 * of the cell's rows.
 */
function cut(axes: readonly UnitAxis[], chunk: readonly number[], mostRows: number): readonly UnitAxis[] {
  const extents = axes.map(longest)
  return axes.map((axis, place) => {
    const rows = productOf(extents)
    const extent = extents[place] ?? 1
    if (rows <= mostRows) return axis
    const most = Math.max(1, Math.floor((mostRows * extent) / rows))
    const size = chunk[place] ?? 1
    // Whole chunks, or equal parts of one.
    const part = most >= size ? most - (most % size) : Math.ceil(size / Math.ceil(size / most))
    const block = part < size ? size : axis.step
    extents[place] = part
    return { ...axis, part, block }
  })
}

/**
 * Puts several cells into one unit if few rows are left of each. They are merged along the last axis that has more than one
 * piece, and only if a unit has a single index along each axis before that one: otherwise the rows of the cells would be mixed.
 */
function merged(
  axes: readonly UnitAxis[],
  chunk: readonly number[],
  mostRows: number,
  mostChunks: number,
): readonly UnitAxis[] {
  const place = axes.findLastIndex((axis) => countCellSlices(axis) > 1)
  const axis = axes[place]
  if (axis === undefined || axes.slice(0, place).some((each) => longest(each) > 1)) return axes
  const inner = axes.slice(place + 1)
  const room = Math.floor(mostRows / productOf(inner.map(longest)) / axis.step)
  const chunks = inner.reduce((all, each, at) => all * chunksIn(each, chunk[place + 1 + at] ?? 1), 1)
  const most = Math.floor((mostChunks * (chunk[place] ?? 1)) / (chunks * axis.step))
  const step = axis.step * Math.max(1, Math.min(room, most))
  const wider = { ...axis, step, part: step, block: step }
  const made = axes.with(place, wider)
  return step > axis.step && countCellSlices(wider) === 1 ? merged(made, chunk, mostRows, mostChunks) : made
}

/** The most indices that a unit has along an axis. */
function longest({ part, ranges }: UnitAxis): number {
  return Math.min(
    part,
    ranges.reduce((most, { from, to }) => Math.max(most, to - from), 0),
  )
}

/** The number of chunks that contain the only piece of an axis. */
function chunksIn({ ranges }: UnitAxis, chunk: number): number {
  return ranges.reduce(
    (count, { from, to }) => count + Math.floor((to - 1) / chunk) - Math.floor(from / chunk) + 1,
    0,
  )
}

function productOf(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all * each, 1)
}
