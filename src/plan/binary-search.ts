/** The first index from `from` on, before `to`, for which it is true, as it is for all behind that. `to` if there is none. */
export function firstThat(from: number, to: number, isTrue: (index: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (isTrue(middle)) high = middle
    else low = middle + 1
  }
  return high
}

/** The index of the last of `count` ascending numbers that is at most `bound`, by binary search. 0 if there is none. */
export function lastAtMost(count: number, at: (index: number) => number, bound: number): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2)
    if (at(middle) <= bound) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}
