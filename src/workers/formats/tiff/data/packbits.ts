import { fault } from '../../fault.ts'

/** The most bytes that two may stand for. */
const MOST_OF_TWO = 128

/** The byte that stands for nothing. */
const NOTHING = 128

/** Decompresses PackBits data (TIFF 6.0, section 9), up to `most` bytes of them, outside of the core. Throws `unreadable_file` for data that are cut off. */
export function decodePackBits(stored: Uint8Array, most: number): Uint8Array {
  const output = new Uint8Array(Math.min(most, (stored.length * MOST_OF_TWO) / 2))
  let at = 0
  let to = 0
  while (at < stored.length && to < output.length) {
    const head = stored[at++] ?? 0
    if (head === NOTHING) continue
    const isRun = head > NOTHING
    const length = isRun ? 257 - head : head + 1
    const taken = isRun ? 1 : length
    if (at + taken > stored.length) throw fault('PackBits data that are cut off')
    const end = Math.min(to + length, output.length)
    if (isRun) output.fill(stored[at] ?? 0, to, end)
    else output.set(stored.subarray(at, at + end - to), to)
    at += taken
    to = end
  }
  return output.subarray(0, to)
}
