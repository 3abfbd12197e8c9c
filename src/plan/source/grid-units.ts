import { lastAtMost } from '../binary-search.ts'
import { memoize } from '../memoize.ts'
import { productOf } from '../product-of.ts'
import type { BoxUnit, IndexRange } from './unit.ts'

/**
 * The units of a grid, which are boxes and are computed from their indexes. Each axis is divided into tiles of `step` indices. The
 * tiles of the grid are read in order, with the last axis varying fastest. A tile is a chunk, which may be cut into parts in the
 * order of its rows, or several chunks that follow each other. So rows come chunk by chunk, whatever the units are.
 */
export interface GridUnits {
  readonly kind: 'grid'
  /** The index of the first of them among the units of the scan. */
  readonly first: number
  readonly count: number
  /** The number of units of the grid before the first of them. */
  readonly skipped: number
  /** The index of the file in the scan. */
  readonly file: number
  readonly axes: readonly UnitAxis[]
  /** The bytes of a decoded row, as estimated. */
  readonly rowBytes: number
  /** The bytes of a decoded tile, as estimated, if chunks can only be decoded as a whole. Null: they can be read in part. */
  readonly tileBytes: number | null
  /** See `BoxUnit`. Null: the rows of each unit are in C order. */
  readonly chunk: readonly number[] | null
}

export interface UnitAxis {
  /** The dimension of the file. */
  readonly dimension: number
  /** The number of indices of a tile. Tiles begin at multiples of it. */
  readonly step: number
  /** The number of indices of a part of a tile. */
  readonly part: number
  /** The indices that the filter leaves: ascending ranges, with other indices between them. Each box is in one of them. */
  readonly ranges: readonly IndexRange[]
}

/** The indices `from`..`to` of one range that are in one tile. */
interface TileSlice extends IndexRange {
  /** The number of its parts, and of the parts of all slices before it. */
  readonly parts: number
  readonly partsBefore: number
  /** The number of indices in all ranges and slices before it. */
  readonly indicesBefore: number
}

/** The number of units of a whole grid. */
export function countUnits(axes: readonly UnitAxis[]): number {
  return axes.reduce((count, axis) => count * sumsOf(axis).parts, 1)
}

/** The number of rows of all units of a grid. */
export function countRows(axes: readonly UnitAxis[]): number {
  return axes.reduce((rows, axis) => rows * sumsOf(axis).indices, 1)
}

/** The number of slices of an axis. */
export function countTileSlices(axis: UnitAxis): number {
  return axis.ranges.reduce((count, range) => count + tilesIn(axis, range), 0)
}

/** The unit at an index, counted from the first that is in the scan. */
export function boxAt(
  { axes, skipped, file, rowBytes, tileBytes, chunk }: GridUnits,
  index: number,
): BoxUnit {
  const { slices, part } = locate(axes, skipped + index)
  const box = slices.map((slice, at) => partOf(axisAt(axes, at), slice, part[at] ?? 0))
  const extent = box.map(({ from, to }) => to - from)
  return {
    kind: 'box',
    file,
    dimensions: axes.map(({ dimension }) => dimension),
    origin: box.map(({ from }) => from),
    extent,
    decodedBytes: Math.ceil(productOf(extent) * rowBytes),
    ...(chunk !== null && { chunk }),
    ...(tileBytes !== null && {
      exclusive: exclusiveTiles(axes, box),
      tile: { origin: box.map(({ from }, at) => firstOfTile(axes, at, from)), bytes: tileBytes },
    }),
  }
}

/** The number of rows of all units before one of them. `index` may be the number of units. */
export function rowsBefore(axes: readonly UnitAxis[], index: number): number {
  if (index >= countUnits(axes)) return countRows(axes)
  const { slices, part } = locate(axes, index)
  const lengths = slices.map(({ from, to }) => to - from)
  const boxes = slices.map((slice, at) => partOf(axisAt(axes, at), slice, part[at] ?? 0))
  const sums = axes.map((axis) => sumsOf(axis).indices)
  let rows = 0
  for (const [at, slice] of slices.entries()) {
    rows += product(lengths, 0, at) * slice.indicesBefore * product(sums, at + 1)
    const inTile = (boxes[at]?.from ?? 0) - slice.from
    rows +=
      product(
        boxes.map(({ from, to }) => to - from),
        0,
        at,
      ) *
      inTile *
      product(lengths, at + 1)
  }
  return rows
}

/** For each axis the slice in which a unit is, and the index of its part in the slice. */
function locate(
  axes: readonly UnitAxis[],
  index: number,
): { readonly slices: readonly TileSlice[]; readonly part: readonly number[] } {
  const all = axes.map((axis) => sumsOf(axis).parts)
  const slices: TileSlice[] = []
  let remaining = index
  let outer = 1
  for (const [at, axis] of axes.entries()) {
    const each = outer * product(all, at + 1)
    const slice = sliceAt(axis, Math.floor(remaining / each))
    remaining -= slice.partsBefore * each
    outer *= slice.parts
    slices.push(slice)
  }
  const part: number[] = []
  for (const [at, slice] of slices.entries()) {
    const inner = slices.slice(at + 1).reduce((count, { parts }) => count * parts, 1)
    part.push(Math.floor(remaining / inner) % slice.parts)
  }
  return { slices, part }
}

