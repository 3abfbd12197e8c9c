import type { Nc4File } from '../netcdf/nc4-file.ts'
import { type Box, boxAt, elementsOf, splitBox } from './split-box.ts'

/** The bytes that are copied into the memory of the library at once. */
const WRITTEN_BYTES = 8 << 20

/** Writes the values of a box of a variable, whose values have `width` bytes. Calls nothing of the core, so they may lie there. */
export function writeBox(
  { memory, write }: Pick<Nc4File, 'memory' | 'write'>,
  { variable, width }: { readonly variable: number; readonly width: number },
  box: Box,
  values: Uint8Array,
): void {
  if (values.length === 0) return
  const split = splitBox(box.shape, WRITTEN_BYTES / width)
  const pointer = memory.allocate(elementsOf(boxAt(box.shape, split, 0).shape) * width)
  try {
    for (let index = 0, at = 0; index < split.count; index++) {
      const { offset, shape } = boxAt(box.shape, split, index)
      const end = at + elementsOf(shape) * width
      memory.heap().set(values.subarray(at, end), pointer)
      const from = offset.map((start, axis) => start + (box.offset[axis] ?? 0))
      write(variable, from, shape, pointer)
      at = end
    }
  } finally {
    memory.free(pointer)
  }
}
