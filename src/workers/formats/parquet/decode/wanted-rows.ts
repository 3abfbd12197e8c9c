import type { Selection } from '../../provider.ts'

/** The rows of a row group that are wanted of a column. */
export interface WantedRows {
  readonly from: number
  readonly to: number
  /** Which of the rows `from`..`to` are wanted. Null: all. */
  readonly selection: Selection | null
  /** Whether the column cache would keep the column if all of its rows were read; see `widenToKeep`. */
  readonly wouldKeep: boolean
  /** Whether reading may end once no later row has a new value. */
  readonly areValuesEnough: boolean
}

/** If pages with at least this share of the rows are wanted, the others are read as well, so that the column can be kept. */
const KEPT_SHARE = 1 / 4

/**
 * Decides whether all rows of a column are read so that it can be kept: if the cache would keep it, and the wanted pages have a
 * large share of its rows. `firstRows` has the first row of every page.
 */
export function widenToKeep(rows: WantedRows, firstRows: readonly number[]): WantedRows {
  const { from, to } = rows
  if (!rows.wouldKeep || rows.selection === null) return rows
  const wanted = firstRows.reduce((sum, begin, i) => {
    const end = Math.min(to, firstRows[i + 1] ?? to)
    return isWanted(rows, begin, end) ? sum + end - Math.max(begin, from) : sum
  }, 0)
  return { ...rows, wouldKeep: false, selection: wanted < (to - from) * KEPT_SHARE ? rows.selection : null }
}

/** Whether at least one of the rows `begin`..`end` of the row group is wanted. */
export function isWanted({ from, to, selection }: WantedRows, begin: number, end: number): boolean {
  const first = Math.max(begin, from)
  const last = Math.min(end, to)
  return first < last && (selection === null || selection.hasAny(first - from, last - from))
}

/** The row after the last wanted one of `begin`..`end`. Found by bisection; if none is wanted it is `begin`. */
export function lastWantedRow(rows: WantedRows, begin: number, end: number): number {
  let low = begin
  for (let high = end; low < high; ) {
    const middle = (low + high) >> 1
    if (isWanted(rows, middle, end)) low = middle + 1
    else high = middle
  }
  return low
}
