import { ServiceError } from '../../../../plan/errors.ts'
import type { Heap } from './heap.ts'

/** How text is stored. `heap`: an element refers to a global heap. Otherwise each has the same number of bytes. */
export type TextStorage = 'heap' | 'ends_at_zero' | 'padded_with_zeros' | 'padded_with_spaces'

/** Where the texts of elements are. */
export interface TextElements {
  readonly storage: TextStorage
  /** Bytes from one element to the next, and before the text of the first one. */
  readonly stride: number
  readonly offset: number
  /** Bytes of a text that is not in the heap. */
  readonly valueBytes: number
}

const SPACE = 0x20

/** The most bytes of the texts of a slab. One column of a unit has less. */
const MAX_TEXT_BYTES = 1 << 28

/** The texts of elements, one after the other: text `i` is bytes `offsets[i]` to before `offsets[i + 1]`. */
export function textsOf(
  bytes: Uint8Array,
  { storage, stride, offset, valueBytes }: TextElements,
  heap: Heap,
): { offsets: Int32Array; bytes: Uint8Array } {
  const count = stride > 0 ? Math.floor(bytes.length / stride) : 0
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const offsets = new Int32Array(count + 1)
  const texts: Uint8Array[] = []
  let total = 0
  for (let element = 0, at = offset; element < count; element++, at += stride) {
    const text =
      storage === 'heap' ? heap.text(view, at) : withoutPadding(bytes.subarray(at, at + valueBytes), storage)
    total += text.length
    if (total > MAX_TEXT_BYTES)
      throw new ServiceError('memory_limit', `${count} texts have more than ${MAX_TEXT_BYTES} bytes`)
    offsets[element + 1] = total
    texts.push(text)
  }
  const joined = new Uint8Array(total)
  for (const [element, text] of texts.entries()) joined.set(text, offsets[element] ?? 0)
  return { offsets, bytes: joined }
}

function withoutPadding(text: Uint8Array, storage: Exclude<TextStorage, 'heap'>): Uint8Array {
  if (storage === 'ends_at_zero') {
    const end = text.indexOf(0)
    return end < 0 ? text : text.subarray(0, end)
  }
  const used = storage === 'padded_with_spaces' ? withoutEnd(text, SPACE) : text
  // Writers exist, h5wasm among them, that say spaces and write zeros.
  return withoutEnd(used, 0)
}

function withoutEnd(text: Uint8Array, padding: number): Uint8Array {
  let end = text.length
  while (end > 0 && text[end - 1] === padding) end--
  return text.subarray(0, end)
}
