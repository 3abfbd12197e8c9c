import type { AttributeValue } from '../../arrays/array-file.ts'
import type { Heap } from '../data/heap.ts'
import { uintAt } from '../data/structures/cursor.ts'
import type { StoredAttribute } from '../data/structures/messages/attributes.ts'
import { type Datatype, readDatatype, type TextType } from '../data/structures/messages/datatype.ts'
import { notPlain } from '../data/structures/not-plain.ts'
import type { Structures } from '../data/structures/structures.ts'
import { type FoundValue, MAX_ATTRIBUTE_BYTES, numberAt } from '../library/read-attribute.ts'
import { formOf } from './element-form.ts'

/** Bytes of a reference to an object: the address of its header. */
const REFERENCE_BYTES = 8

/** The classes of sequences of variable length and of references, in the first byte of a datatype message. */
const SEQUENCE_CLASS = 9
const REFERENCE_CLASS = 7

/** Where the type of the elements of a sequence begins, in bytes. */
const BASE_AT = 8

/**
 * The value of an attribute, as `readAttribute` gives it. Null: it is of a type that is not read. Throws `unreadable_file`, and
 * `NotPlain` for one that is as large as the library may leave out.
 */
export function foundValue(
  attribute: StoredAttribute,
  structures: Structures,
  heap: Heap,
): FoundValue | null {
  const type = readDatatype(attribute.type, structures)
  const { space, values } = attribute
  if (space === null) return emptyOf(type)
  const count = space.shape.reduce((product, size) => product * size, 1)
  const bytes = count * type.size
  if (!(bytes <= MAX_ATTRIBUTE_BYTES)) throw notPlain('a large attribute')
  if (bytes > values.byteLength) throw notPlain('an attribute that is cut')
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

type NumberType = Extract<AttributeValue, { kind: 'numbers' }>['element']

/** Null: the type is none of numbers that are read. */
function numberType(type: Datatype): NumberType | null {
  const form = type.kind === 'integer' || type.kind === 'float' ? formOf(type) : null
  if (form === null || typeof form === 'string' || form.fault !== null) return null
  const { element } = form
  return element.kind === 'int' || element.kind === 'float' ? element : null
}

function emptyOf(type: Datatype): AttributeValue | null {
  if (type.kind === 'text') return { kind: 'text', value: '' }
  const element = numberType(type)
  return element && { kind: 'numbers', element, values: [] }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
const SPACE = 0x20

function textsOf({ size, storage }: TextType, values: DataView, count: number, heap: Heap): AttributeValue {
  let left = MAX_ATTRIBUTE_BYTES
  const texts = Array.from({ length: count }, (_, index) => {
    const at = index * size
    const bytes =
      storage === 'heap' ? heap.text(values, at) : new Uint8Array(values.buffer, values.byteOffset + at, size)
    left -= bytes.length
    if (left < 0) throw notPlain('large texts')
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

function referencesOf(values: DataView, count: number, heap: Heap): FoundValue {
  let left = MAX_ATTRIBUTE_BYTES
  const lists = Array.from({ length: count }, (_, index) => {
    const bytes = heap.values(values, index * heap.elementBytes, REFERENCE_BYTES)
    left -= bytes.length
    if (left < 0) throw notPlain('long lists of references')
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    return Array.from({ length: bytes.length / REFERENCE_BYTES }, (_, each) =>
      uintAt(view, each * REFERENCE_BYTES, REFERENCE_BYTES),
    )
  })
  return { kind: 'references', lists }
}
