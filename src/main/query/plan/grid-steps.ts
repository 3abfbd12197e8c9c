import type { Grid } from '../../../plan/source/grid.ts'
import { countPieces, type UnitAxis } from '../../../plan/source/grid-units.ts'
import type { RowRun } from '../../../plan/source/unit.ts'

/** Bounds of a unit of a grid. */
export interface GridLimits {
  readonly rows: number
  /** Estimated, decoded. */
  readonly bytes: number
  readonly chunks: number
  /** Rows of a unit where no more than that are wanted. */
  readonly fewRows: number
}

/**
 * Cells of a grid along each axis: of one chunk, or of as many as make a unit where chunks are small, the last axis first.
 * They hang on the grid alone, and so does the order of its rows.
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

/** The axes of the units for what is left of a grid. A unit has at most `mostRows` rows, and reads a bounded number of chunks. */
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

/** Ranges between which there is no whole chunk are read as one. */
function joined(ranges: readonly RowRun[], chunk: number): readonly RowRun[] {
  const made: { from: number; to: number }[] = []
  for (const { from, to } of ranges) {
    const last = made.at(-1)
    if (last !== undefined && Math.ceil(last.to / chunk) >= Math.floor(from / chunk)) last.to = to
    else made.push({ from, to })
  }
  return made
}

/** Cells in parts, along the first axes first: then the parts of a cell follow each other in the order of its rows. */
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
 * Where little is left of each cell, several to a unit: along the last axis that has more than one piece, if of the axes
 * before it a unit has one index each. Else the rows of the cells would be mixed.
 */
function merged(
  axes: readonly UnitAxis[],
  chunk: readonly number[],
  mostRows: number,
  mostChunks: number,
): readonly UnitAxis[] {
  const place = axes.findLastIndex((axis) => countPieces(axis) > 1)
  const axis = axes[place]
  if (axis === undefined || axes.slice(0, place).some((each) => longest(each) > 1)) return axes
  const inner = axes.slice(place + 1)
  const room = Math.floor(mostRows / productOf(inner.map(longest)) / axis.step)
  const chunks = inner.reduce((all, each, at) => all * chunksIn(each, chunk[place + 1 + at] ?? 1), 1)
  const most = Math.floor((mostChunks * (chunk[place] ?? 1)) / (chunks * axis.step))
  const step = axis.step * Math.max(1, Math.min(room, most))
  const wider = { ...axis, step, part: step, block: step }
  const made = axes.with(place, wider)
  return step > axis.step && countPieces(wider) === 1 ? merged(made, chunk, mostRows, mostChunks) : made
}

/** Indices that a unit has along an axis, at most. */
function longest({ part, ranges }: UnitAxis): number {
  return Math.min(
    part,
    ranges.reduce((most, { from, to }) => Math.max(most, to - from), 0),
  )
}

/** Chunks that the one piece of an axis lies in. */
function chunksIn({ ranges }: UnitAxis, chunk: number): number {
  return ranges.reduce(
    (count, { from, to }) => count + Math.floor((to - 1) / chunk) - Math.floor(from / chunk) + 1,
    0,
  )
}

function productOf(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all * each, 1)
}
