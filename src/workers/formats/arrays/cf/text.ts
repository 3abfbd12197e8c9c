import type { ArrayDimension, Attribute } from '../array-file.ts'
import { textOf } from '../attributes.ts'

/** Whether an array of characters has whole texts along its last dimension, by the name of that. */
export function isTextDimension(dimension: ArrayDimension | undefined): boolean {
  return dimension !== undefined && /^(string|strlen|strnlen)/i.test(dimension.name)
}

/**
 * The text that means null. Blanks as a fill value only say what is behind the end of a text, so they mean no null: an empty text
 * is a value.
 */
export function textFill(attributes: readonly Attribute[]): Buffer | null {
  const fill = textOf(attributes, '_FillValue')
  const trimmed = fill === null ? Buffer.alloc(0) : trimmedEnd(Buffer.from(fill))
  return trimmed.length === 0 ? null : Buffer.from(trimmed)
}

/** Bytes of text without the NULs and the white space at their end. */
export function trimmedEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && isBlank(bytes[end - 1] ?? 0)) end--
  return bytes.subarray(0, end)
}

/** NUL, white space of ASCII. */
function isBlank(byte: number): boolean {
  return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}
