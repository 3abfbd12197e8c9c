import type { Nc4File } from '../netcdf/nc4-file.ts'
import { type Box, cellsOf, slabBox, slabsOf } from './slabs.ts'

/** The bytes that are copied into the memory of the library at once. */
const PIECE_BYTES = 8 << 20

/** Writes the values of a box of a variable, whose values have `width` bytes. Calls nothing of the core, so they may lie there. */
export function writeBox(
  { memory, write }: Pick<Nc4File, 'memory' | 'write'>,
  { variable, width }: { readonly variable: number; readonly width: number },
  box: Box,
  values: Uint8Array,
): void {
  if (values.length === 0) return
  const pieces = slabsOf(box.shape, PIECE_BYTES / width)
  const pointer = memory.allocate(cellsOf(slabBox(box.shape, pieces, 0).shape) * width)
  try {
    for (let piece = 0, at = 0; piece < pieces.count; piece++) {
      const { offset, shape } = slabBox(box.shape, pieces, piece)
      const end = at + cellsOf(shape) * width
      memory.heap().set(values.subarray(at, end), pointer)
      const from = offset.map((start, axis) => start + (box.offset[axis] ?? 0))
      write(variable, from, shape, pointer)
      at = end
    }
  } finally {
    memory.free(pointer)
  }
}
