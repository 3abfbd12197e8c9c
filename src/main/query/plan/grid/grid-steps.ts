import { BATCH_ROWS } from '../../../../plan/limits.ts'
import { productOf } from '../../../../plan/product-of.ts'
import { elementsOf, type Grid } from '../../../../plan/source/grid.ts'
import { countTileSlices, type UnitAxis } from '../../../../plan/source/grid-units.ts'
import type { IndexRange } from '../../../../plan/source/unit.ts'

/** The limits of a unit of a grid. */
export interface GridLimits {
  readonly rows: number
  /** Estimated decoded bytes. */
  readonly bytes: number
  readonly chunks: number
  /** The most rows of a unit if a query wants no more rows than that. */
  readonly fewRows: number
  /** The most rows of a unit of several chunks whose rows have to be put into the order of chunks. */
  readonly joinedRows: number
}

/** How a grid is divided into units. */
export interface GridSteps {
  readonly axes: readonly UnitAxis[]
  /** The chunks in whose order the rows of each unit come. Null: they are in C order. */
  readonly chunk: readonly number[] | null
}

/**
 * The chunks in whose order the rows of a grid come. If the grid has no stored chunks, its rows come in C order. They are then
 * planned as if each chunk were a part of one line, or some lines that follow each other: the order of such chunks is C order too.
 */
export function chunkInOrder({ shape, chunk, isAtomic }: Pick<Grid, 'shape' | 'chunk' | 'isAtomic'>): {
  readonly chunk: readonly number[]
  readonly isStored: boolean
} {
  if (isAtomic || chunk.some((each, index) => each < (shape[index] ?? 0))) return { chunk, isStored: true }
  let tiles = 1
  const reversedChunk = shape.toReversed().map((size) => {
    const fitting = Math.max(1, Math.min(size, Math.floor(BATCH_ROWS / tiles)))
    tiles = fitting < size ? BATCH_ROWS : tiles * fitting
    return fitting
  })
  return { chunk: reversedChunk.toReversed(), isStored: false }
}

/** The ranges along an axis with one range for each chunk: from the first index in it that is left to the last one. */
export function hulls(ranges: readonly IndexRange[], chunk: number): readonly IndexRange[] {
  const chunkHulls: { from: number; to: number }[] = []
  for (const { from, to } of ranges) {
    const last = chunkHulls.at(-1)
    if (last !== undefined && Math.ceil(last.to / chunk) > Math.floor(from / chunk)) last.to = to
    else if (last?.to === from) last.to = to
    else chunkHulls.push({ from, to })
  }
  return chunkHulls
}

/**
 * Cuts what a filter leaves of a grid into units; `axisRanges` are those of its indices. A unit is a part of a chunk or, if
 * little is left of chunks, several that follow each other. It has at most `mostRows` rows. Chunks are only put together as long
 * as it has at most `wantedRows`. The rows of all units come chunk by chunk: chunks in C order, and C order inside.
 */
export function unitAxes(
  grid: Grid,
  axisRanges: readonly (readonly IndexRange[])[],
  mostRows: number,
  wantedRows: number,
  limits: GridLimits,
): GridSteps {
  const { chunk, isStored } = chunkInOrder(grid)
  const single = grid.axes.map(({ dimension }, index): UnitAxis => {
    const step = chunk[index] ?? 1
    return { dimension, step, part: step, ranges: hulls(axisRanges[index] ?? [], step) }
  })
  if (productOf(single.map(longest)) > mostRows) return { axes: cut(single, mostRows), chunk: null }
  const merged = merge(single, {
    rows: Math.min(mostRows, wantedRows),
    joinedRows: limits.joinedRows,
    chunks: isStored ? limits.chunks : elementsOf(grid),
  })
  return { axes: merged.axes, chunk: merged.isMixed ? chunk : null }
}

/** Cuts chunks into equal parts. The first axes are cut first, so that the parts follow each other in C order. */
function cut(axes: readonly UnitAxis[], mostRows: number): readonly UnitAxis[] {
  const extents = axes.map(longest)
  return axes.map((axis, index) => {
    const rows = productOf(extents)
    if (rows <= mostRows) return axis
    const extent = extents[index] ?? 1
    const most = Math.max(1, Math.floor((mostRows * extent) / rows))
    const part = Math.ceil(axis.step / Math.ceil(axis.step / most))
    extents[index] = Math.min(extent, part)
    return { ...axis, part }
  })
}

/**
 * Puts chunks together: those along the last axis and, as long as all that is left of an axis is in one unit, those along the axis
 * before it. So the chunks of a unit follow each other. Their C order is that of the rows only if a chunk has a single index
 * along each axis before; otherwise the rows are `isMixed`, and of such units fewer rows are put together.
 */
function merge(
  single: readonly UnitAxis[],
  most: Pick<GridLimits, 'rows' | 'joinedRows' | 'chunks'>,
): { readonly axes: readonly UnitAxis[]; readonly isMixed: boolean } {
  let axes = single
  let isMixed = false
  let chunks = 1
  for (const [index, axis] of [...single.entries()].reverse()) {
    if (countTileSlices(axis) <= 1) continue
    const wouldMix: boolean = isMixed || axes.slice(0, index).some((each) => longest(each) > 1)
    const mostRows = wouldMix ? Math.min(most.rows, most.joinedRows) : most.rows
    const perIndex = productOf(axes.with(index, ONE_INDEX).map(longest))
    const indices = Math.floor(mostRows / perIndex)
    const all = longestRange(axis)
    const fitting = all <= indices ? Math.ceil(lastOf(axis) / axis.step) : Math.floor(indices / axis.step)
    const count = Math.min(fitting, Math.floor(most.chunks / chunks))
    if (count <= 1) break
    const wider = { ...axis, step: count * axis.step, part: count * axis.step }
    axes = axes.with(index, wider)
    const inUnit = Math.min(count, Math.ceil(all / axis.step) + 1)
    isMixed ||= wouldMix && all > 1
    chunks *= inUnit
    if (countTileSlices(wider) > 1) break
  }
  return { axes, isMixed }
}

const ONE_INDEX: UnitAxis = Object.freeze({ dimension: 0, step: 1, part: 1, ranges: [{ from: 0, to: 1 }] })

/** The most indices that a unit has along an axis. */
function longest(axis: UnitAxis): number {
  return Math.min(axis.part, longestRange(axis))
}

function longestRange({ ranges }: UnitAxis): number {
  return ranges.reduce((most, { from, to }) => Math.max(most, to - from), 0)
}

function lastOf({ ranges }: UnitAxis): number {
  return ranges.at(-1)?.to ?? 0
}
