import { ServiceError } from '../../../plan/errors.ts'

/**
 * FlatBuffers, as far as Arrow's metadata need them (flatbuffers.dev, "Internals"): reading in place, every
 * position checked against the buffer. Writing them is in src/plan/arrow.
 * Errors are `unreadable_file` and do not know the file: callers add it.
 */
export interface Table {
  readonly view: DataView
  /** Where the table begins, and the table of its slots' offsets. */
  readonly at: number
  readonly slots: number
  /** What all tables of the buffer may still read of texts and vectors, bytes. */
  readonly budget: { left: number }
}

/**
 * One and the same text or vector may be referred to many times, so reading could multiply without end: it stops at a
 * multiple of the buffer's bytes, which no writer that shares names comes near.
 */
const MAX_SHARING = 16
const FREE_BYTES = 1 << 20

/** The table that a buffer begins with. */
export function rootTable(bytes: Uint8Array): Table {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return tableAt({ view, budget: { left: FREE_BYTES + MAX_SHARING * bytes.length } }, follow(view, 0))
}

/** Scalars by their slot, to readLong; an absent one is false, 0 or `absent`. */
export function readBool(table: Table, slot: number): boolean {
  const at = position(table, slot)
  return at !== null && uint(table.view, at, 1) !== 0
}

export function readByte(table: Table, slot: number): number {
  const at = position(table, slot)
  return at === null ? 0 : uint(table.view, at, 1)
}

export function readShort(table: Table, slot: number, absent: number): number {
  const at = position(table, slot)
  return at === null ? absent : (uint(table.view, at, 2) << 16) >> 16
}

export function readInt(table: Table, slot: number, absent: number): number {
  const at = position(table, slot)
  return at === null ? absent : uint(table.view, at, 4) | 0
}

export function readLong(table: Table, slot: number): bigint {
  const at = position(table, slot)
  if (at === null) return 0n
  checkRange(table.view, at, 8)
  return table.view.getBigInt64(at, true)
}

/** Null: absent. */
export function readTable(table: Table, slot: number): Table | null {
  const at = position(table, slot)
  return at === null ? null : tableAt(table, follow(table.view, at))
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Null: absent. Bytes that are no UTF-8 become U+FFFD. */
export function readString(table: Table, slot: number): string | null {
  const at = position(table, slot)
  if (at === null) return null
  const start = follow(table.view, at)
  const length = uint(table.view, start, 4)
  checkRange(table.view, start + 4, length)
  spend(table, length)
  return decoder.decode(new Uint8Array(table.view.buffer, table.view.byteOffset + start + 4, length))
}

/** Of one vector: fields, or pairs of metadata. */
const MAX_TABLES = 1 << 20

/** Hardly a table takes less. */
const TABLE_BYTES = 16

/** A vector of tables; an absent one is empty. */
export function readTables(table: Table, slot: number): Table[] {
  const at = position(table, slot)
  if (at === null) return []
  const start = follow(table.view, at)
  const length = uint(table.view, start, 4)
  checkRange(table.view, start + 4, length * 4)
  if (length > MAX_TABLES)
    throw new ServiceError('unreadable_file', `damaged Arrow metadata: a vector of ${length} tables`)
  spend(table, length * TABLE_BYTES)
  return Array.from({ length }, (_, i) => tableAt(table, follow(table.view, start + 4 + i * 4)))
}

/** A vector of structs or of integers; an absent one is empty. */
export interface Structs {
  readonly count: number
  /** The member `offset` bytes into an element that is there. Inexact beyond 2^53. */
  int32(index: number, offset: number): number
  int64(index: number, offset: number): number
}

/** Elements have `bytes` bytes each. */
export function readStructs(table: Table, slot: number, bytes: number): Structs {
  const { view } = table
  const place = position(table, slot)
  const start = place === null ? 0 : follow(view, place)
  const count = place === null ? 0 : uint(view, start, 4)
  checkRange(view, start, count * bytes + (place === null ? 0 : 4))
  const at = (index: number, offset: number): number => {
    if (index >= count) throw new RangeError(`no element ${index} of ${count}`)
    return start + 4 + index * bytes + offset
  }
  return {
    count,
    int32: (index, offset) => view.getInt32(at(index, offset), true),
    int64: (index, offset) => Number(view.getBigInt64(at(index, offset), true)),
  }
}

function tableAt({ view, budget }: Pick<Table, 'view' | 'budget'>, at: number): Table {
  return { view, budget, at, slots: at - (uint(view, at, 4) | 0) }
}

function spend({ budget }: Table, bytes: number): void {
  budget.left -= bytes
  if (budget.left < 0)
    throw new ServiceError('unreadable_file', 'damaged Arrow metadata: one part is referred to too often')
}

/** Where a slot's value lies; null: absent, its default holds. */
function position(table: Table, slot: number): number | null {
  const entry = 4 + slot * 2
  if (entry + 2 > uint(table.view, table.slots, 2)) return null
  const offset = uint(table.view, table.slots + entry, 2)
  return offset === 0 ? null : table.at + offset
}

function follow(view: DataView, at: number): number {
  return at + uint(view, at, 4)
}

function uint(view: DataView, at: number, size: 1 | 2 | 4): number {
  checkRange(view, at, size)
  if (size === 1) return view.getUint8(at)
  return size === 2 ? view.getUint16(at, true) : view.getUint32(at, true)
}

function checkRange(view: DataView, at: number, length: number): void {
  if (at < 0 || length > view.byteLength - at)
    throw new ServiceError('unreadable_file', 'damaged Arrow metadata: an offset leaves the buffer')
}
