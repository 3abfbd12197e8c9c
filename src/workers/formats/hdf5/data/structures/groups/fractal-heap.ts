import { fault } from '../../../../fault.ts'
import { lookup3 } from '../checksum.ts'
import { createCursor, uintAt } from '../cursor.ts'
import type { Structures } from '../structures.ts'
import { openTree2, recordsOf } from './btree2.ts'

/** A heap whose blocks double in size from row to row. Each row of its table has `width` blocks. */
interface FractalHeap {
  readonly width: number
  /** Bytes of a block of the first two rows. */
  readonly firstBytes: number
  /** Blocks that are larger have blocks in them, and no objects. */
  readonly mostDirectBytes: number
  /** Bytes of what refers to an object. */
  readonly idBytes: number
  /** Bytes of an offset in the heap, and of the length of an object, in what refers to an object. */
  readonly offsetBytes: number
  readonly lengthBytes: number
  /** Whether blocks with objects have checksums. */
  readonly areChecked: boolean
  /** The B-tree of objects that are outside of the blocks. Null: there are none, or what refers to them has their places. */
  readonly hugeTree: number | null
  readonly root: number | null
  /** The rows of the root. None: it is a block with objects. */
  readonly rows: number
}

/** What refers to an object begins with a byte that has its kind in these bits. */
const KIND_BITS = 0x30
const MANAGED = 0x00
const HUGE = 0x10
const TINY = 0x20

/** A tiny object is in what refers to it. So many bits of the first byte are one less than its length. */
const TINY_LENGTH_BITS = 0x0f

/** A bit of the flags of a heap. */
const ARE_CHECKED = 2

/** The most blocks in each other. Each has at least two rows less than the one around it. */
const MAX_DEPTH = 32

/** The objects of a heap: the bytes of that which the `bytes` bytes at `at` refer to. Throws `unreadable_file`. */
export type HeapObjects = (ids: DataView, at: number, bytes: number) => DataView

/** The objects of the heap at an address, which is read with the first one that lies in a block. */
export function heapObjects(structures: Structures, address: number): HeapObjects {
  let heap: FractalHeap | null = null
  let huge: HeapObjects | null = null
  return (ids, at, bytes) => {
    const first = ids.getUint8(at)
    const kind = first & KIND_BITS
    if (kind === TINY) {
      const length = Math.min(1 + (first & TINY_LENGTH_BITS), bytes - 1)
      return new DataView(ids.buffer, ids.byteOffset + at + 1, length)
    }
    heap ??= readHeap(structures, address)
    if (kind === HUGE) {
      huge ??= hugeObjects(structures, heap, address)
      return huge(ids, at, bytes)
    }
    if (kind !== MANAGED)
      throw fault(`what refers to an object of the heap at ${address} is of no kind that is read`)
    const { offsetBytes, lengthBytes } = heap
    if (1 + offsetBytes + lengthBytes > bytes) throw fault('what refers to an object of a heap is cut')
    const offset = uintAt(ids, at + 1, offsetBytes)
    const length = uintAt(ids, at + 1 + offsetBytes, lengthBytes)
    if (heap.root === null) throw fault(`the heap at ${address} has no objects`)
    if (heap.rows === 0) return objectOf(structures, heap, heap.root, heap.firstBytes, offset, length)
    return objectIn(structures, heap, heap.root, heap.rows, offset, length, 0)
  }
}

function readHeap(structures: Structures, address: number): FractalHeap {
  const { addressBytes, lengthBytes } = structures
  const body = createCursor(
    structures.readChecked(address, 26 + 12 * lengthBytes + 3 * addressBytes, 'FRHP'),
    structures,
  )
  body.signature('FRHP')
  body.version(0, 'a heap')
  const idBytes = body.uint(2)
  if (body.uint(2) > 0) throw fault(`the heap at ${address} is compressed, which is not read`)
  const flags = body.uint(1)
  const mostObjectBytes = body.uint(4)
  body.skip(lengthBytes)
  const hugeTree = body.address()
  body.skip(9 * lengthBytes + addressBytes)
  const width = body.uint(2)
  const [firstBytes, mostDirectBytes] = [body.length(), body.length()]
  const offsetBits = body.uint(2)
  body.skip(2)
  const [root, rows] = [body.address(), body.uint(2)]
  const isSound =
    width > 0 && isPowerOfTwo(firstBytes) && isPowerOfTwo(mostDirectBytes) && mostDirectBytes >= firstBytes
  if (!isSound || offsetBits === 0 || offsetBits > 64 || mostObjectBytes === 0)
    throw fault(`the heap at ${address} has blocks of ${firstBytes} bytes in rows of ${width}`)
  const lengthBits = Math.floor(Math.log2(Math.min(mostDirectBytes, mostObjectBytes)))
  return {
    idBytes,
    width,
    firstBytes,
    mostDirectBytes,
    offsetBytes: Math.ceil(offsetBits / 8),
    lengthBytes: Math.floor(lengthBits / 8) + 1,
    areChecked: (flags & ARE_CHECKED) !== 0,
    hugeTree,
    root,
    rows,
  }
}

