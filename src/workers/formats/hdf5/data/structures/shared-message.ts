import { fault } from '../fault.ts'
import { bodyOf, type HeaderMessage, readObjectHeader } from './object-header.ts'
import type { Structures } from './structures.ts'

/** Where a message is, if it is not in the heap of messages that several objects share. */
const IN_OBJECT = 2

/** The body of a message. If it is that of another object, as a named datatype, it is read there. Throws `unreadable_file`. */
export function messageBody(message: HeaderMessage, structures: Structures): DataView {
  if (!message.isShared) return message.body
  const body = bodyOf(message, structures)
  const version = body.uint(1)
  const place = body.uint(1)
  if (version < 1 || version > 3) throw fault(`a shared message of version ${version} is not read`)
  if (version === 1) body.skip(6 + structures.lengthBytes)
  else if (version === 3 && place !== IN_OBJECT) throw fault('messages in a heap are not read')
  const address = body.address()
  if (address === null) throw fault('a shared message has no address')
  const shared = readObjectHeader(structures, address).find(({ type }) => type === message.type)
  if (shared === undefined || shared.isShared) throw fault(`the object at ${address} does not have a message`)
  return shared.body
}
