import { forEachNull, isValid, type PlainArray } from '../plain-batches.ts'
import type { ColumnWriter } from './column-writer.ts'
import { copyValues } from './copy-values.ts'
import { arrayOf, type RowSlice } from './held-rows.ts'

/** Bytes of an address in the library's memory. */
const POINTER_BYTES = 4

/** What a text takes in the file beside its bytes: where it is. */
const REFERENCE_BYTES = 16

/** Up to so many bytes are copied one by one, which takes less than a call. */
const SHORT_BYTES = 24

/** Writes texts, which readers of the file end at their first NUL. Nulls become empty texts. */
export function textWriter(column: number): ColumnWriter {
  let hasNulls = false

  return {
    width: REFERENCE_BYTES,
    write(slices, at, rows, file) {
      const { memory } = file
      const pointers = memory.allocate(rows * POINTER_BYTES)
      const texts = memory.allocate(1 + rows + textBytes(slices, column))
      try {
        const heap = memory.heap()
        const addresses = new Uint32Array(heap.buffer, heap.byteOffset + pointers, rows)
        // The first byte is the end of all empty texts.
        heap[texts] = 0
        let to = texts + 1
        let index = 0
        for (const slice of slices) {
          const array = arrayOf(slice, column)
          for (let row = slice.from; row < slice.from + slice.rows; row++) {
            const isNull = !isValid(array, row)
            if (isNull) hasNulls = true
            const end = isNull ? to : copyText(array, row, heap, to)
            addresses[index++] = end === to ? texts : to
            if (end > to) {
              heap[end] = 0
              to = end + 1
            }
          }
        }
        file.write(column, [at], [rows], pointers)
      } finally {
        memory.free(texts)
        memory.free(pointers)
      }
    },
    fillValue: () => (hasNulls ? { name: '_FillValue', string: '' } : null),
  }
}

function textBytes(slices: readonly RowSlice[], column: number): number {
  return slices.reduce((sum, slice) => {
    const { offsets } = arrayOf(slice, column)
    return sum + (offsets?.[slice.from + slice.rows] ?? 0) - (offsets?.[slice.from] ?? 0)
  }, 0)
}

/** Copies the text of a row to an address. Returns where it ends. */
function copyText({ values, offsets }: PlainArray, row: number, heap: Uint8Array, to: number): number {
  const from = offsets?.[row] ?? 0
  const bytes = (offsets?.[row + 1] ?? 0) - from
  if (bytes > SHORT_BYTES) heap.set(values.subarray(from, from + bytes), to)
  else for (let at = 0; at < bytes; at++) heap[to + at] = values[from + at] ?? 0
  return to + bytes
}

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
