import { isUtf8 } from 'node:buffer'
import { trimmedEnd } from '../../../src/workers/formats/arrays/cf/text.ts'

/** Texts one after the other in UTF-8: text `i` is bytes `offsets[i]` to before `offsets[i + 1]`. */
export interface Texts {
  readonly offsets: Int32Array
  readonly bytes: Uint8Array
  /** For each text 0 if it is null, else 1. Null: no text is null. */
  readonly isThere: Uint8Array | null
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
    offsets[index + 1] = end
  }
  return { offsets, bytes: Buffer.concat(parts, end), isThere }
}
