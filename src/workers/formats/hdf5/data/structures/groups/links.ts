import { fault } from '../../../../fault.ts'
import { type Cursor, createCursor } from '../cursor.ts'
import { messageBody } from '../messages/shared-message.ts'
import { type HeaderMessage, MESSAGE } from '../object-header.ts'
import type { Structures } from '../structures.ts'
import { openTree2, recordsOf } from './btree2.ts'
import { heapObjects } from './fractal-heap.ts'
import { inOrder, type Ordered } from './in-order.ts'
import type { LinkTarget } from './link-target.ts'
import { nameIn } from './name.ts'
import { symbolsOf } from './symbol-table.ts'

/** A link of a group. */
export interface Link extends Ordered {
  readonly target: LinkTarget
}

/** The type of the records of an index of links by their names: a hash, and what refers to an object in the heap. */
const LINKS_BY_NAME = 5
const HASH_BYTES = 4
const HEAP_ID_BYTES = 7

/** Bits of the flags of a list of links, and of a link. */
const LIST = Object.freeze({ hasOrder: 1, hasOrderIndex: 2 })
const LINK = Object.freeze({ lengthBits: 3, hasOrder: 4, hasType: 8, hasCharset: 16 })

/** The types of links to an object header and to a path. From 64 on they lead out of the file, or are of a user's type. */
const HARD = 0
const SOFT = 1
const FIRST_OTHER = 64

/**
 * The links of a group, of whose header these are the messages, in the order of the library. Throws `unreadable_file`, also for more than
 * `most`, and if one of them is of an unknown type.
 */
export function linksOf(
  messages: readonly HeaderMessage[],
  structures: Structures,
  most: number,
): readonly Link[] {
  const symbols = messages.find(({ type }) => type === MESSAGE.symbolTable)
  return inOrder(
    symbols === undefined
      ? [...readLinks(messages, structures, most)]
      : symbolsOf(createCursor(messageBody(symbols, structures), structures), structures, most),
  )
}

/** Links that are messages themselves or, if there are many, in a heap. */
function* readLinks(
  messages: readonly HeaderMessage[],
  structures: Structures,
  most: number,
): Generator<Link> {
  for (const message of messages)
    if (message.type === MESSAGE.link) yield linkIn(messageBody(message, structures), structures)
  const info = messages.find(({ type }) => type === MESSAGE.linkInfo)
  if (info === undefined) throw fault('a group has no list of links')
  const body = createCursor(messageBody(info, structures), structures)
  body.version(0, 'a list of links')
  const flags = body.uint(1)
  if (flags & LIST.hasOrder) body.skip(8)
  const [heap, index] = [body.address(), body.address()]
  if (heap === null) return
  if (index === null) throw fault('a group with many links has no index of them')
  const tree = openTree2(structures, index, 'an index of links')
  if (tree.type !== LINKS_BY_NAME || tree.recordBytes !== HASH_BYTES + HEAP_ID_BYTES)
    throw fault(`an index of links has records of type ${tree.type}`)
  const objectOf = heapObjects(structures, heap)
  for (const record of recordsOf(tree, most)) {
    yield linkIn(objectOf(record, HASH_BYTES, HEAP_ID_BYTES), structures)
  }
}

function linkIn(message: DataView, structures: Structures): Link {
  const body = createCursor(message, structures)
  body.version(1, 'a link')
  const flags = body.uint(1)
  const type = flags & LINK.hasType ? body.uint(1) : HARD
  const order = flags & LINK.hasOrder ? { order: body.uint(8) } : null
  if (flags & LINK.hasCharset) body.skip(1)
  const name = nameIn(body.take(body.uint(1 << (flags & LINK.lengthBits))))
  return { name, ...order, target: targetIn(body, type, name) }
}

/** What a link leads to, which is behind its name. */
function targetIn(body: Cursor, type: number, name: string): LinkTarget {
  if (type >= FIRST_OTHER) return null
  if (type === SOFT) {
    const bytes = body.uint(2)
    if (bytes === 0) throw fault(`the link "${name}" has no path`)
    return nameIn(body.take(bytes))
  }
  if (type !== HARD) throw fault(`the link "${name}" is of type ${type}, which is not read`)
  const address = body.address()
  if (address === null) throw fault(`the link "${name}" leads nowhere`)
  return address
}
