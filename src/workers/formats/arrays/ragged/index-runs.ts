import { lastAtMost } from '../../../../plan/binary-search.ts'

/** Indexes `from`..`to` that are read in one go. */
export interface IndexRun {
  readonly from: number
  readonly to: number
  /** The number of indexes in the runs before it. */
  readonly before: number
}

/** The most indexes between two runs that are read with them, so that they are one. */
const MOST_BETWEEN = 15

/** Ascending runs that have all indexes. Negative ones stand for none. Runs have at most 16 times as many as are asked for. */
export function runsOf(indexes: Float64Array): readonly IndexRun[] {
  const sorted = indexes.every((each, at) => at === 0 || each >= (indexes[at - 1] ?? 0))
    ? indexes
    : indexes.toSorted()
  const runs: IndexRun[] = []
  let from = -1
  let to = -1
  let before = 0
  const end = (): void => {
    if (from < 0) return
    runs.push({ from, to, before })
    before += to - from
  }
  for (const index of sorted) {
    if (index < 0) continue
    if (from < 0 || index > to + MOST_BETWEEN) {
      end()
      from = index
    }
    to = Math.max(to, index + 1)
  }
  end()
  return runs
}

/** Finds the place of an index among those of all runs, which have it. */
export function placesIn(runs: readonly IndexRun[]): (index: number) => number {
  let run = runs[0]
  return (index) => {
    if (run === undefined || index < run.from || index >= run.to)
      run = runs[lastAtMost(runs.length, (at) => runs[at]?.from ?? 0, index)]
    return (run?.before ?? 0) + index - (run?.from ?? 0)
  }
}
