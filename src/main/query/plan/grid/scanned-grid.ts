import type { Grid } from '../../../../plan/source/grid.ts'
import type { ScannedGrid } from '../../../../plan/source/scanned-grid.ts'
import type { IndexRange } from '../../../../plan/source/unit.ts'
import { chunkInOrder, hulls } from './grid-steps.ts'

/**
 * What is read of a grid. `axisRanges` are the index ranges that the filter leaves of each axis, `read` the columns that are read, and
 * `compared` those that the filter compares.
 */
export function scannedGrid(
  grid: Grid,
  axisRanges: readonly (readonly IndexRange[])[],
  read: { has(name: string): boolean },
  compared: readonly string[],
): Omit<ScannedGrid, 'path'> {
  const axes = grid.axes.map(({ name, dimension }, index) => ({
    name: name ?? String(dimension),
    size: grid.shape[index] ?? 0,
    chunk: grid.chunk[index] ?? 1,
    ranges: axisRanges[index] ?? [],
  }))
  const chunks = axes.reduce((all, { size, chunk }) => all * Math.ceil(size / chunk), 1)
  return {
    leader: grid.leader ?? null,
    axes,
    isChunked: chunkInOrder(grid).isStored,
    chunksLeft: chunksLeft(grid, axisRanges),
    chunks,
    annex: (grid.annex ?? []).filter(({ name }) => read.has(name)),
    chunkStatistics: (grid.chunkStatistics ?? []).filter((name) => compared.includes(name)),
  }
}

/** The number of chunks of which the index ranges leave something. */
export function chunksLeft(
  { chunk }: Pick<Grid, 'chunk'>,
  axisRanges: readonly (readonly IndexRange[])[],
): number {
  return axisRanges.reduce((all, ranges, axis) => all * chunksIn(ranges, chunk[axis] ?? 1), 1)
}

function chunksIn(ranges: readonly IndexRange[], chunk: number): number {
  return hulls(ranges, chunk).reduce(
    (sum, { from, to }) => sum + Math.floor((to - 1) / chunk) - Math.floor(from / chunk) + 1,
    0,
  )
}
