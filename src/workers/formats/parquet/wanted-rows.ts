import type { Selection } from '../provider.ts'

/** Rows `from`..`to` of a row group, and which of them somebody looks at; null: all. */
export interface WantedRows {
  readonly from: number
  readonly to: number
  readonly selection: Selection | null
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
