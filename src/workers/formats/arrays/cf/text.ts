import { isUtf8 } from 'node:buffer'
import { ServiceError } from '../../../../plan/errors.ts'
import type { ArrayDimension, Attribute } from '../array-file.ts'
import { textOf } from '../attributes.ts'

/** Texts one after the other in UTF-8: text `i` is bytes `offsets[i]` to before `offsets[i + 1]`. */
export interface Texts {
  readonly offsets: Int32Array
  readonly bytes: Uint8Array
  /** For each text 0 if it is null, else 1. Null: no text is null. */
  readonly isThere: Uint8Array | null
}

/** The most bytes of the texts of a unit: Arrow's offsets have 32 bits. */
const MOST_BYTES = 2 ** 31 - 1

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

/** Cuts characters into `count` texts of `length` bytes, and takes NULs and white space away from their ends. */
export function textsOfChars(chars: Uint8Array, count: number, length: number, fill: Buffer | null): Texts {
  return collectTexts(count, fill, (index) =>
    trimmedEnd(chars.subarray(index * length, (index + 1) * length)),
  )
}

/** A text of each character, which is a byte of Latin-1. A NUL is an empty text. */
export function textsOfSingleChars(chars: Uint8Array, fill: Buffer | null): Texts {
  const latin = Array.from({ length: 256 }, (_, byte) =>
    byte === 0 ? Buffer.alloc(0) : Buffer.from(String.fromCharCode(byte)),
  )
  return collectTexts(chars.length, fill, (index) => latin[chars[index] ?? 0] ?? Buffer.alloc(0))
}

/** `textAt` returns the bytes of each text. Bytes that are no UTF-8 become the replacement character. */
export function collectTexts(
  count: number,
  fill: Buffer | null,
  textAt: (index: number) => Uint8Array,
): Texts {
  const offsets = new Int32Array(count + 1)
  const parts: Uint8Array[] = []
  let isThere: Uint8Array | null = null
  let end = 0
  for (let index = 0; index < count; index++) {
    const stored = textAt(index)
    const text = isUtf8(stored) ? stored : Buffer.from(Buffer.from(stored).toString('utf8'))
    if (fill?.equals(text)) {
      isThere ??= new Uint8Array(count).fill(1)
      isThere[index] = 0
    } else {
      parts.push(text)
      end += text.length
    }
    if (end > MOST_BYTES)
      throw new ServiceError('memory_limit', `texts of over ${MOST_BYTES} bytes in one unit`)
    offsets[index + 1] = end
  }
  return { offsets, bytes: Buffer.concat(parts, end), isThere }
}

function trimmedEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && isBlank(bytes[end - 1] ?? 0)) end--
  return bytes.subarray(0, end)
}

/** NUL, white space of ASCII. */
function isBlank(byte: number): boolean {
  return byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}
