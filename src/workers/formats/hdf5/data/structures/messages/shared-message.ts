import { fault } from '../../../../fault.ts'
import { createCursor } from '../cursor.ts'
import { type HeapObjects, heapObjects } from '../groups/fractal-heap.ts'
import { bodyOf, type HeaderMessage, MESSAGE, readObjectHeader } from '../object-header.ts'
import type { Structures } from '../structures.ts'

/** Where a shared message is: in a heap for messages of several objects, or in the header of one object. */
const IN_HEAP = 1

/** Bytes of what refers to an object in that heap. */
const HEAP_ID_BYTES = 8

/**
 * The body of a message, wherever it is: in another object, as that of a named datatype, or in a heap, where a file keeps equal messages
 * once. Throws `unreadable_file`.
 */
export function messageBody(message: HeaderMessage, structures: Structures): DataView {
  if (!message.isShared) return message.body
  const body = bodyOf(message, structures)
  const version = body.uint(1)
  const place = body.uint(1)
  if (version < 1 || version > 3) throw fault(`a shared message of version ${version} is not read`)
  if (version === 3 && place === IN_HEAP)
    return sharedObjects(message.type, structures)(body.view(HEAP_ID_BYTES), 0, HEAP_ID_BYTES)
  if (version === 1) body.skip(6 + structures.lengthBytes)
  const address = body.address()
  if (address === null) throw fault('a shared message has no address')
  const shared = readObjectHeader(structures, address).find(({ type }) => type === message.type)
  if (shared === undefined || shared.isShared) throw fault(`the object at ${address} does not have a message`)
  return shared.body
}

/** The messages of a type that a file keeps once for several objects. The heap is looked up with the first of them. */
export function sharedObjects(type: number, structures: Structures): HeapObjects {
  let objects: HeapObjects | null = null
  return (ids, at, bytes) => {
    objects ??= heapObjects(structures, heapOf(type, structures))
    return objects(ids, at, bytes)
  }
}

/** The address of the heap for messages of a type. */
function heapOf(type: number, structures: Structures): number {
  const { extension, addressBytes } = structures
  const messages = extension === null ? [] : readObjectHeader(structures, extension)
  const message = messages.find((each) => each.type === MESSAGE.sharedTable)
  if (message === undefined) throw fault('it has no table of shared messages')
  const place = bodyOf(message, structures)
  place.version(0, 'a table of shared messages')
  const address = place.address()
  const count = place.uint(1)
  if (address === null) throw fault('its table of shared messages has no address')
  const entryBytes = 14 + 2 * addressBytes
  const table = createCursor(structures.readChecked(address, 8 + count * entryBytes, 'SMTB'), structures)
  table.signature('SMTB')
  for (let entry = 0; entry < count; entry++) {
    table.skip(2)
    const types = table.uint(2)
    table.skip(10 + addressBytes)
    const heap = table.address()
    if ((types & (1 << type)) !== 0 && heap !== null) return heap
  }
  throw fault(`its table of shared messages has none of type ${type}`)
}
