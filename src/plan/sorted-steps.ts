import type { Steps } from './steps.ts'

/** Items that are sorted, or merged, in one step. */
const RUN = 128

/** Items in an order, equal ones as they were; in steps, for comparing some ten thousand takes longer than a turn may. */
export function* sortedSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let from = 0; from < items.length; from += RUN) {
    runs.push(items.slice(from, from + RUN).sort(compare))
    if (items.length > RUN) yield
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let place = 0; place < runs.length; place += 2)
      merged.push(yield* mergedRuns(runs[place] ?? [], runs[place + 1] ?? [], compare))
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
