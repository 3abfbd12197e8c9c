import type { Steps } from './steps.ts'

/** The number of items that are sorted or merged in one step. */
const RUN = 128

/** A stable merge sort in steps, because sorting some ten thousand items would block the event loop for too long. */
export function* sortedSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare))
    if (items.length > RUN) yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let index = 0; index < runs.length; index += 2)
      merged.push(yield* mergedRuns(runs[index] ?? [], runs[index + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

function* mergedRuns<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const [x, y] = [a[i] as T, b[j] as T]
    const isFirst = compare(x, y) <= 0
    merged.push(isFirst ? x : y)
    if (isFirst) i++
    else j++
    if (merged.length % RUN === 0) yield
  }
  return merged.concat(a.slice(i), b.slice(j))
}
