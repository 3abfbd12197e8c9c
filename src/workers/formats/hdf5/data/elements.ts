import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import type { Box, Slab } from '../../arrays/array-file.ts'
import { elementsOf } from '../../arrays/boxes.ts'
import type { Heap } from './heap.ts'
import type { DecodedChunk } from './read-chunk.ts'
import { type TextElements, type TextStorage, textsOf } from './texts.ts'

/** What the elements of an array are, within those of its dataset: an array may be a member of a compound. */
export interface ElementForm {
  /** Bytes from one element of the dataset to the next. */
  readonly elementBytes: number
  /** Where the value of the array is in an element, and its bytes. */
  readonly offset: number
  readonly valueBytes: number
  readonly isBigEndian: boolean
  /** Null: the elements are not text. */
  readonly text: TextStorage | null
}

/** A slab of stored elements, which are in C order. */
export function slabOf(box: Box, bytes: Uint8Array, form: ElementForm, heap: Heap): Slab {
  const { origin, extent } = box
  const { text } = form
  if (text === null) return elementSlab(box, { bytes, isShuffled: false }, form)
  return { origin, extent, kind: 'texts', ...textsOf(bytes, textForm(form, text), heap) }
}

/** The same for elements that are not text, and may be in the core. */
export function elementSlab(
  { origin, extent }: Box,
  { bytes, isShuffled }: DecodedChunk<Uint8Array | InflatedBytes>,
  { elementBytes, offset, isBigEndian }: ElementForm,
): Slab {
  const order = { origin, extent, isBigEndian, isShuffled, stride: elementBytes, offset }
  return bytes instanceof Uint8Array
    ? { kind: 'elements', bytes, ...order }
    : { kind: 'inflated', bytes, ...order }
}

/** The slab of elements that were never written. `fill` has the bytes of one. Null: they are zeros. */
export function fillSlab(box: Box, fill: Uint8Array | null, form: ElementForm, heap: Heap): Slab | null {
  const { origin, extent } = box
  const { elementBytes, offset, valueBytes, isBigEndian, text } = form
  if (elementsOf(box) === 0) return null
  const element = fill ?? new Uint8Array(elementBytes)
  if (text !== null) {
    const { bytes } = textsOf(element, textForm(form, text), heap)
    return { origin, extent, kind: 'repeated', bytes }
  }
  const bytes = element.slice(offset, offset + valueBytes)
  return { origin, extent, kind: 'repeated', bytes: isBigEndian ? bytes.reverse() : bytes }
}

function textForm({ elementBytes, offset, valueBytes }: ElementForm, storage: TextStorage): TextElements {
  return { storage, stride: elementBytes, offset, valueBytes }
}
