import { fault } from '../../../../fault.ts'
import { createCursor, uintAt } from '../cursor.ts'
import type { Structures } from '../structures.ts'

/** A B-tree of version 2, whose records have one size. Throws `unreadable_file`, as its calls do. */
export interface BTree2 {
  /** What its records are. */
  readonly type: number
  readonly recordBytes: number
  /** Of its leaves it is 0. */
  readonly depth: number
  /** Null: it has no records. */
  readonly root: BTree2Node | null
  /** The bytes of a node. Its record `i` begins at `recordAt(i)`. */
  read(node: BTree2Node, level: number): DataView
  /** The child of a node before its record `index`, or behind the last one. `view` are the bytes of the node. */
  child(view: DataView, node: BTree2Node, level: number, index: number): BTree2Node
}

interface BTree2Node {
  readonly address: number
  readonly records: number
}

/** Bytes of a node besides records and pointers: its signature, version and type in front, and the checksum behind. */
const PREFIX_BYTES = 6
const CHECKSUM_BYTES = 4

/** A B-tree of this depth has more records than any file. */
const MAX_DEPTH = 32

/** `what` is an index of something, for messages. */
export function openTree2(structures: Structures, address: number, what: string): BTree2 {
  const { addressBytes } = structures
  const head = createCursor(
    structures.readChecked(address, 22 + addressBytes + structures.lengthBytes, 'BTHD'),
    structures,
  )
  head.skip(4)
  head.version(0, what)
  const type = head.uint(1)
  const nodeBytes = head.uint(4)
  const recordBytes = head.uint(2)
  const depth = head.uint(2)
  head.skip(2)
  const root = head.address()
  const records = head.uint(2)
  const levels = levelsOf({ nodeBytes, recordBytes, depth, addressBytes, what })
  return {
    type,
    recordBytes,
    depth,
    root: root === null ? null : { address: root, records },
    read({ address, records }, level) {
      const { most = 0, pointerBytes = 0 } = levels[level] ?? {}
      if (records > most) throw fault(`a node of ${what} has ${records} records`)
      const pointers = level === 0 ? 0 : (records + 1) * pointerBytes
      const length = PREFIX_BYTES + records * recordBytes + pointers + CHECKSUM_BYTES
      return structures.readChecked(address, length, level === 0 ? 'BTLF' : 'BTIN')
    },
    child(view, { records }, level, index) {
      const { pointerBytes = 0, countBytes = 0 } = levels[level] ?? {}
      const pointer = PREFIX_BYTES + records * recordBytes + index * pointerBytes
      return {
        address: uintAt(view, pointer, addressBytes),
        records: uintAt(view, pointer + addressBytes, countBytes),
      }
    },
  }
}

/** Where a record of a node begins. */
export function recordAt({ recordBytes }: BTree2, index: number): number {
  return PREFIX_BYTES + index * recordBytes
}

/** All records of a tree in its order, each as a view of its bytes. Throws `unreadable_file` for more than `most`. */
export function* recordsOf(tree: BTree2, most: number): Generator<DataView, void> {
  let remainingRecords = most
  function* walkBelow(node: BTree2Node, level: number): Generator<DataView, void> {
    const view = tree.read(node, level)
    for (let index = 0; index <= node.records; index++) {
      if (level > 0) yield* walkBelow(tree.child(view, node, level, index), level - 1)
      if (index === node.records) return
      if (remainingRecords-- === 0) throw fault(`an index has more than ${most} records`)
      yield new DataView(view.buffer, view.byteOffset + recordAt(tree, index), tree.recordBytes)
    }
  }
  if (tree.root !== null) yield* walkBelow(tree.root, tree.depth)
}

interface Level {
  /** The most records of a node. */
  readonly most: number
  /** Bytes of a pointer to a node of the next level: its address, its records, and all records below it. */
  readonly pointerBytes: number
  readonly countBytes: number
}

interface TreeForm {
  readonly nodeBytes: number
  readonly recordBytes: number
  readonly depth: number
  readonly addressBytes: number
  readonly what: string
}

/** The levels of a tree, beginning with its leaves. Sizes of pointers follow from how many records there can be below. */
function levelsOf({ nodeBytes, recordBytes, depth, addressBytes, what }: TreeForm): Level[] {
  const space = nodeBytes - PREFIX_BYTES - CHECKSUM_BYTES
  const leaf = Math.floor(space / recordBytes)
  if (recordBytes === 0 || depth > MAX_DEPTH || leaf < 1)
    throw fault(`${what} has ${depth} levels of ${nodeBytes} bytes`)
  const countBytes = bytesFor(leaf)
  const levels: Level[] = [{ most: leaf, pointerBytes: 0, countBytes: 0 }]
  let [walkBelow, belowBytes] = [leaf, 0]
  for (let level = 1; level <= depth; level++) {
    const pointerBytes = addressBytes + countBytes + belowBytes
    const most = Math.floor((space - pointerBytes) / (recordBytes + pointerBytes))
    if (most < 1) throw fault(`a node of ${what} has ${nodeBytes} bytes`)
    levels.push({ most, pointerBytes, countBytes })
    walkBelow = (most + 1) * walkBelow + most
    belowBytes = bytesFor(walkBelow)
  }
  return levels
}

/** How many bytes a number up to `most` takes. */
function bytesFor(most: number): number {
  let bytes = 1
  for (let rest = Math.floor(most / 256); rest > 0; rest = Math.floor(rest / 256)) bytes++
  return Math.min(bytes, 8)
}
