import type { ByteSource } from '../../../store/byte-source.ts'
import type { Box } from '../array-file.ts'
import { elementsOf } from '../boxes.ts'
import { cutBox } from '../split-box.ts'
import { createRunReader } from './read-runs.ts'
import { runsOf, type StridedElements } from './runs.ts'

/** A part of a box, and its elements in C order without gaps. */
export interface StridedBox extends Box {
  readonly bytes: Uint8Array
}

/** The most bytes of a part of a box. */
const MAX_BOX_BYTES = 4 << 20

/**
 * Reads a box of an array in parts. The bytes of a part must not be used any more once the next one is asked for.
 * `checkCancelled` is called before each read. Throws `unreadable_file`.
 */
export function* readStrided(
  source: ByteSource,
  stored: StridedElements,
  box: Box,
  checkCancelled: () => void,
): Generator<StridedBox> {
  const held = heldBytes(source, stored, box)
  if (held !== null) {
    checkCancelled()
    yield { ...box, bytes: held }
    return
  }
  const { elementBytes } = stored
  // All parts are read into the same memory, which is not zeroed first.
  const most = Math.min(Math.max(MAX_BOX_BYTES, elementBytes), elementsOf(box) * elementBytes)
  const memory = new Uint8Array(Buffer.allocUnsafeSlow(most).buffer)
  const read = createRunReader(source, checkCancelled)
  try {
    for (const part of cutBox(box, MAX_BOX_BYTES / elementBytes)) {
      const bytes = memory.subarray(0, elementsOf(part) * elementBytes)
      read(runsOf(stored, part), bytes)
      yield { ...part, bytes }
    }
  } finally {
    source.release(memory)
  }
}

/** The bytes of a box, if the file is in memory and has them in one run. Null: it does not. */
function heldBytes(source: ByteSource, stored: StridedElements, box: Box): Uint8Array | null {
  if (source.view === undefined || box.extent.includes(0)) return null
  const { from, bytes, axes } = runsOf(stored, box)
  return axes.length === 0 ? source.view(from, bytes) : null
}

/** The same for stored elements that are a part of an array, as a chunk is, which begins at `from` in it. The box is one of the array. */
export function* readStridedPart(
  source: ByteSource,
  stored: StridedElements,
  { from, box }: { readonly from: readonly number[]; readonly box: Box },
  checkCancelled: () => void,
): Generator<StridedBox> {
  const move = (place: readonly number[], sign: number): number[] =>
    place.map((at, axis) => at + sign * (from[axis] ?? 0))
  const inside = { origin: move(box.origin, -1), extent: box.extent }
  for (const part of readStrided(source, stored, inside, checkCancelled))
    yield { ...part, origin: move(part.origin, 1) }
}
