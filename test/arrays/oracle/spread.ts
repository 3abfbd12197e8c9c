import { stridesOf } from './copy-slab.ts'

/** How the cells of an array lie in the rows of a box of the grid. */
export interface Spread {
  /** The number of rows along each axis of the box. */
  readonly extent: readonly number[]
  /** The distance of neighbouring cells along each axis. 0: the array has the same cell all along it. */
  readonly strides: readonly number[]
}

/** `axes` are the axes of the box that each dimension of the array lies along, and `cells` its numbers of cells along them. */
export function spreadOf(
  extent: readonly number[],
  axes: readonly number[],
  cells: readonly number[],
): Spread {
  const own = stridesOf(cells)
  const strides = extent.map((_, axis) => {
    const at = axes.indexOf(axis)
    return at < 0 || cells[at] === 1 ? 0 : (own[at] ?? 0)
  })
  return { extent, strides }
}

/** Whether the rows are the cells, one by one. */
export function isWhole({ extent, strides }: Spread): boolean {
  const own = stridesOf(extent)
  return extent.every((length, axis) => length === 1 || strides[axis] === own[axis])
}

/** Calls `use` for runs of rows along the last axis: the first row, its cell, the distance of neighbouring cells, and the rows. */
export function forEachRowRun(
  { extent, strides }: Spread,
  use: (row: number, cell: number, stride: number, rows: number) => void,
): void {
  const outer = extent.slice(0, -1)
  const run = extent.at(-1) ?? 1
  const stride = strides.at(-1) ?? 0
  if (extent.includes(0)) return
  const index = outer.map(() => 0)
  let cell = 0
  for (let row = 0; ; row += run) {
    use(row, cell, stride, run)
    let axis = outer.length - 1
    for (; axis >= 0; axis--) {
      const next = (index[axis] ?? 0) + 1
      cell += strides[axis] ?? 0
      index[axis] = next
      if (next < (outer[axis] ?? 1)) break
      cell -= next * (strides[axis] ?? 0)
      index[axis] = 0
    }
    if (axis < 0) return
  }
}
