import { fault } from '../../../fault.ts'
import { type Cursor, createCursor } from './cursor.ts'
import type { Structures } from './structures.ts'

/** A message of an object header. */
export interface HeaderMessage {
  readonly type: number
  /** Whether the body only says where the message is. */
  readonly isShared: boolean
  /** Its number, if the object has an index of its attributes by the order in which they were made. Absent: it has none. */
  readonly order?: number | undefined
  readonly body: DataView
}

/** The messages that are used. */
export const MESSAGE = Object.freeze({
  nil: 0,
  dataspace: 1,
  linkInfo: 2,
  datatype: 3,
  oldFill: 4,
  fill: 5,
  link: 6,
  externalFiles: 7,
  layout: 8,
  groupInfo: 10,
  filters: 11,
  attribute: 12,
  sharedTable: 15,
  continuation: 16,
  symbolTable: 17,
  attributeInfo: 21,
})

/** The most messages of a header. Each attribute may be one. */
const MAX_MESSAGES = 1 << 16

/** Bytes of a header in all of its blocks. */
const MAX_HEADER_BYTES = 16 << 20

/** The signature of version 2. Version 1 has none. */
const OHDR = 0x5244484f

/** A block of a header, which has messages from `from` to before `to`. */
interface Block {
  readonly view: DataView
  readonly from: number
  readonly to: number
}

/** How the messages of a version begin. */
interface Form {
  readonly typeBytes: 1 | 2
  /** Bytes in front of a message's body. */
  readonly prefixBytes: number
  /** Whether attributes are in the order of their numbers. Files with shared messages have numbers that mean nothing. */
  readonly areOrdered: boolean
}

/** Reads the messages of an object header of version 1 or 2. Throws `unreadable_file`. */
export function readObjectHeader(structures: Structures, address: number): HeaderMessage[] {
  const isVersion2 = structures.peek(address, 4).getUint32(0, true) === OHDR
  const { form, first } = isVersion2 ? firstBlock2(structures, address) : firstBlock1(structures, address)
  const messages: HeaderMessage[] = []
  const blocks = [first]
  const seen = new Set<number>()
  let count = 0
  let bytes = 0
  for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
    bytes += block.view.byteLength
    for (const message of messagesOf(block, form)) {
      count++
      if (count > MAX_MESSAGES || bytes > MAX_HEADER_BYTES) throw fault('an object header is too large')
      if (message.type !== MESSAGE.continuation) messages.push(message)
      else {
        const cursor = createCursor(message.body, structures)
        const [at, length] = [cursor.address() ?? -1, cursor.length()]
        if (seen.has(at)) throw fault('the blocks of an object header lead in a circle')
        seen.add(at)
        blocks.push(isVersion2 ? nextBlock2(structures, at, length) : nextBlock1(structures, at, length))
      }
    }
  }
  return messages
}

function firstBlock1(structures: Structures, address: number): { form: Form; first: Block } {
  const view = structures.peek(address, 16)
  if (view.getUint8(0) !== 1) throw fault(`there is no object header at ${address}`)
  const form: Form = { typeBytes: 2, prefixBytes: 8, areOrdered: false }
  return { form, first: nextBlock1(structures, address + 16, view.getUint32(8, true)) }
}

function nextBlock1(structures: Structures, address: number, length: number): Block {
  return { view: structures.read(address, length), from: 0, to: length }
}

/** Bits of the flags of a header of version 2: bytes of its size, whether messages are numbered, and what it has besides. */
export const HEADER_FLAGS = Object.freeze({
  sizeBits: 0x03,
  hasOrder: 0x04,
  hasOrderIndex: 0x08,
  hasPhase: 0x10,
  hasTimes: 0x20,
})

/** Bytes in front of a message's body in a header of version 2 that numbers its messages. */
const NUMBERED_BYTES = 6

function firstBlock2(structures: Structures, address: number): { form: Form; first: Block } {
  const head = createCursor(structures.peek(address, 6), structures)
  head.skip(4)
  head.version(2, 'an object header')
  const flags = head.uint(1)
  const sizeBytes = 1 << (flags & HEADER_FLAGS.sizeBits)
  const sizeAt = 6 + (flags & HEADER_FLAGS.hasTimes ? 16 : 0) + (flags & HEADER_FLAGS.hasPhase ? 4 : 0)
  const sizes = createCursor(structures.peek(address, sizeAt + sizeBytes), structures)
  sizes.skip(sizeAt)
  const from = sizeAt + sizeBytes
  const to = from + sizes.uint(sizeBytes)
  const view = structures.readChecked(address, to + 4, 'OHDR')
  const prefixBytes = flags & HEADER_FLAGS.hasOrder ? NUMBERED_BYTES : 4
  const form: Form = { typeBytes: 1, prefixBytes, areOrdered: (flags & HEADER_FLAGS.hasOrderIndex) !== 0 }
  return { form, first: { view, from, to } }
}

function nextBlock2(structures: Structures, address: number, length: number): Block {
  return { view: structures.readChecked(address, length, 'OCHK'), from: 4, to: length - 4 }
}

/** A class, because metadata have thousands of messages, and the bodies of most of them are not asked for: a view takes more memory than a message. */
class StoredMessage implements HeaderMessage {
  readonly type: number
  readonly isShared: boolean
  readonly order: number | undefined
  readonly #block: DataView
  readonly #from: number
  readonly #length: number

  constructor(head: Omit<HeaderMessage, 'body'>, block: DataView, from: number, length: number) {
    this.type = head.type
    this.isShared = head.isShared
    this.order = head.order
    this.#block = block
    this.#from = from
    this.#length = length
  }

  get body(): DataView {
    return new DataView(this.#block.buffer, this.#block.byteOffset + this.#from, this.#length)
  }
}

function* messagesOf(
  { view, from, to }: Block,
  { typeBytes, prefixBytes, areOrdered }: Form,
): Generator<HeaderMessage> {
  // Fewer bytes than a prefix has are a gap.
  for (let at = from; at + prefixBytes <= to; ) {
    const type = typeBytes === 1 ? view.getUint8(at) : view.getUint16(at, true)
    const length = view.getUint16(at + typeBytes, true)
    const flags = view.getUint8(at + typeBytes + 2)
    const isNumbered = areOrdered && prefixBytes === NUMBERED_BYTES
    const order = isNumbered ? view.getUint16(at + typeBytes + 3, true) : undefined
    at += prefixBytes
    if (length > to - at) throw fault('a message of an object header is longer than the header')
    yield new StoredMessage({ type, isShared: (flags & 2) !== 0, order }, view, at, length)
    at += length
  }
}

export function bodyOf({ body }: HeaderMessage, structures: Structures): Cursor {
  return createCursor(body, structures)
}
