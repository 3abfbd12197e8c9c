import { memoize } from '../../../plan/memoize.ts'
import { type ArrayLayout, gridOfAll } from '../../../plan/source/array-layout.ts'
import { type Axis, faultOfGrid, type Grid } from '../../../plan/source/grid.ts'
import type { Segment } from '../../../plan/source/segments.ts'
import type { LearnedFile } from '../learned-files.ts'

/** What the grids or segments of many files have in common, as it is stored once for all of them: everything but sizes. */
export type StoredLayout =
  | { readonly kind: 'none' }
  | { readonly kind: 'grid'; readonly grid: GridLayout }
  | { readonly kind: 'arrays'; readonly arrays: ArrayLayout }
  /** The only segment. Sizes are its rows, NaN if their number is not known, and of each column the bytes when decoded, and then those stored. */
  | { readonly kind: 'segment' }

/** A grid without the sizes of its axes. A chunk that is as long as its axis is null. */
interface GridLayout extends Pick<Grid, 'leader' | 'isAtomic' | 'annex' | 'decodedBytes' | 'sharedAxes'> {
  readonly chunk: readonly (number | null)[]
  readonly axes: readonly Pick<Axis, 'dimension' | 'name'>[]
}

/** The parts of what is learned that a layout and sizes tell. */
export type LaidOut = Pick<LearnedFile, 'grid' | 'arrays' | 'segment'>

const NO_SIZES: readonly number[] = Object.freeze([])

const SEGMENT = textOf({ kind: 'segment' })

/** The JSON of a layout, which many files share. */
const textOfArrays = memoize((arrays: ArrayLayout) => textOf({ kind: 'arrays', arrays }))

/** The layout of a file as JSON, and its sizes, to be read by `readLayout` and `laidOut`. */
export function layoutOf({ grid, arrays, segment }: LaidOut): {
  readonly text: string
  readonly sizes: readonly number[]
} {
  if (arrays !== undefined) return { text: textOfArrays(arrays.layout), sizes: arrays.sizes }
  if (segment !== undefined) return { text: SEGMENT, sizes: sizesOfSegment(segment) }
  if (grid === null) return { text: textOf({ kind: 'none' }), sizes: NO_SIZES }
  return { text: textOf({ kind: 'grid', grid: gridLayout(grid) }), sizes: grid.shape }
}

function sizesOfSegment({ rows, decodedBytes, storedBytes }: Segment): readonly number[] {
  return [rows ?? Number.NaN, ...decodedBytes, ...storedBytes]
}

/** The segment that has these sizes. Null: they are those of none. */
function segmentOfSizes([rows = -1, ...bytes]: readonly number[]): Segment | null {
  const isCount = (size: number): boolean => Number.isSafeInteger(size) && size >= 0
  if (bytes.length % 2 !== 0 || !bytes.every(isCount) || !(Number.isNaN(rows) || isCount(rows))) return null
  const columns = bytes.length / 2
  return {
    rows: Number.isNaN(rows) ? null : rows,
    decodedBytes: bytes.slice(0, columns),
    storedBytes: bytes.slice(columns),
  }
}

function textOf(layout: StoredLayout): string {
  return JSON.stringify(layout)
}

function gridLayout(grid: Grid): GridLayout {
  const { leader, isAtomic, annex, decodedBytes, sharedAxes, shape } = grid
  return {
    ...(leader !== undefined && { leader }),
    isAtomic,
    ...(annex && { annex }),
    decodedBytes,
    ...(sharedAxes && { sharedAxes }),
    chunk: grid.chunk.map((each, axis) => (each === Math.max(1, shape[axis] ?? 0) ? null : each)),
    axes: grid.axes.map(({ dimension, name }) => ({ dimension, ...(name !== undefined && { name }) })),
  }
}

/** Reads a layout that has been stored, and whose digest is right. Throws `SyntaxError` or `TypeError` for any other text. */
export function readLayout(json: string): StoredLayout {
  const layout = JSON.parse(json) as StoredLayout
  switch (layout.kind) {
    case 'none':
    case 'grid':
    case 'arrays':
    case 'segment':
      return layout
    default:
      throw new TypeError('a stored layout is none')
  }
}

/** What a layout and the sizes of a file tell. Null: they do not fit. */
export function laidOut(layout: StoredLayout, sizes: readonly number[]): LaidOut | null {
  if (layout.kind === 'none') return { grid: null }
  if (layout.kind === 'segment') {
    const segment = segmentOfSizes(sizes)
    return segment && { grid: null, segment }
  }
  if (layout.kind === 'arrays') {
    const arrays = { layout: layout.arrays, sizes }
    const grid = gridOfAll(arrays)
    return grid === null || faultOfGrid(grid) !== null ? null : { grid, arrays }
  }
  const grid: Grid = {
    kind: 'grid',
    ...layout.grid,
    shape: sizes,
    chunk: layout.grid.chunk.map((each, axis) => each ?? Math.max(1, sizes[axis] ?? 0)),
    axes: layout.grid.axes.map((axis) => ({ ...axis, column: null, block: 1, statistics: [] })),
  }
  return faultOfGrid(grid) === null ? { grid } : null
}
