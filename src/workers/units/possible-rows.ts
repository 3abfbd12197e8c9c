import type { KnownColumn } from '../../plan/condition/bounds.ts'
import type { Condition } from '../../plan/condition/condition.ts'
import { mergeStatistics } from '../../plan/condition/merge-statistics.ts'
import { mayMatch } from '../../plan/condition/prune.ts'
import { statisticsWidening } from '../../plan/condition/widen-statistics.ts'
import { columnsOf } from '../../plan/expression.ts'
import type { SourceColumn } from '../../plan/scan.ts'
import { type BoxRange, rowsIn } from '../../plan/source/range.ts'
import type { ColumnStatistics } from '../../plan/source/statistics.ts'
import type { BoxUnit, IndexRange } from '../../plan/source/unit.ts'
import { valueType } from '../../plan/types/schema.ts'
import type { ChunkedColumns } from '../formats/chunked-columns.ts'
import type { OpenFile, ReadContext } from '../formats/provider.ts'
import type { Store } from '../store/store.ts'
import { boxesOf } from './unit-boxes.ts'

/** The most chunks of a column that the statistics of a box are merged of. */
const MOST_CHUNKS = 64

/**
 * The rows of a unit that may make a filter true by the statistics of chunks, as runs counted from the first row. Null: all of them may.
 * A chunk that is left out counts as read: its object is verified with the others, and the answer depends on it.
 */
export function possibleRows(
  filter: Condition,
  columns: readonly SourceColumn[],
  unit: BoxUnit,
  file: OpenFile,
  store: Store,
  { chunks: { statistics }, stopwatch, checkCancelled }: ReadContext,
): readonly IndexRange[] | null {
  const { chunked } = file
  if (statistics === undefined || chunked === undefined) return null
  const compared = columnsOf(filter).flatMap((name) => columns.find((each) => each.name === name) ?? [])
  const statisticsIn = new Map(
    compared.flatMap((column) => knownIn(column, chunked, file, store, statistics)),
  )
  if (statisticsIn.size === 0) return null
  const runs: { from: number; to: number }[] = []
  let rows = 0
  let skippedBoxes = 0
  for (const box of boxesOf(unit, file, true) ?? [unit]) {
    checkCancelled()
    const [from, to] = [rows, rows + (rowsIn(box) ?? 0)]
    rows = to
    if (!mayMatch(filter, (name) => statisticsIn.get(name)?.(box) ?? null, 1)) {
      skippedBoxes++
      continue
    }
    const last = runs.at(-1)
    if (last?.to === from) last.to = to
    else runs.push({ from, to })
  }
  stopwatch.count('chunksSkipped', skippedBoxes)
  return skippedBoxes === 0 ? null : runs
}

/** What is known of a column in a box, as one row. None: statistics of its chunks are not kept. */
function knownIn(
  column: SourceColumn,
  chunked: ChunkedColumns,
  file: OpenFile,
  store: Store,
  statistics: NonNullable<ReadContext['chunks']['statistics']>,
): readonly (readonly [string, (box: BoxRange) => KnownColumn | null])[] {
  const { name } = column
  const type = file.typeOf(column)
  if (type === null || !chunked.has(name)) return []
  const widen = statisticsWidening(valueType(type), valueType(column.type))
  const ofChunks = new Map<string, ColumnStatistics | null>()
  const of = (box: BoxRange): KnownColumn | null => {
    const merged: ColumnStatistics[] = []
    for (const chunk of chunked.chunksIn(name, box)) {
      let chunkStatistics = ofChunks.get(chunk.name)
      if (chunkStatistics === undefined) {
        const version = store.open(chunk.object)?.version ?? null
        chunkStatistics = statistics.of(chunk.name, version, type)
        ofChunks.set(chunk.name, chunkStatistics)
      }
      if (chunkStatistics === null || merged.length === MOST_CHUNKS) return null
      merged.push(chunkStatistics)
    }
    return widen(asOneRow(merged), 1)
  }
  return [[name, of]]
}

/** Of all the chunks together: as each of them is, one row that is null or not. */
function asOneRow(chunks: readonly ColumnStatistics[]): ColumnStatistics | null {
  const merged = mergeStatistics(chunks.map((statistics) => ({ statistics, rows: 1 })))
  if (merged === null || merged.nulls === undefined) return merged
  const { nulls, ...bounds } = merged
  if (nulls === 0) return merged
  return { ...bounds, ...(nulls === chunks.length && { nulls: 1 }) }
}
