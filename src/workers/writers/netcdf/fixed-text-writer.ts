import { forEachNull } from '../plain-batches.ts'
import type { ColumnWriter } from './column-writer.ts'
import { copyValues } from './copy-values.ts'
import { arrayOf } from './held-rows.ts'

/** Writes texts of a fixed number of bytes as characters. Nulls become zeros. */
export function fixedTextWriter(column: number, width: number): ColumnWriter {
  let hasNulls = false

  return {
    width,
    write(slices, at, rows, file) {
      const { memory } = file
      const pointer = memory.allocate(rows * width)
      try {
        const heap = memory.heap()
        copyValues(slices, column, width, heap, pointer)
        let first = pointer
        for (const slice of slices) {
          const shift = first - slice.from * width
          forEachNull(arrayOf(slice, column), slice.from, slice.rows, (row) => {
            heap.fill(0, shift + row * width, shift + (row + 1) * width)
            hasNulls = true
          })
          first += slice.rows * width
        }
        file.write(column, [at, 0], [rows, width], pointer)
      } finally {
        memory.free(pointer)
      }
    },
    fillValue: () => (hasNulls ? { name: '_FillValue', type: 'char', value: Uint8Array.of(0) } : null),
  }
}
