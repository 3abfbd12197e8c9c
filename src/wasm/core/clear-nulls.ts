/**
 * Sets values to zero that are null: row `i` of `rows` is bit `first + i` of `validity`, and has `width` bytes. What lies there
 * otherwise are values of other rows or statements, and other bytes in each answer.
 */
export function clearNulls(
  values: Uint8Array,
  validity: Uint8Array,
  first: number,
  rows: number,
  width: number,
): void {
  for (let row = 0; row < rows; row++) {
    const bit = first + row
    const byte = validity[bit >> 3] ?? 0
    // A byte with ones alone is eight rows, or what is left of them, without a null.
    if (byte === 0xff) row += 7 - (bit & 7)
    else if (((byte >> (bit & 7)) & 1) === 0) values.fill(0, row * width, (row + 1) * width)
  }
}
