/** From this length on a call that copies takes less time than a loop. */
const LOOPED_BYTES = 32

/** Copies `length` bytes, which must be there in both, from `from` in `input` to `to` in `output`. */
export function copyLiterals(
  input: Uint8Array,
  from: number,
  output: Uint8Array,
  to: number,
  length: number,
): void {
  if (length > LOOPED_BYTES) output.set(input.subarray(from, from + length), to)
  else for (let byte = 0; byte < length; byte++) output[to + byte] = input[from + byte] ?? 0
}

/**
 * Copies `length` bytes to `to` from `distance` bytes before. If the distance is smaller than the length, what was copied is copied
 * again. The caller checks that all of them are in `output`.
 */
export function copyMatch(output: Uint8Array, to: number, distance: number, length: number): void {
  const from = to - distance
  if (length <= LOOPED_BYTES || distance < 8) {
    if (distance === 1 && length > LOOPED_BYTES) output.fill(output[from] ?? 0, to, to + length)
    else for (let byte = 0; byte < length; byte++) output[to + byte] = output[from + byte] ?? 0
    return
  }
  // Each step copies what is there already, so the next one can copy twice as much.
  for (let done = 0; done < length; ) {
    const step = Math.min(distance + done, length - done)
    output.copyWithin(to + done, from, from + step)
    done += step
  }
}
