import type { OffsetSpan } from './offset-spans.ts'

/** No zone, and no offset that is written as one, is as far from UTC, in seconds. */
const DAY_SECONDS = 86_400

/** Zones have up to four spans a year. Those of more years are not looked at. */
const MOST_SPANS = 64

/** The least and the greatest offset between two seconds, of which `spanAt` gives the spans. Of many spans those that no zone exceeds. */
export function offsetRange(
  spanAt: (second: number) => OffsetSpan,
  first: number,
  last: number,
): readonly [least: number, greatest: number] {
  let [least, greatest] = [DAY_SECONDS, -DAY_SECONDS]
  let second = first
  for (let spans = 0; spans < MOST_SPANS; spans++) {
    const { to, offset } = spanAt(second)
    least = Math.min(least, offset)
    greatest = Math.max(greatest, offset)
    if (to > last) return [least, greatest]
    second = to
  }
  return [-DAY_SECONDS, DAY_SECONDS]
}
