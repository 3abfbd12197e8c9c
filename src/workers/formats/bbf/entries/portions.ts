import type { EntryGrid } from './entry-grid.ts'

/** Rows of an entry: those of a box of its grid, which follow each other in C order. */
export interface EntryBox {
  /** The number of the entry among those of the run that are read. */
  readonly index: number
  readonly origin: readonly number[]
  readonly extent: readonly number[]
  readonly rows: number
}

/** Rows that are decoded together: those of whole entries that follow each other, or those of a box of a large one. */
export interface Portion {
  /** The rows of the run before them. */
  readonly from: number
  readonly rows: number
  readonly boxes: readonly EntryBox[]
  /** Whether the run has no rows behind them. */
  readonly isLast: boolean
}

/** The portion of a run that has row `row`, of at most `mostRows` rows. If there is no such row, it has none. */
export function portionAt(grids: readonly EntryGrid[], row: number, mostRows: number): Portion {
  const total = grids.reduce((sum, { rows }) => sum + rows, 0)
  let from = 0
  let rows = 0
  let boxes: EntryBox[] = []
  for (const [index, grid] of grids.entries()) {
    if (rows > 0 && rows + grid.rows > mostRows) {
      if (from + rows > row) break
      from += rows
      rows = 0
      boxes = []
    }
    if (grid.rows > mostRows) {
      if (from + grid.rows <= row) {
        from += grid.rows
        continue
      }
      const box = boxAt(grid, row - from, mostRows)
      return {
        from: from + box.from,
        rows: box.rows,
        boxes: [{ index, ...box }],
        isLast: from + box.from + box.rows === total,
      }
    }
    if (grid.rows === 0) continue
    boxes.push({ index, origin: grid.origin, extent: grid.extent, rows: grid.rows })
    rows += grid.rows
  }
  if (from + rows <= row) return { from: row, rows: 0, boxes: [], isLast: true }
  return { from, rows, boxes, isLast: from + rows === total }
}

/**
 * The box of a grid that has its row `row`. Grids are cut along the last axis behind which at most `mostRows` rows lie; before that axis a
 * box has one index.
 */
function boxAt(
  { axes }: EntryGrid,
  row: number,
  mostRows: number,
): { readonly from: number; readonly rows: number } & Pick<EntryBox, 'origin' | 'extent'> {
  let cut = axes.length - 1
  let inner = 1
  for (; cut > 0; cut--) {
    const more = inner * (axes[cut]?.size ?? 1)
    if (more > mostRows) break
    inner = more
  }
  const size = axes[cut]?.size ?? 1
  const step = Math.max(1, Math.floor(mostRows / inner))
  let before = Math.floor(row / inner)
  const first = Math.floor((before % size) / step) * step
  const count = Math.min(step, size - first)
  const origin = axes.map(() => 0)
  const extent = axes.map((axis, index) => (index > cut ? axis.size : 1))
  origin[cut] = first
  extent[cut] = count
  before = Math.floor(before / size)
  let from = before * size + first
  for (let axis = cut - 1; axis >= 0; axis--) {
    const length = axes[axis]?.size ?? 1
    origin[axis] = before % length
    before = Math.floor(before / length)
  }
  from *= inner
  return { from, rows: count * inner, origin, extent }
}
