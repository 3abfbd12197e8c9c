import { fault } from '../../../../fault.ts'
import { createCursor } from '../cursor.ts'
import { openTree2, recordsOf } from '../groups/btree2.ts'
import { heapObjects } from '../groups/fractal-heap.ts'
import { inOrder, type Ordered } from '../groups/in-order.ts'
import { nameIn } from '../groups/name.ts'
import { type HeaderMessage, MESSAGE } from '../object-header.ts'
import type { Structures } from '../structures.ts'
import { type Dataspace, readDataspace } from './dataspace.ts'
import { messageBody, sharedObjects } from './shared-message.ts'

/** An attribute as it is stored. */
export interface StoredAttribute {
  readonly name: string
  /** A datatype message. */
  readonly type: DataView
  /** Null: it has no elements. */
  readonly space: Dataspace | null
  readonly values: DataView
  /** Whether the message says all of this, and refers to no other one. */
  readonly isWhole: boolean
}

/** The type of the records of an index of attributes by their names: what refers to an object in the heap, flags, an order and a hash. */
const ATTRIBUTES_BY_NAME = 8
const HEAP_ID_BYTES = 8
const RECORD_BYTES = HEAP_ID_BYTES + 9

/** Whether the message of an attribute in the heap is in another heap, for messages of several objects. */
const IS_SHARED = 2

/** Bits of the flags of a list of attributes: they are numbered, so that the greatest number follows, and have an index by these numbers. */
const HAS_ORDER = 1
const HAS_ORDER_INDEX = 2

/** Bits of the flags of an attribute: its type, and its dataspace, say only where they are. */
const SHARED_TYPE = 1
const SHARED_SPACE = 2

/**
 * The attributes of an object, of whose header these are the messages, in the order of the library, as `read` makes them of their own messages and
 * numbers. Throws `unreadable_file`, also for more than `most`.
 */
export function attributesIn<T extends Ordered>(
  messages: readonly HeaderMessage[],
  structures: Structures,
  most: number,
  read: (body: DataView, order: number | undefined) => T,
): readonly T[] {
  const storedAttributes: T[] = []
  const add = (body: DataView, order: number | undefined): void => {
    if (storedAttributes.length === most) throw fault(`an object has more than ${most} attributes`)
    storedAttributes.push(read(body, order))
  }
  for (const message of messages)
    if (message.type === MESSAGE.attribute) add(messageBody(message, structures), message.order)
  const info = messages.find(({ type }) => type === MESSAGE.attributeInfo)
  if (info === undefined) return inOrder(storedAttributes)
  const body = createCursor(messageBody(info, structures), structures)
  body.version(0, 'a list of attributes')
  const flags = body.uint(1)
  if (flags & HAS_ORDER) body.skip(2)
  const areNumbered = (flags & HAS_ORDER_INDEX) !== 0
  const [heap, index] = [body.address(), body.address()]
  if (heap === null || index === null) return inOrder(storedAttributes)
  const tree = openTree2(structures, index, 'an index of attributes')
  if (tree.type !== ATTRIBUTES_BY_NAME || tree.recordBytes !== RECORD_BYTES)
    throw fault(`an index of attributes has records of type ${tree.type}`)
  const objectOf = heapObjects(structures, heap)
  const sharedObjectOf = sharedObjects(MESSAGE.attribute, structures)
  for (const record of recordsOf(tree, most)) {
    const isShared = (record.getUint8(HEAP_ID_BYTES) & IS_SHARED) !== 0
    const order = areNumbered ? record.getUint32(HEAP_ID_BYTES + 1, true) : undefined
    add(isShared ? sharedObjectOf(record, 0, HEAP_ID_BYTES) : objectOf(record, 0, HEAP_ID_BYTES), order)
  }
  return inOrder(storedAttributes)
}

/** Reads the message of an attribute. Throws `unreadable_file`. */
export function attributeIn(message: DataView, structures: Structures): StoredAttribute {
  const body = createCursor(message, structures)
  const version = body.uint(1)
  if (version < 1 || version > 3) throw fault(`an attribute of version ${version} is not read`)
  const flags = body.uint(1)
  const [nameBytes, typeBytes, spaceBytes] = [body.uint(2), body.uint(2), body.uint(2)]
  if (version === 3) body.skip(1)
  /** Before version 2 each part is filled up to a multiple of 8 bytes. */
  const fill = (bytes: number): void => {
    if (version === 1) body.skip((8 - (bytes % 8)) % 8)
  }
  const isShared = (shared: number): boolean => version > 1 && (flags & shared) !== 0
  const sharedBody = (type: number, messageView: DataView): DataView =>
    messageBody({ type, isShared: true, body: messageView }, structures)
  const name = nameIn(untilZero(body.take(nameBytes)))
  fill(nameBytes)
  const typeView = body.view(typeBytes)
  fill(typeBytes)
  const space = isShared(SHARED_SPACE)
    ? createCursor(sharedBody(MESSAGE.dataspace, body.view(spaceBytes)), structures)
    : body.part(spaceBytes)
  fill(spaceBytes)
  return {
    name,
    type: isShared(SHARED_TYPE) ? sharedBody(MESSAGE.datatype, typeView) : typeView,
    space: readDataspace(space, structures.lengthBytes),
    values: body.view(body.remainingBytes),
    isWhole: version === 1 || (flags & (SHARED_TYPE | SHARED_SPACE)) === 0,
  }
}

function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0)
  return end < 0 ? bytes : bytes.subarray(0, end)
}
