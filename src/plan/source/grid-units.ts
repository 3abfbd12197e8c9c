import { lastAtMost } from '../halving.ts'
import type { BoxUnit, RowRun } from './unit.ts'

/**
 * Units of a grid: boxes, by arithmetic. Each axis is divided into cells of `step` indices, and those of the grid are read
 * one after the other, the last axis the fastest; a cell that is too large for one unit is cut into parts, which follow
 * each other in the order of its rows. So the order of rows does not depend on what is filtered, nor on where is cut.
 */
export interface GridUnits {
  readonly kind: 'grid'
  /** Index of the first of them among the units of the scan. */
  readonly first: number
  readonly count: number
  /** How many units of the grid come before the first of them. */
  readonly skipped: number
  /** Index into the scan's files. */
  readonly file: number
  readonly axes: readonly UnitAxis[]
  /** Estimated decoded bytes of a row. */
  readonly rowBytes: number
}

export interface UnitAxis {
  /** Of the file. */
  readonly dimension: number
  /** Indices of a cell; cells begin at multiples of it. */
  readonly step: number
  /** Indices of a part of a cell. Parts begin anew with every `block` indices of it, into which a cell can be divided. */
  readonly part: number
  readonly block: number
  /** Indices that are left, in ascending order with others between them. A box lies in one of them. */
  readonly ranges: readonly RowRun[]
}

/** What of one range lies in one cell: the indices `from`..`to`. */
interface Piece extends RowRun {
  /** Its parts, and those of all pieces before it. */
  readonly parts: number
  readonly partsBefore: number
  /** Indices that are left before it. */
  readonly indicesBefore: number
}

/** Units of all of a grid. */
export function countUnits(axes: readonly UnitAxis[]): number {
  return axes.reduce((count, axis) => count * sumsOf(axis).parts, 1)
}

/** Rows of all of a grid. */
export function countRows(axes: readonly UnitAxis[]): number {
  return axes.reduce((rows, axis) => rows * sumsOf(axis).indices, 1)
}

/** Pieces into which an axis falls. */
export function countPieces(axis: UnitAxis): number {
  return axis.ranges.reduce((count, range) => count + piecesIn(axis, range), 0)
}

/** The unit at an index among those of the grid that are in the scan. */
export function boxAt({ axes, skipped, file, rowBytes }: GridUnits, index: number): BoxUnit {
  const { pieces, part } = placeOf(axes, skipped + index)
  const box = pieces.map((piece, place) => partOf(axisAt(axes, place), piece, part[place] ?? 0))
  const extent = box.map(({ from, to }) => to - from)
  return {
    kind: 'box',
    file,
    dimensions: axes.map(({ dimension }) => dimension),
    origin: box.map(({ from }) => from),
    extent,
    decodedBytes: Math.ceil(extent.reduce((rows, each) => rows * each, 1) * rowBytes),
  }
}

/** Rows of the units of a grid before one of them; `index` may be their number. */
export function rowsBefore(axes: readonly UnitAxis[], index: number): number {
  if (index >= countUnits(axes)) return countRows(axes)
  const { pieces, part } = placeOf(axes, index)
  const lengths = pieces.map(({ from, to }) => to - from)
  const boxes = pieces.map((piece, place) => partOf(axisAt(axes, place), piece, part[place] ?? 0))
  const sums = axes.map((axis) => sumsOf(axis).indices)
  let rows = 0
  for (const [place, piece] of pieces.entries()) {
    rows += product(lengths, 0, place) * piece.indicesBefore * product(sums, place + 1)
    const inCell = (boxes[place]?.from ?? 0) - piece.from
    rows +=
      product(
        boxes.map(({ from, to }) => to - from),
        0,
        place,
      ) *
      inCell *
      product(lengths, place + 1)
  }
  return rows
}

/** In which piece of each axis a unit lies, and which part of it the unit is. */
function placeOf(
  axes: readonly UnitAxis[],
  index: number,
): { readonly pieces: readonly Piece[]; readonly part: readonly number[] } {
  const all = axes.map((axis) => sumsOf(axis).parts)
  const pieces: Piece[] = []
  let left = index
  let outer = 1
  for (const [place, axis] of axes.entries()) {
    const each = outer * product(all, place + 1)
    const piece = pieceAt(axis, Math.floor(left / each))
    left -= piece.partsBefore * each
    outer *= piece.parts
    pieces.push(piece)
  }
  const part: number[] = []
  for (const [place, piece] of pieces.entries()) {
    const inner = pieces.slice(place + 1).reduce((count, { parts }) => count * parts, 1)
    part.push(Math.floor(left / inner) % piece.parts)
  }
  return { pieces, part }
}

