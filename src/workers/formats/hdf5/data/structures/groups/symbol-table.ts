import { fault } from '../../../../fault.ts'
import { type Cursor, createCursor, uintAt } from '../cursor.ts'
import type { Structures } from '../structures.ts'
import type { LinkTarget } from './link-target.ts'
import { nameIn } from './name.ts'

/** An entry of the table of a group: its name, and what it leads to. */
export interface SymbolEntry {
  readonly name: string
  readonly target: LinkTarget
}

/** The signature of a node of the index, and the type of nodes of groups. */
const TREE = 0x45455254
const OF_GROUPS = 0

/** The most levels of an index. One of 32 has more entries than any file. */
const MAX_LEVELS = 32

/** The kind of an entry that is a path, which the next four bytes refer to in the heap of names. */
const IS_PATH = 2

/** Bytes of an entry behind its two addresses: its kind, four that are reserved, and 16 that depend on the kind. */
const ENTRY_REST_BYTES = 24

/**
 * The entries of a group of the old form, whose message is the address of an index and that of a heap of names and paths. Throws
 * `unreadable_file`, also for more than `most`.
 */
export function symbolsOf(message: Cursor, structures: Structures, most: number): SymbolEntry[] {
  const [index, heap] = [message.address(), message.address()]
  if (index === null || heap === null) throw fault('a group has no table')
  const names = namesIn(structures, heap)
  const symbols: SymbolEntry[] = []
  for (const node of tableNodes(structures, index)) {
    for (const symbol of entriesOf(structures, node, names)) {
      if (symbols.length === most) throw fault(`it has more than ${most} links`)
      symbols.push(symbol)
    }
  }
  return symbols
}

/** The addresses of the nodes of the table, in their order. */
function* tableNodes(structures: Structures, address: number, above?: number): Generator<number> {
  const { addressBytes, lengthBytes } = structures
  const headBytes = 8 + 2 * addressBytes
  const head = structures.read(address, headBytes)
  const level = head.getUint8(5)
  const isInPlace = above === undefined ? level < MAX_LEVELS : level === above - 1
  if (head.getUint32(0, true) !== TREE || head.getUint8(4) !== OF_GROUPS || !isInPlace)
    throw fault(`there is no node of an index of links at ${address}`)
  const count = head.getUint16(6, true)
  const entryBytes = lengthBytes + addressBytes
  const entries = structures.read(address + headBytes, count * entryBytes)
  for (let entry = 0; entry < count; entry++) {
    const child = uintAt(entries, entry * entryBytes + lengthBytes, addressBytes)
    if (level === 0) yield child
    else yield* tableNodes(structures, child, level)
  }
}

function* entriesOf(
  structures: Structures,
  address: number,
  nameAt: (offset: number) => string,
): Generator<SymbolEntry> {
  const { addressBytes } = structures
  const head = createCursor(structures.read(address, 8), structures)
  head.signature('SNOD')
  head.version(1, 'a node of a group')
  head.skip(1)
  const count = head.uint(2)
  const entryBytes = 2 * addressBytes + ENTRY_REST_BYTES
  const body = createCursor(structures.read(address + 8, count * entryBytes), structures)
  for (let entry = 0; entry < count; entry++) {
    const offset = body.uint(addressBytes)
    const object = body.address()
    const kind = body.uint(4)
    body.skip(4)
    const path = body.uint(4)
    body.skip(ENTRY_REST_BYTES - 12)
    const name = nameAt(offset)
    if (kind !== IS_PATH && object === null) throw fault(`the link "${name}" leads nowhere`)
    yield { name, target: kind === IS_PATH ? nameAt(path) : object }
  }
}

/** The names in the heap of a group, by their offsets. */
function namesIn(structures: Structures, address: number): (offset: number) => string {
  const { addressBytes, lengthBytes } = structures
  const head = createCursor(structures.read(address, 8 + 2 * lengthBytes + addressBytes), structures)
  head.signature('HEAP')
  head.version(0, 'a heap of names')
  head.skip(3)
  const length = head.length()
  head.skip(lengthBytes)
  const segment = head.address()
  if (segment === null) throw fault('a heap of names is empty')
  const names = structures.read(segment, length)
  return (offset) => {
    if (offset >= length) throw fault(`a heap of names has no name at ${offset}`)
    const rest = new DataView(names.buffer, names.byteOffset + offset, length - offset)
    return nameIn(createCursor(rest, structures).untilZero())
  }
}