/** The slice with a part of an axis. Parts are counted over all slices of the axis. */
function sliceAt(axis: UnitAxis, part: number): TileSlice {
  const { step, ranges } = axis
  const { partsBefore, indicesBefore } = sumsOf(axis)
  const at = lastAtMost(partsBefore.length, (each) => partsBefore[each] ?? 0, part)
  const range = ranges[at]
  if (range === undefined) throw new RangeError(`part ${part} of an axis of ${ranges.length} ranges`)
  const before = partsBefore[at] ?? 0
  const inFirst = partsIn(axis, range.from, Math.min(range.to, nextTile(step, range.from)))
  const inEach = partsOfTile(axis)
  const behind = part - before - inFirst
  const tiles = behind < 0 ? 0 : 1 + Math.floor(behind / inEach)
  const from = tiles === 0 ? range.from : nextTile(step, range.from) + (tiles - 1) * step
  const to = Math.min(range.to, nextTile(step, from))
  return {
    from,
    to,
    parts: partsIn(axis, from, to),
    partsBefore: before + (tiles === 0 ? 0 : inFirst + (tiles - 1) * inEach),
    indicesBefore: (indicesBefore[at] ?? 0) + from - range.from,
  }
}

/** The indices of a part of a slice. */
function partOf({ step, part: size }: UnitAxis, { from, to }: IndexRange, part: number): IndexRange {
  const first = Math.floor(from / step) * step + (Math.floor((from % step) / size) + part) * size
  return { from: Math.max(from, first), to: Math.min(to, first + size) }
}

/** The number of parts of the indices `from`..`to`, of which there is at least one, and which are in one tile. */
function partsIn({ step, part }: UnitAxis, from: number, to: number): number {
  return Math.floor(((to - 1) % step) / part) - Math.floor((from % step) / part) + 1
}

function partsOfTile({ step, part }: UnitAxis): number {
  return Math.ceil(step / part)
}

function tilesIn({ step }: UnitAxis, { from, to }: IndexRange): number {
  return Math.floor((to - 1) / step) - Math.floor(from / step) + 1
}

function nextTile(step: number, from: number): number {
  return (Math.floor(from / step) + 1) * step
}

/** The numbers of parts and of indices of an axis, and of those before each of its ranges. */
interface AxisSums {
  readonly parts: number
  readonly indices: number
  readonly partsBefore: readonly number[]
  readonly indicesBefore: readonly number[]
}

/** They are not sent with the units, but computed once by each thread. */
const sumsOf = memoize((axis: UnitAxis): AxisSums => {
  const partsBefore: number[] = []
  const indicesBefore: number[] = []
  let parts = 0
  let indices = 0
  for (const range of axis.ranges) {
    partsBefore.push(parts)
    indicesBefore.push(indices)
    parts += partsOfRange(axis, range)
    indices += range.to - range.from
  }
  return { parts, indices, partsBefore, indicesBefore }
})

function partsOfRange(axis: UnitAxis, range: IndexRange): number {
  const { step } = axis
  const tiles = tilesIn(axis, range)
  if (tiles === 1) return partsIn(axis, range.from, range.to)
  const first = partsIn(axis, range.from, nextTile(step, range.from))
  const last = partsIn(axis, Math.floor((range.to - 1) / step) * step, range.to)
  return first + (tiles - 2) * partsOfTile(axis) + last
}

function product(numbers: readonly number[], from: number, to = numbers.length): number {
  let all = 1
  for (let at = from; at < to; at++) all *= numbers[at] ?? 1
  return all
}

/** The part of a tile in which the box of a unit is, as far as there are no boxes of others: up to the ranges around its own. */
function exclusiveTiles(
  axes: readonly UnitAxis[],
  box: readonly IndexRange[],
): NonNullable<BoxUnit['exclusive']> {
  const origin: number[] = []
  const extent: number[] = []
  for (const [at, { from }] of box.entries()) {
    const { step, part, ranges } = axisAt(axes, at)
    const tile = Math.floor(from / step) * step
    const first = tile + Math.floor((from - tile) / part) * part
    const range = lastAtMost(ranges.length, (each) => ranges[each]?.from ?? 0, from)
    const begin = Math.max(first, ranges[range - 1]?.to ?? 0)
    const end = Math.min(first + part, tile + step, ranges[range + 1]?.from ?? Number.POSITIVE_INFINITY)
    origin.push(begin)
    extent.push(end - begin)
  }
  return { origin, extent }
}

function firstOfTile(axes: readonly UnitAxis[], at: number, index: number): number {
  const { step } = axisAt(axes, at)
  return Math.floor(index / step) * step
}

function axisAt(axes: readonly UnitAxis[], at: number): UnitAxis {
  const axis = axes[at]
  if (axis === undefined) throw new RangeError(`axis ${at} of ${axes.length}`)
  return axis
}
