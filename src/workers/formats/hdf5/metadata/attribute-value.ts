import { productOf } from '../../../../plan/product-of.ts'
import type { AttributeValue } from '../../arrays/array-file.ts'
import { fault } from '../../fault.ts'
import type { Heap } from '../data/heap.ts'
import { uintAt } from '../data/structures/cursor.ts'
import type { StoredAttribute } from '../data/structures/messages/attributes.ts'
import { type Datatype, readDatatype, type TextType } from '../data/structures/messages/datatype.ts'
import type { Structures } from '../data/structures/structures.ts'
import { formOf } from './element-form.ts'

/** The value of an attribute. References are addresses of object headers, one list for each element. */
export type FoundValue =
  | AttributeValue
  | { readonly kind: 'references'; readonly lists: readonly (readonly number[])[] }

/** Bytes of an attribute, and of its texts together. One that has more is left out. */
export const MAX_ATTRIBUTE_BYTES = 1 << 20

/** Bytes of a reference to an object: the address of its header. */
const REFERENCE_BYTES = 8

/** The classes of sequences of variable length and of references, in the first byte of a datatype message. */
const SEQUENCE_CLASS = 9
const REFERENCE_CLASS = 7

/** Where the type of the elements of a sequence begins, in bytes. */
const BASE_AT = 8

/**
 * The value of an attribute. Null: it is of a type that is not read, or has more than `MAX_ATTRIBUTE_BYTES`. Throws `unreadable_file`.
 */
export function readValue(attribute: StoredAttribute, structures: Structures, heap: Heap): FoundValue | null {
  const type = readDatatype(attribute.type, structures)
  const { space, values } = attribute
  if (space === null) return emptyOf(type)
  const count = productOf(space.shape)
  const bytes = count * type.size
  if (!(bytes <= MAX_ATTRIBUTE_BYTES)) return null
  if (bytes > values.byteLength) throw fault(`the attribute "${attribute.name}" is cut`)
  if (type.kind === 'text') return textsOf(type, values, count, heap)
  if (isListOfReferences(attribute.type)) return referencesOf(values, count, heap)
  const element = numberType(type)
  if (element === null || (type.kind !== 'integer' && type.kind !== 'float')) return null
  return {
    kind: 'numbers',
    element,
    values: Array.from({ length: count }, (_, index) =>
      numberAt(values, index * type.size, element, !type.isBigEndian),
    ),
  }
}

/** Whether the value of an attribute lies in the heap of the file, or what it says is an address. */
export function isOfHeap({ type }: StoredAttribute, structures: Structures): boolean {
  const read = readDatatype(type, structures)
  return (read.kind === 'text' && read.storage === 'heap') || isListOfReferences(type)
}

type NumberType = Extract<AttributeValue, { kind: 'numbers' }>['element']

/** Null: the type is none of numbers that are read. */
function numberType(type: Datatype): NumberType | null {
  const form = type.kind === 'integer' || type.kind === 'float' ? formOf(type) : null
  if (form === null || typeof form === 'string' || form.fault !== null) return null
  const { element } = form
  return element.kind === 'int' || element.kind === 'float' ? element : null
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

function emptyOf(type: Datatype): AttributeValue | null {
  if (type.kind === 'text') return { kind: 'text', value: '' }
  const element = numberType(type)
  return element && { kind: 'numbers', element, values: [] }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const SPACE = 0x20

/** Null: the texts are too long together, and are not read. */
function textsOf(
  { size, storage }: TextType,
  values: DataView,
  count: number,
  heap: Heap,
): AttributeValue | null {
  const ofHeap = storage === 'heap'
  if (ofHeap && lengthsOf(values, count, heap) > MAX_ATTRIBUTE_BYTES) return null
  const texts = Array.from({ length: count }, (_, index) => {
    const at = index * size
    const bytes = ofHeap ? heap.text(values, at) : new Uint8Array(values.buffer, values.byteOffset + at, size)
    const zero = bytes.indexOf(0)
    let end = zero < 0 ? bytes.length : zero
    if (storage === 'padded_with_spaces') while (end > 0 && bytes[end - 1] === SPACE) end--
    return utf8.decode(bytes.subarray(0, end))
  })
  const [value = ''] = texts
  return count === 1 ? { kind: 'text', value } : { kind: 'texts', values: texts }
}

/** Whether the elements of a type are sequences of references to objects, as those of `DIMENSION_LIST`. */
function isListOfReferences(type: DataView): boolean {
  return (
    (type.getUint8(0) & 15) === SEQUENCE_CLASS &&
    (type.getUint8(1) & 15) === 0 &&
    (type.getUint8(BASE_AT) & 15) === REFERENCE_CLASS &&
    (type.getUint8(BASE_AT + 1) & 15) === 0 &&
    type.getUint32(BASE_AT + 4, true) === REFERENCE_BYTES
  )
}

/** The lengths of elements of variable length together. Each begins with its own. */
function lengthsOf(values: DataView, count: number, { elementBytes }: Heap): number {
  let sum = 0
  for (let index = 0; index < count; index++) sum += values.getUint32(index * elementBytes, true)
  return sum
}

/** Null: the lists are too long together, and are not read. */
function referencesOf(values: DataView, count: number, heap: Heap): FoundValue | null {
  if (lengthsOf(values, count, heap) * REFERENCE_BYTES > MAX_ATTRIBUTE_BYTES) return null
  const lists = Array.from({ length: count }, (_, index) => {
    const bytes = heap.values(values, index * heap.elementBytes, REFERENCE_BYTES)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return Array.from({ length: bytes.length / REFERENCE_BYTES }, (_, each) =>
      uintAt(view, each * REFERENCE_BYTES, REFERENCE_BYTES),
    )
  })
  return { kind: 'references', lists }
}