/** The type of the records of an index of huge objects: an address, a length, and a number. */
const HUGE_BY_NUMBER = 1

/** The most bytes of a number of a huge object. */
const MOST_NUMBER_BYTES = 8

/** The most bytes that are read of an object. Attributes of more than 1 MiB are left out by what is at their beginning. */
const MOST_OBJECT_BYTES = 2 << 20

/** The most huge objects of a heap: as many attributes as an object has at most. */
const MOST_HUGE = 65_536

/** The objects outside of the blocks, for which these are too small. What refers to one has its place, or a number in an index of places. */
function hugeObjects(
  structures: Structures,
  { idBytes, hugeTree }: FractalHeap,
  address: number,
): HeapObjects {
  const { addressBytes, lengthBytes } = structures
  const isDirect = idBytes > addressBytes + lengthBytes
  const numberBytes = Math.min(idBytes - 1, MOST_NUMBER_BYTES)
  const placeBytes = addressBytes + lengthBytes
  const places = new Map<number, DataView>()
  if (!isDirect && hugeTree !== null) {
    const tree = openTree2(structures, hugeTree, 'an index of huge objects')
    if (tree.type !== HUGE_BY_NUMBER || tree.recordBytes !== placeBytes + lengthBytes)
      throw fault(`an index of huge objects has records of type ${tree.type}`)
    for (const record of recordsOf(tree, MOST_HUGE))
      places.set(uintAt(record, placeBytes, lengthBytes), record)
  }
  return (ids, at, bytes) => {
    if (1 + (isDirect ? placeBytes : numberBytes) > bytes)
      throw fault('what refers to an object of a heap is cut')
    const place = isDirect
      ? new DataView(ids.buffer, ids.byteOffset + at + 1, placeBytes)
      : places.get(uintAt(ids, at + 1, numberBytes))
    if (place === undefined) throw fault(`the heap at ${address} has no place of a huge object`)
    const length = uintAt(place, addressBytes, lengthBytes)
    return structures.peek(uintAt(place, 0, addressBytes), Math.min(length, MOST_OBJECT_BYTES))
  }
}

function isPowerOfTwo(value: number): boolean {
  return value > 0 && Number.isInteger(Math.log2(value))
}

/** Finds an object in a block of blocks. `offset` is counted from the beginning of what the block covers. */
function objectIn(
  structures: Structures,
  heap: FractalHeap,
  address: number,
  rows: number,
  offset: number,
  length: number,
  depth: number,
): DataView {
  const { width, firstBytes, mostDirectBytes, offsetBytes } = heap
  const { addressBytes } = structures
  if (depth > MAX_DEPTH) throw fault('the blocks of a heap lead in a circle')
  const headBytes = 5 + addressBytes + offsetBytes
  const block = structures.readChecked(address, headBytes + rows * width * addressBytes + 4, 'FHIB')
  let before = 0
  for (let row = 0; row < rows; row++) {
    const bytes = firstBytes * 2 ** Math.max(0, row - 1)
    const column = Math.floor((offset - before) / bytes)
    if (column >= width) {
      before += width * bytes
      continue
    }
    const entry = createCursor(block, structures)
    entry.skip(headBytes + (row * width + column) * addressBytes)
    const child = entry.address()
    if (child === null) throw fault('a heap has no block where a message is')
    const inner = offset - before - column * bytes
    if (bytes <= mostDirectBytes) return objectOf(structures, heap, child, bytes, inner, length)
    const innerRows = Math.log2(bytes) - Math.log2(firstBytes * width) + 1
    if (!Number.isInteger(innerRows) || innerRows < 1) throw fault('a heap has blocks that cannot be')
    return objectIn(structures, heap, child, innerRows, inner, length, depth + 1)
  }
  throw fault(`a heap has no object at ${offset}`)
}

/** Blocks whose checksums were found right. */
const checked = new WeakSet<DataView>()

/** An object in a block of `blockBytes`, which begins with a head. Throws `unreadable_file` if the object is not wholly in it. */
function objectOf(
  structures: Structures,
  { areChecked, offsetBytes }: FractalHeap,
  address: number,
  blockBytes: number,
  offset: number,
  length: number,
): DataView {
  if (offset + length > blockBytes) throw fault(`a heap has no object of ${length} bytes at ${offset}`)
  const block = structures.read(address, blockBytes)
  if (areChecked && !checked.has(block)) {
    // The checksum is at the end of the head. It is that of the block with zeros in its place.
    const at = 5 + structures.addressBytes + offsetBytes
    if (at + 4 > blockBytes) throw fault(`a block of a heap has ${blockBytes} bytes`)
    const copy = Buffer.from(new Uint8Array(block.buffer, block.byteOffset, blockBytes))
    const storedChecksum = copy.readUInt32LE(at)
    copy.fill(0, at, at + 4)
    if (storedChecksum !== lookup3(new DataView(copy.buffer, copy.byteOffset, blockBytes), blockBytes))
      throw fault('a block of a heap has a wrong checksum')
    checked.add(block)
  }
  return new DataView(block.buffer, block.byteOffset + offset, length)
}
