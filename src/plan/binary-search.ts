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
