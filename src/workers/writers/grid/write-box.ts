import type { Box } from '../../formats/arrays/array-file.ts'
import { elementsOf } from '../../formats/arrays/boxes.ts'
import { cutBox } from '../../formats/arrays/split-box.ts'
import type { Nc4File } from '../netcdf/nc4-file.ts'

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
  const pointer = memory.allocate(Math.min(values.length, Math.max(WRITTEN_BYTES, width)))
  try {
    let at = 0
    for (const part of cutBox(box, WRITTEN_BYTES / width)) {
      const end = at + elementsOf(part) * width
      memory.heap().set(values.subarray(at, end), pointer)
      write(variable, part.origin, part.extent, pointer)
      at = end
    }
  } finally {
    memory.free(pointer)
  }
}
