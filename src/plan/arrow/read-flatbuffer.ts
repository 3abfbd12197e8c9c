import { ServiceError } from '../errors.ts'

/**
 * A table in a FlatBuffer (flatbuffers.dev, "Internals"). This file reads what Arrow's metadata need of that format, in place and
 * with every position checked against the buffer.
 * Errors are `unreadable_file`; callers add the file's name.
 */
export interface Table {
  readonly view: DataView
  /** The position of the table. */
  readonly at: number
  /** The position of its vtable: the offsets of its slots. */
  readonly slots: number
  /** How many bytes of texts and vectors may still be read, by all tables of the buffer together. */
  readonly budget: { remainingBytes: number }
}

/**
 * A buffer may refer to one text or vector many times, so that reading it would take memory without bound. Reading stops at
 * this multiple of the buffer's bytes, plus `FREE_BYTES`. Real writers share names, and stay far below.
 */
const MAX_SHARING = 16
const FREE_BYTES = 1 << 20

/** The root table of a buffer. */
export function rootTable(bytes: Uint8Array): Table {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return tableAt(
    { view, budget: { remainingBytes: FREE_BYTES + MAX_SHARING * bytes.length } },
    follow(view, 0),
  )
}

/** The value in a slot; false if absent. */
export function readBool(table: Table, slot: number): boolean {
  const at = position(table, slot)
  return at !== null && uint(table.view, at, 1) !== 0
}

/** The unsigned value in a slot; 0 if absent. */
export function readByte(table: Table, slot: number): number {
  const at = position(table, slot)
  return at === null ? 0 : uint(table.view, at, 1)
}

/** The signed 16-bit value in a slot. */
export function readShort(table: Table, slot: number, absent: number): number {
  const at = position(table, slot)
  return at === null ? absent : (uint(table.view, at, 2) << 16) >> 16
}

/** The signed 32-bit value in a slot. */
export function readInt(table: Table, slot: number, absent: number): number {
  const at = position(table, slot)
  return at === null ? absent : uint(table.view, at, 4) | 0
}

/** The signed 64-bit value in a slot; 0 if absent. */
export function readLong(table: Table, slot: number): bigint {
  const at = position(table, slot)
  if (at === null) return 0n
  checkRange(table.view, at, 8)
  return table.view.getBigInt64(at, true)
}

/** The table that a slot refers to. Null: absent. */
export function readTable(table: Table, slot: number): Table | null {
  const at = position(table, slot)
  return at === null ? null : tableAt(table, follow(table.view, at))
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text that a slot refers to. Bytes that are not UTF-8 become U+FFFD. Null: absent. */
export function readString(table: Table, slot: number): string | null {
  const at = position(table, slot)
  if (at === null) return null
  const start = follow(table.view, at)
  const length = uint(table.view, start, 4)
  checkRange(table.view, start + 4, length)
  spend(table, length)
  return decoder.decode(new Uint8Array(table.view.buffer, table.view.byteOffset + start + 4, length))
}

/** The most tables in one vector, which holds fields or pairs of metadata. */
const MAX_TABLES = 1 << 20

/** What a table counts for in the budget: few tables take less. Bytes. */
const TABLE_BYTES = 16

/** The vector of tables that a slot refers to. Absent: an empty one. */
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

/** A vector of structs or of integers. Reading an element that it does not have throws a `RangeError`. */
export interface Structs {
  readonly count: number
  /** The member at `offset` bytes in an element. */
  int32(index: number, offset: number): number
  /** The same of 64 bits, inexact beyond 2^53. */
  int64(index: number, offset: number): number
}

/** The vector that a slot refers to, of elements of `bytes` bytes. Absent: an empty one. */
export function readStructs(table: Table, slot: number, bytes: number): Structs {
  const { view } = table
  const value = position(table, slot)
  const start = value === null ? 0 : follow(view, value)
  const count = value === null ? 0 : uint(view, start, 4)
  checkRange(view, start, count * bytes + (value === null ? 0 : 4))
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
  budget.remainingBytes -= bytes
  if (budget.remainingBytes < 0)
    throw new ServiceError('unreadable_file', 'damaged Arrow metadata: one part is referred to too often')
}

/** The position of a slot's value. Null: it is absent and has its default. */
function position(table: Table, slot: number): number | null {
  const entry = 4 + slot * 2
  if (entry + 2 > uint(table.view, table.slots, 2)) return null
  const offset = uint(table.view, table.slots + entry, 2)
  return offset === 0 ? null : table.at + offset
}

/** The position that the offset at `at` refers to. */
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
