import { fault } from '../../../fault.ts'
import { show } from '../../metadata/members.ts'
import type { Codec } from '../../stored-zarr.ts'
import { type ArrayForm, elementBytesOf } from '../array-form.ts'
import type { ArrayCodec } from './array-codec.ts'

/** Dimension `i` of what is stored is dimension `order[i]` of the array. Throws `unreadable_file` for another configuration. */
export function transpose(form: ArrayForm, { order }: Codec['configuration']): ArrayCodec {
  const { data, shape } = form
  const elementBytes = elementBytesOf(data)
  if (elementBytes === null)
    throw fault('its chunks have texts of any length that were transposed, which are not read')
  const places = placesOf(order, shape.length)
  const encoded: ArrayForm = { data, shape: places.map((axis) => shape[axis] ?? 1) }
  return {
    encoded,
    readsNumbers: false,
    decode: (bytes) => transposeElements(bytes, elementBytes, shape, stridesOf(encoded.shape, places)),
  }
}

function placesOf(order: unknown, rank: number): readonly number[] {
  const axes = Array.from({ length: rank }, (_, axis) => axis)
  if (order === 'C') return axes
  if (order === 'F') return axes.toReversed()
  const places: readonly unknown[] = Array.isArray(order) ? order : []
  const isPermutation = places.length === rank && axes.every((axis) => places.includes(axis))
  if (!isPermutation) throw fault(`its codec transpose has the order ${show(order)} for ${rank} dimensions`)
  return places.map(Number)
}

/** Elements from one index to the next of each dimension of the array, in what is stored. */
function stridesOf(stored: readonly number[], places: readonly number[]): readonly number[] {
  const strides: number[] = []
  for (let axis = stored.length - 1, stride = 1; axis >= 0; stride *= stored[axis] ?? 1, axis--)
    strides[places[axis] ?? 0] = stride
  return strides
}

/** Elements in C order, out of those that lie `strides` apart. */
function transposeElements(
  bytes: Uint8Array,
  elementBytes: number,
  shape: readonly number[],
  strides: readonly number[],
): Uint8Array {
  const elements = new Uint8Array(bytes.length)
  const [source, target] = [wordsOf(bytes, elementBytes), wordsOf(elements, elementBytes)]
  const lanes = elementBytes / source.BYTES_PER_ELEMENT
  const rank = shape.length
  let to = 0

  function gather(axis: number, from: number): void {
    const [length, stride] = [shape[axis] ?? 1, (strides[axis] ?? 0) * lanes]
    if (axis < rank - 1) {
      for (let index = 0; index < length; index++) gather(axis + 1, from + index * stride)
      return
    }
    for (let index = 0; index < length; index++)
      for (let lane = 0; lane < lanes; lane++) target[to++] = source[from + index * stride + lane] ?? 0
  }

  if (bytes.length > 0) gather(0, 0)
  return elements
}

type Words = Uint8Array | Uint16Array | Uint32Array

/** The bytes as the widest words that divide an element. */
function wordsOf(bytes: Uint8Array, elementBytes: number): Words {
  const wordBytes = [4, 2].find((each) => elementBytes % each === 0) ?? 1
  const { buffer, byteOffset, length } = bytes.byteOffset % wordBytes === 0 ? bytes : new Uint8Array(bytes)
  if (wordBytes === 4) return new Uint32Array(buffer, byteOffset, length / 4)
  return wordBytes === 2 ? new Uint16Array(buffer, byteOffset, length / 2) : bytes
}
