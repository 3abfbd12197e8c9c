import { createLru } from '../../../../plan/lru.ts'
import { fault } from '../../fault.ts'
import { addressAt, createCursor, uintAt } from './structures/cursor.ts'
import type { Structures } from './structures/structures.ts'

/** Reads what elements of variable length refer to. */
export interface Heap {
  /** Bytes of an element: a length, and the address and the number of an object. */
  readonly elementBytes: number
  /** The bytes of the object that the element at `at` refers to, without those from the first zero on. */
  text(elements: DataView, at: number): Uint8Array
  /** The values that the element at `at` refers to, of so many bytes each. */
  values(elements: DataView, at: number, valueBytes: number): Uint8Array
}

/** A collection of objects. */
interface Collection {
  readonly bytes: Uint8Array
  /** Where each object begins and ends, by its number. */
  readonly objects: ReadonlyMap<number, readonly [from: number, to: number]>
}

/** The most bytes of collections that are held. One has 4 KiB if no object is larger, and at most 16 MiB (`structures.ts`). */
const HELD_BYTES = 16 << 20

/** Bytes of an object in front of its size: its number, its references, and four that are not used. */
const OBJECT_PREFIX_BYTES = 8

const NOTHING = new Uint8Array(0)

/** The global heap of a file. Throws `unreadable_file`. */
export function createHeap(structures: Structures): Heap {
  const { addressBytes, lengthBytes } = structures
  const collections = createLru<Collection>(HELD_BYTES, ({ bytes }) => bytes.byteLength)

  function collectionAt(address: number): Collection {
    const key = `${address}`
    const cachedCollection = collections.get(key)
    if (cachedCollection !== undefined) return cachedCollection
    const headBytes = 8 + lengthBytes
    const head = createCursor(structures.read(address, headBytes), structures)
    head.signature('GCOL')
    head.version(1, 'a heap')
    head.skip(3)
    const view = structures.read(address, head.length())
    const objects = new Map<number, readonly [number, number]>()
    for (let at = headBytes; at + OBJECT_PREFIX_BYTES + lengthBytes <= view.byteLength; ) {
      const number = view.getUint16(at, true)
      const length = uintAt(view, at + OBJECT_PREFIX_BYTES, lengthBytes)
      const from = at + OBJECT_PREFIX_BYTES + lengthBytes
      // Number 0 is the free part behind all objects.
      if (number === 0) break
      if (length > view.byteLength - from)
        throw fault(`object ${number} of the heap at ${address} is too long`)
      objects.set(number, [from, from + length])
      at = from + Math.ceil(length / 8) * 8
    }
    const collection = { bytes: new Uint8Array(view.buffer, view.byteOffset, view.byteLength), objects }
    collections.put(key, collection)
    return collection
  }

  /** The bytes of the object that the element at `at` refers to, which is a number of values of so many bytes. */
  function values(elements: DataView, at: number, valueBytes: number): Uint8Array {
    const length = elements.getUint32(at, true) * valueBytes
    const address = addressAt(elements, at + 4, addressBytes)
    // An element that was never written refers to nothing.
    if (length === 0 || address === null || address === 0) return NOTHING
    const number = elements.getUint32(at + 4 + addressBytes, true)
    const { bytes, objects } = collectionAt(address)
    const place = objects.get(number)
    if (place === undefined || place[0] + length > place[1])
      throw fault(`the heap at ${address} has no object ${number} of ${length} bytes`)
    return bytes.subarray(place[0], place[0] + length)
  }

  return {
    elementBytes: 8 + addressBytes,
    values,
    text(elements, at) {
      const text = values(elements, at, 1)
      const end = text.indexOf(0)
      return end < 0 ? text : text.subarray(0, end)
    },
  }
}
