import type { AnnexArray } from '../../../plan/source/grid.ts'
import type { ScannedAxis, ScannedGrid } from '../../../plan/source/scanned-grid.ts'

/** The most index ranges of an axis that are printed. */
const MOST_RANGES = 16

/** What is read of the grid of a file: its dimensions, the chunks of its leader, and the indices that the filter leaves. */
export function printGrid(grid: ScannedGrid): object {
  const { path, leader, axes, isChunked, chunksLeft, chunks, annex, chunkStatistics } = grid
  return {
    File: path,
    Dimensions: byName(axes, ({ size }) => size),
    ...(leader === null ? {} : { Leader: leader }),
    ...(isChunked ? { Chunk: byName(axes, ({ chunk }) => chunk) } : {}),
    Ranges: byName(axes, printRanges),
    ...(isChunked ? { Chunks: `${chunksLeft} of ${chunks}` } : {}),
    ...(chunkStatistics.length === 0 ? {} : { 'Chunk Statistics': chunkStatistics.join(', ') }),
    ...(annex.length === 0 ? {} : { Annex: printAnnex(annex) }),
  }
}

/** `temperature: szip (4)`: arrays whose chunks a thread beside the workers decodes. */
function printAnnex(annex: readonly AnnexArray[]): string {
  return annex.map(({ name, filters }) => `${name}: ${filters.join(', ')}`).join('; ')
}

function byName<T>(axes: readonly ScannedAxis[], of: (axis: ScannedAxis) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(axes.map((axis) => [axis.name, of(axis)]))
}

/** `0..31, 59..90`, where the second index is the one after the last. */
function printRanges({ ranges }: ScannedAxis): string {
  const printed = ranges.slice(0, MOST_RANGES).map(({ from, to }) => `${from}..${to}`)
  const others = ranges.length - printed.length
  return [...printed, ...(others > 0 ? [`${others} others`] : [])].join(', ')
}
