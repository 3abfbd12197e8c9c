import type { AttributeValue } from '../../../src/workers/formats/arrays/array-file.ts'
import type { OpenedFile } from '../../../src/workers/formats/hdf5/library/library.ts'
import { TYPE_CLASS } from '../../../src/workers/formats/hdf5/library/module.ts'
import {
  type FoundValue,
  MAX_ATTRIBUTE_BYTES,
} from '../../../src/workers/formats/hdf5/metadata/attribute-value.ts'
import { type DataspaceMetadata, describingLibrary, FILLED_WITH_SPACES } from './describing-library.ts'

/** A pointer of the library. An element of variable length is a number of elements, and a pointer to them. */
const POINTER_BYTES = 4
const REFERENCE_BYTES = 8

/** Reads an attribute of the object at a path. Null: it is of a type that is not read, or too large. */
export function readAttribute(file: OpenedFile, path: string, name: string): FoundValue | null {
  const library = describingLibrary(file)
  const { id } = file
  const metadata = library.get_attribute_metadata(id, path, name)
  if (metadata.shape === null) return emptyOf(metadata)
  const count = metadata.shape.reduce((product, size) => product * size, 1)
  const bytes = count * metadata.size
  if (!(bytes <= MAX_ATTRIBUTE_BYTES)) return null
  if (valuesOf(metadata) === null) return null
  const pointer = library._malloc(Math.max(bytes, REFERENCE_BYTES))
  if (pointer === 0) throw new Error('the HDF5 library has no memory left')
  try {
    // What is not written is not read as if it were a pointer.
    library.HEAPU8.fill(0, pointer, pointer + bytes)
    const status = library.get_attribute_data(id, path, name, BigInt(pointer))
    if (status < 0) throw new Error(`the attribute "${name}" of "${path}" cannot be read`)
    const value = valuesOf(metadata)?.(library.HEAPU8, pointer, count) ?? null
    if (metadata.vlen || metadata.type === TYPE_CLASS.vlen)
      library.reclaim_vlen_memory(id, path, name, BigInt(pointer))
    return value
  } finally {
    library._free(pointer)
  }
}

/** Decodes `count` elements at `pointer` of the library's memory. */
type Decode = (heap: Uint8Array, pointer: number, count: number) => FoundValue | null

function emptyOf({ type, size, signed }: DataspaceMetadata): AttributeValue | null {
  if (type === TYPE_CLASS.string) return { kind: 'text', value: '' }
  const element = numberType(type, size, signed)
  return element && { kind: 'numbers', element, values: [] }
}

/** How elements of a type are decoded. Null: they are not. */
function valuesOf(metadata: DataspaceMetadata): Decode | null {
  const { type, size, signed, vlen, strpad, vlen_type: base } = metadata
  if (type === TYPE_CLASS.string) {
    return (heap, pointer, count) => {
      const texts = vlen ? heapTexts(heap, pointer, count) : fixedTexts(heap, pointer, count, size, strpad)
      if (texts === null) return null
      const [value = ''] = texts
      return count === 1 ? { kind: 'text', value } : { kind: 'texts', values: texts }
    }
  }
  if (type === TYPE_CLASS.vlen && base?.type === TYPE_CLASS.reference && base.size === REFERENCE_BYTES)
    return references
  const element = numberType(type, size, signed)
  if (element === null) return null
  return (heap, pointer, count) => {
    const view = new DataView(heap.buffer, heap.byteOffset + pointer, count * size)
    const values = Array.from({ length: count }, (_, index) => numberAt(view, index * size, element, true))
    return { kind: 'numbers', element, values }
  }
}

type NumberType = Extract<AttributeValue, { kind: 'numbers' }>['element']

function numberType(type: number, size: number, signed: boolean): NumberType | null {
  const bits = size * 8
  if (type === TYPE_CLASS.int && (bits === 8 || bits === 16 || bits === 32 || bits === 64))
    return { kind: 'int', bits, signed }
  if (type === TYPE_CLASS.float && (bits === 16 || bits === 32 || bits === 64)) return { kind: 'float', bits }
  return null
}

function numberAt(view: DataView, at: number, element: NumberType, isLittle: boolean): number | bigint {
  const { bits } = element
  if (element.kind === 'float') {
    if (bits === 16) return view.getFloat16(at, isLittle)
    return bits === 32 ? view.getFloat32(at, isLittle) : view.getFloat64(at, isLittle)
  }
  if (bits === 8) return element.signed ? view.getInt8(at) : view.getUint8(at)
  if (bits === 16) return element.signed ? view.getInt16(at, isLittle) : view.getUint16(at, isLittle)
  if (bits === 32) return element.signed ? view.getInt32(at, isLittle) : view.getUint32(at, isLittle)
  return element.signed ? view.getBigInt64(at, isLittle) : view.getBigUint64(at, isLittle)
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

function fixedTexts(
  heap: Uint8Array,
  pointer: number,
  count: number,
  size: number,
  padding: number | undefined,
): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = heap.subarray(pointer + index * size, pointer + (index + 1) * size)
    const zero = bytes.indexOf(0)
    let end = zero < 0 ? size : zero
    if (padding === FILLED_WITH_SPACES) while (end > 0 && bytes[end - 1] === 0x20) end--
    return utf8.decode(bytes.subarray(0, end))
  })
}

/** Texts that `count` pointers refer to. Null: they are too large together. */
function heapTexts(heap: Uint8Array, pointer: number, count: number): readonly string[] | null {
  const view = new DataView(heap.buffer, heap.byteOffset)
  const texts: string[] = []
  let left = MAX_ATTRIBUTE_BYTES
  for (let index = 0; index < count; index++) {
    const at = view.getUint32(pointer + index * POINTER_BYTES, true)
    const length = at === 0 ? 0 : heap.subarray(at, at + left + 1).indexOf(0)
    if (length < 0) return null
    left -= length
    texts.push(utf8.decode(heap.subarray(at, at + length)))
  }
  return texts
}

function references(heap: Uint8Array, pointer: number, count: number): FoundValue | null {
  const view = new DataView(heap.buffer, heap.byteOffset)
  const lists: number[][] = []
  let left = MAX_ATTRIBUTE_BYTES / REFERENCE_BYTES
  for (let index = 0; index < count; index++) {
    const element = pointer + index * 2 * POINTER_BYTES
    const length = view.getUint32(element, true)
    const at = view.getUint32(element + POINTER_BYTES, true)
    left -= length
    if (left < 0 || at + length * REFERENCE_BYTES > heap.length) return null
    lists.push(
      Array.from({ length }, (_, each) => Number(view.getBigUint64(at + each * REFERENCE_BYTES, true))),
    )
  }
  return { kind: 'references', lists }
}
