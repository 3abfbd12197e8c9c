/** Place of the last of `count` ascending numbers that is at most `most`; 0 where none is. */
export function lastAtMost(count: number, at: (place: number) => number, most: number): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2)
    if (at(middle) <= most) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}
