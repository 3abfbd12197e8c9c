import { arrayOf, type RowSlice } from './held-rows.ts'

/** Copies values of `width` bytes, those of null rows too, to an address. */
export function copyValues(
  slices: readonly RowSlice[],
  column: number,
  width: number,
  heap: Uint8Array,
  pointer: number,
): void {
  let to = pointer
  for (const slice of slices) {
    const { values } = arrayOf(slice, column)
    heap.set(values.subarray(slice.from * width, (slice.from + slice.rows) * width), to)
    to += slice.rows * width
  }
}
