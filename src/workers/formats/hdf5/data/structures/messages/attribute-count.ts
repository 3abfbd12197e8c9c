import { createCursor } from '../cursor.ts'
import { bodyOf, type HeaderMessage, MESSAGE } from '../object-header.ts'
import type { Structures } from '../structures.ts'

/** Whether attributes are numbered, so that the greatest number follows. */
const HAS_ORDER = 1

/** Bytes of the head of a B-tree besides an address and a length, and of those before the address of its root. */
const HEAD_BYTES = 22
const BEFORE_ROOT_BYTES = 16

/**
 * The number of attributes of an object, of whose header these are the messages. They are messages themselves or, if there are
 * many, in a heap whose index tells how many. Throws `unreadable_file`.
 */
export function countAttributes(messages: readonly HeaderMessage[], structures: Structures): number {
  const own = messages.filter(({ type }) => type === MESSAGE.attribute).length
  const info = messages.find(({ type }) => type === MESSAGE.attributeInfo)
  if (info === undefined) return own
  const body = bodyOf(info, structures)
  body.version(0, 'a list of attributes')
  if (body.uint(1) & HAS_ORDER) body.skip(2)
  const [heap, index] = [body.address(), body.address()]
  if (heap === null || index === null) return own
  const bytes = HEAD_BYTES + structures.addressBytes + structures.lengthBytes
  const head = createCursor(structures.readChecked(index, bytes, 'BTHD'), structures)
  head.skip(BEFORE_ROOT_BYTES)
  head.address()
  head.skip(2)
  return own + head.length()
}