/** The piece with a part of an axis, which are counted over all its pieces. */
function pieceAt(axis: UnitAxis, part: number): Piece {
  const { step, ranges } = axis
  const { partsBefore, indicesBefore } = sumsOf(axis)
  const place = lastAtMost(partsBefore.length, (at) => partsBefore[at] ?? 0, part)
  const range = ranges[place]
  if (range === undefined) throw new RangeError(`part ${part} of an axis of ${ranges.length} ranges`)
  const before = partsBefore[place] ?? 0
  const inFirst = partsIn(axis, range.from, Math.min(range.to, nextCell(step, range.from)))
  const inEach = partsOfCell(axis)
  const behind = part - before - inFirst
  const cells = behind < 0 ? 0 : 1 + Math.floor(behind / inEach)
  const from = cells === 0 ? range.from : nextCell(step, range.from) + (cells - 1) * step
  const to = Math.min(range.to, nextCell(step, from))
  return {
    from,
    to,
    parts: partsIn(axis, from, to),
    partsBefore: before + (cells === 0 ? 0 : inFirst + (cells - 1) * inEach),
    indicesBefore: (indicesBefore[place] ?? 0) + from - range.from,
  }
}

/** A part of a piece. */
function partOf(axis: UnitAxis, { from, to }: RowRun, part: number): RowRun {
  const { step, part: size, block } = axis
  const inBlock = Math.ceil(block / size)
  const place = partInCell(axis, from) + part
  const begin = Math.floor(from / step) * step + Math.floor(place / inBlock) * block
  const first = begin + (place % inBlock) * size
  return { from: Math.max(from, first), to: Math.min(to, first + size, begin + block) }
}

/** Parts of the indices `from`..`to`, which are at least one and lie in one cell. */
function partsIn(axis: UnitAxis, from: number, to: number): number {
  return partInCell(axis, to - 1) - partInCell(axis, from) + 1
}

/** In which part of its cell an index lies. */
function partInCell({ step, part, block }: UnitAxis, index: number): number {
  const inCell = index % step
  return Math.floor(inCell / block) * Math.ceil(block / part) + Math.floor((inCell % block) / part)
}

function partsOfCell({ step, part, block }: UnitAxis): number {
  return (step / block) * Math.ceil(block / part)
}

function piecesIn({ step }: UnitAxis, { from, to }: RowRun): number {
  return Math.floor((to - 1) / step) - Math.floor(from / step) + 1
}

function nextCell(step: number, from: number): number {
  return (Math.floor(from / step) + 1) * step
}

/** What comes before each range of an axis, and all of it. */
interface AxisSums {
  readonly parts: number
  readonly indices: number
  readonly partsBefore: readonly number[]
  readonly indicesBefore: readonly number[]
}

/** They are not sent with a space: whoever has one makes them once. */
const sums = new WeakMap<UnitAxis, AxisSums>()

function sumsOf(axis: UnitAxis): AxisSums {
  const known = sums.get(axis)
  if (known !== undefined) return known
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
  const made = { parts, indices, partsBefore, indicesBefore }
  sums.set(axis, made)
  return made
}

function partsOfRange(axis: UnitAxis, range: RowRun): number {
  const { step } = axis
  const pieces = piecesIn(axis, range)
  if (pieces === 1) return partsIn(axis, range.from, range.to)
  const first = partsIn(axis, range.from, nextCell(step, range.from))
  const last = partsIn(axis, Math.floor((range.to - 1) / step) * step, range.to)
  return first + (pieces - 2) * partsOfCell(axis) + last
}

function product(numbers: readonly number[], from: number, to = numbers.length): number {
  let all = 1
  for (let place = from; place < to; place++) all *= numbers[place] ?? 1
  return all
}

function axisAt(axes: readonly UnitAxis[], place: number): UnitAxis {
  const axis = axes[place]
  if (axis === undefined) throw new RangeError(`axis ${place} of ${axes.length}`)
  return axis
}
