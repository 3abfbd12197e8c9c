import type { ArrayDimension, Attribute } from '../array-file.ts'
import { textOf } from '../attributes.ts'

/** Whether an array of characters has whole texts along its last dimension, by the name of that. */
export function isTextDimension(dimension: ArrayDimension | undefined): boolean {
  return dimension !== undefined && /^(string|strlen|strnlen)/i.test(dimension.name)
}

/**
 * The text that means null. In an array of characters blanks as a fill value only say what is behind the end of a text, so they mean
 * no null: an empty text is a value. In one of texts only `""` means that empty ones are null.
 */
export function textFill(attributes: readonly Attribute[], areCharacters: boolean): Buffer | null {
  const fill = textOf(attributes, '_FillValue')
  if (fill === null) return null
  const trimmed = trimmedEnd(Buffer.from(fill))
  const isMeant = trimmed.length > 0 || (fill === '' && !areCharacters)
  return isMeant ? Buffer.from(trimmed) : null
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
