import type { ChunkValues } from '../../../../plan/source/chunk-record.ts'
import { type BoxRange, rowsIn } from '../../../../plan/source/range.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { Column } from '../../../../wasm/core/column.ts'
import type { Store } from '../../../store/store.ts'
import type { ChunkedColumns } from '../../chunked-columns.ts'
import type { ReadContext } from '../../provider.ts'
import { mergeValues, valuesOf } from './chunk-values.ts'

/** A column, and the box of the grid that has been read of it. */
export interface ReadColumn {
  readonly name: string
  readonly type: DataType
  readonly range: BoxRange
  readonly column: Column
  /** Reads another box of it, whose axes are those of the column alone. */
  read(range: BoxRange): Column
}

/** The most values that are read at once to find the statistics of a chunk. */
const MOST_VALUES = 1 << 20

/** Adds the statistics of the chunks that were decoded to read a column, where they are not known. */
export function addStatistics(
  chunked: ChunkedColumns,
  read: ReadColumn,
  store: Store,
  { core, chunks: { statistics }, checkCancelled, stopwatch }: ReadContext,
): void {
  if (statistics === undefined) return
  const { name, type } = read
  for (const chunk of chunked.chunksIn(name, read.range)) {
    if (!chunk.isDecoded) continue
    checkCancelled()
    const version = store.open(chunk.object)?.version ?? null
    if (!statistics.areWanted(chunk.name, version)) continue
    const values = stopwatch.time('group', () => {
      if (isSame(chunk.range, read.range)) return valuesOf(core, read.column, type, rowsIn(chunk.range) ?? 0)
      let all: ChunkValues | null = null
      for (const range of slices(chunk.range)) {
        const column = read.read(range)
        try {
          const some = valuesOf(core, column, type, rowsIn(range) ?? 0)
          all = all === null ? some : mergeValues(all, some)
        } finally {
          core.free(column)
        }
      }
      return all
    })
    if (values !== null) statistics.add(chunk.name, version, values)
  }
}

function isSame(a: BoxRange, b: BoxRange): boolean {
  return (['dimensions', 'origin', 'extent'] as const).every(
    (each) => a[each].length === b[each].length && a[each].every((value, at) => value === b[each][at]),
  )
}

/** The parts of a box of at most `MOST_VALUES` values, cut along its longest axis. */
function* slices(range: BoxRange): Generator<BoxRange> {
  const longest = Math.max(...range.extent, 1)
  const axis = range.extent.indexOf(longest)
  const inOthers = Math.max(1, (rowsIn(range) ?? 1) / longest)
  const step = Math.max(1, Math.floor(MOST_VALUES / inOthers))
  for (let from = 0; from < longest; from += step)
    yield axis < 0
      ? range
      : {
          ...range,
          origin: range.origin.with(axis, (range.origin[axis] ?? 0) + from),
          extent: range.extent.with(axis, Math.min(step, longest - from)),
        }
}
