import { createLru } from '../../../../plan/lru.ts'
import type { Heap } from '../data/heap.ts'
import { attributeIn } from '../data/structures/messages/attributes.ts'
import type { Structures } from '../data/structures/structures.ts'
import { type FoundValue, isOfHeap, readValue } from './attribute-value.ts'

/** An attribute. Its value is null if it is not read. */
export interface FoundAttribute {
  readonly name: string
  readonly value: FoundValue | null
}

/** Longer messages are read each time. The most bytes of all messages whose attributes are remembered. */
const MOST_BYTES = 512
const REMEMBERED_BYTES = 512 << 10

/**
 * Attributes by the bytes of their messages, with the bytes of a length, and those of an address: the files of a collection have the same ones. To find
 * one takes a tenth of the time to read it.
 */
const attributes = createLru<FoundAttribute>(REMEMBERED_BYTES, (_, key) => key.length)

/** The attribute of a message. Throws `unreadable_file`. */
export function readAttribute(message: DataView, structures: Structures, heap: Heap): FoundAttribute {
  const { buffer, byteOffset, byteLength } = message
  if (byteLength > MOST_BYTES) return parseAttribute(message, structures, heap).attribute
  const { lengthBytes, addressBytes } = structures
  const key = `${lengthBytes} ${addressBytes} ${Buffer.from(buffer, byteOffset, byteLength).toString('latin1')}`
  const earlier = attributes.get(key)
  if (earlier !== undefined) return earlier
  const { attribute, isOfMessage } = parseAttribute(message, structures, heap)
  if (isOfMessage) attributes.put(key, attribute)
  return attribute
}

/** `isOfMessage`: the attribute follows from the bytes of the message alone. */
function parseAttribute(
  message: DataView,
  structures: Structures,
  heap: Heap,
): { readonly attribute: FoundAttribute; readonly isOfMessage: boolean } {
  const stored = attributeIn(message, structures)
  const value = readValue(stored, structures, heap)
  return {
    attribute: Object.freeze({ name: stored.name, value }),
    isOfMessage: stored.isWhole && !isOfHeap(stored, structures),
  }
}
