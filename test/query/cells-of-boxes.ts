import { chunkInOrder } from '../../src/main/query/plan/grid/grid-steps.ts'
import type { Grid } from '../../src/plan/source/grid.ts'
import type { BoxUnit } from '../../src/plan/source/unit.ts'

type Cell = readonly number[]

/** The cells of a box in the order of its rows, each as its indices. */
export function cellsOfBox({ origin, extent, chunk }: Pick<BoxUnit, 'origin' | 'extent' | 'chunk'>): Cell[] {
  let cells: number[][] = [[]]
  for (const [place, from] of origin.entries())
    cells = cells.flatMap((cell) => Array.from({ length: extent[place] ?? 0 }, (_, n) => [...cell, from + n]))
  return chunk === undefined ? cells : inChunks(cells, chunk)
}

/** All cells of a grid: stored chunks in C order, and C order inside of each; C order if there are none. */
export function cellsOfGrid(grid: Grid): Cell[] {
  const whole = cellsOfBox({ origin: grid.shape.map(() => 0), extent: grid.shape })
  return chunkInOrder(grid).isStored ? inChunks(whole, grid.chunk) : whole
}

function inChunks(cells: readonly Cell[], chunk: readonly number[]): Cell[] {
  const chunkOf = (cell: Cell): number[] =>
    cell.map((index, place) => Math.floor(index / (chunk[place] ?? 1)))
  const keyed = cells.map((cell) => ({ cell, chunk: chunkOf(cell) }))
  // The sort is stable, and the cells are in C order.
  return keyed.toSorted((a, b) => compare(a.chunk, b.chunk)).map(({ cell }) => cell)
}

function compare(a: Cell, b: Cell): number {
  const place = a.findIndex((each, index) => each !== b[index])
  return place < 0 ? 0 : (a[place] ?? 0) - (b[place] ?? 0)
}
