import type { ByteSource } from '../../../store/byte-source.ts'
import type { Box } from '../array-file.ts'
import { piecesOf } from './pieces.ts'
import { createRunReader } from './read-runs.ts'
import { runsOf, type StridedElements } from './runs.ts'

/** A part of a box, and its elements in C order without gaps. */
export interface Piece extends Box {
  readonly bytes: Uint8Array
}

/** The most bytes of a piece of a box. */
const MAX_PIECE_BYTES = 4 << 20

/**
 * Reads a box of an array in pieces. The bytes of a piece must not be used any more once the next one is asked for.
 * `checkCancelled` is called before each read. Throws `unreadable_file`.
 */
export function* readStrided(
  source: ByteSource,
  stored: StridedElements,
  box: Box,
  checkCancelled: () => void,
): Generator<Piece> {
  const held = heldBytes(source, stored, box)
  if (held !== null) {
    checkCancelled()
    yield { ...box, bytes: held }
    return
  }
  const { elementBytes } = stored
  // All pieces are read into the same memory, which is not zeroed first.
  const most = Math.min(Math.max(MAX_PIECE_BYTES, elementBytes), bytesOf(box, elementBytes))
  const memory = new Uint8Array(Buffer.allocUnsafeSlow(most).buffer)
  const read = createRunReader(source, checkCancelled)
  try {
    for (const piece of piecesOf(box, MAX_PIECE_BYTES / elementBytes)) {
      const bytes = memory.subarray(0, bytesOf(piece, elementBytes))
      read(runsOf(stored, piece), bytes)
      yield { ...piece, bytes }
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
): Generator<Piece> {
  const move = (place: readonly number[], sign: number): number[] =>
    place.map((at, axis) => at + sign * (from[axis] ?? 0))
  const inside = { origin: move(box.origin, -1), extent: box.extent }
  for (const piece of readStrided(source, stored, inside, checkCancelled))
    yield { ...piece, origin: move(piece.origin, 1) }
}

function bytesOf({ extent }: Box, elementBytes: number): number {
  return extent.reduce((bytes, length) => bytes * length, elementBytes)
}
