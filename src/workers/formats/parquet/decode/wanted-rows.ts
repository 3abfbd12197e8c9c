import type { Selection } from '../../provider.ts'

/** Rows `from`..`to` of a row group, and which of them somebody looks at; null: all. */
export interface WantedRows {
  readonly from: number
  readonly to: number
  readonly selection: Selection | null
  /** Whether all rows are to be read if it takes not much more work: they are kept. */
  readonly isKept: boolean
  /** Whether rows behind those that have all values are not wanted. */
  readonly areValuesEnough: boolean
}

/** Of the rows: if pages with so many are read anyway, the others are too to be kept. */
const KEPT_SHARE = 1 / 4

/** All rows if they are to be kept and most pages are read anyway; `firstRows` are those of all pages. */
export function settled(rows: WantedRows, firstRows: readonly number[]): WantedRows {
  const { from, to } = rows
  if (!rows.isKept || rows.selection === null) return rows
  const wanted = firstRows.reduce((sum, begin, i) => {
    const end = Math.min(to, firstRows[i + 1] ?? to)
    return isWanted(rows, begin, end) ? sum + end - Math.max(begin, from) : sum
  }, 0)
  return { ...rows, isKept: false, selection: wanted < (to - from) * KEPT_SHARE ? rows.selection : null }
}

/** Whether somebody looks at one of the rows `begin`..`end` of the row group. */
export function isWanted({ from, to, selection }: WantedRows, begin: number, end: number): boolean {
  const first = Math.max(begin, from)
  const last = Math.min(end, to)
  return first < last && (selection === null || selection.hasAny(first - from, last - from))
}

/** The row behind the last of `begin`..`end` that somebody looks at, by halving. */
export function wantedEnd(rows: WantedRows, begin: number, end: number): number {
  let low = begin
  for (let high = end; low < high; ) {
    const middle = (low + high) >> 1
    if (isWanted(rows, middle, end)) low = middle + 1
    else high = middle
  }
  return low
}
