import { firstThat } from '../binary-search.ts'
import { memoize } from '../memoize.ts'
import type { Scalar } from '../types/scalar.ts'
import type { ColumnStatistics } from './statistics.ts'
import {
  BOUNDED,
  boundAt,
  DOUBLE,
  ENTRY_BYTES,
  FLAGS_AT,
  MAX_AT,
  MAX_EXACT,
  MIN_AT,
  MIN_EXACT,
  NULLS_AT,
  setBound,
  TEXT,
  TEXT_BYTES,
  UNSIGNED,
  VALUES_AT,
} from './whole-entry.ts'
import {
  boundInRow,
  columnOfField,
  entriesOfRow,
  flagsInRow,
  nullsInRow,
  setTexts,
  textsInRow,
  valuesInRow,
  type WholeRow,
} from './whole-row.ts'

/** What is known of all values of a column of a file. */
export interface WholeColumn {
  /** The index of its field in the file's schema. */
  readonly field: number
  /** The number of its values. If the file has more rows, each value is in as many rows as the others. */
  readonly values: number
  /** Those of its values. */
  readonly statistics: ColumnStatistics
}

/**
 * `WholeColumn`s by ascending fields, each in `ENTRY_BYTES`: main keeps those of many files, and workers send those of many files
 * in one answer.
 */
export type WholeColumns = Uint8Array

export const NO_WHOLE_COLUMNS: WholeColumns = new Uint8Array(0)

/** The same, or as a row of many files. */
export type WholeOfFile = WholeColumns | WholeRow

/** The entries of what is known. */
export function entriesOf(whole: WholeOfFile): WholeColumns {
  return whole instanceof Uint8Array ? whole : entriesOfRow(whole)
}

export function isNothing(whole: WholeOfFile): boolean {
  return whole instanceof Uint8Array && whole.length === 0
}

/** The most bytes of a bound. A longer one is cut short. */
export const BOUND_BYTES = 60

const MOST_SIGNED = (1n << 63n) - 1n

/** Packs what is known of columns, whose fields ascend. Bounds that are neither integers nor floats are left out. */
export function packWhole(columns: readonly WholeColumn[]): WholeColumns {
  const bytes = new Uint8Array(columns.length * ENTRY_BYTES)
  const view = new DataView(bytes.buffer)
  for (const [index, { field, values, statistics }] of columns.entries()) {
    const at = index * ENTRY_BYTES
    const { min, max, isMinExact, isMaxExact, nulls = Number.NaN } = statistics
    view.setUint32(at, field, true)
    view.setFloat64(at + VALUES_AT, values, true)
    view.setFloat64(at + NULLS_AT, nulls, true)
    const kind = kindOf(min, max)
    if (kind === null || min === undefined || max === undefined) continue
    view.setUint32(
      at + FLAGS_AT,
      BOUNDED | kind | (isMinExact ? MIN_EXACT : 0) | (isMaxExact ? MAX_EXACT : 0),
      true,
    )
    setScalar(view, at + MIN_AT, min)
    setScalar(view, at + MAX_AT, max)
  }
  return bytes
}

/** As `packWhole`, with the bounds that are bytes. Numbers that do not fit into 64 bits are left out. */
export function packWithTexts(columns: readonly WholeColumn[]): WholeColumns {
  return concat(
    columns.map((column) => {
      const { min, max, ...others } = column.statistics
      const { isMinExact: _, isMaxExact: __, ...nulls } = others
      if (min?.kind !== 'bytes' || max?.kind !== 'bytes')
        return packWhole([areIn64Bits(min, max) ? column : { ...column, statistics: nulls }])
      const [low, high] = [min.value.subarray(0, BOUND_BYTES), cutAbove(max.value)]
      if (high === null) return packWhole([{ ...column, statistics: nulls }])
      return packText(column, low, high, low.length === min.value.length, high.length === max.value.length)
    }),
  )
}

/** Whether `packWithTexts` leaves out nothing of statistics. */
export function staysWhole({ min, max }: ColumnStatistics): boolean {
  if (min?.kind !== max?.kind) return false
  if (min?.kind === 'bytes' && max?.kind === 'bytes')
    return min.value.length <= BOUND_BYTES && max.value.length <= BOUND_BYTES
  return min === undefined || max === undefined || (kindOf(min, max) !== null && areIn64Bits(min, max))
}

function areIn64Bits(min: Scalar | undefined, max: Scalar | undefined): boolean {
  if (min?.kind !== 'int' || max?.kind !== 'int') return true
  const isSigned = BigInt.asIntN(64, min.value) === min.value && BigInt.asIntN(64, max.value) === max.value
  return isSigned || (min.value >= 0n && BigInt.asUintN(64, max.value) === max.value)
}

/** Bytes that are not less, and no more than `BOUND_BYTES`. Null: there are none. */
function cutAbove(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length <= BOUND_BYTES) return bytes
  const last = bytes.subarray(0, BOUND_BYTES).findLastIndex((byte) => byte < 0xff)
  if (last < 0) return null
  const cut = bytes.slice(0, last + 1)
  cut[last] = (cut[last] ?? 0) + 1
  return cut
}

function packText(
  { field, values, statistics }: WholeColumn,
  low: Uint8Array,
  high: Uint8Array,
  isLowWhole: boolean,
  isHighWhole: boolean,
): WholeColumns {
  const further = Math.ceil((low.length + high.length) / TEXT_BYTES)
  const bytes = new Uint8Array((1 + further) * ENTRY_BYTES)
  const view = new DataView(bytes.buffer)
  const { isMinExact, isMaxExact, nulls = Number.NaN } = statistics
  const flags =
    TEXT | (isMinExact && isLowWhole ? MIN_EXACT : 0) | (isMaxExact && isHighWhole ? MAX_EXACT : 0)
  view.setUint32(0, field, true)
  view.setUint32(FLAGS_AT, flags, true)
  view.setFloat64(VALUES_AT, values, true)
  view.setFloat64(NULLS_AT, nulls, true)
  setTexts(view, 0, field, [low, high])
  return bytes
}

/** The bounds of an entry with `TEXT`. Null: the entries do not have them. */
function textsAt(view: DataView, at: number): readonly [low: Uint8Array, high: Uint8Array] | null {
  const [low, high] = [view.getUint32(at + MIN_AT, true), view.getUint32(at + MAX_AT, true)]
  const further = Math.ceil((low + high) / TEXT_BYTES)
  if (at + (1 + further) * ENTRY_BYTES > view.byteLength) return null
  const text = concat(
    Array.from({ length: further }, (_, index) => {
      const start = view.byteOffset + at + (1 + index) * ENTRY_BYTES + 4
      return new Uint8Array(view.buffer, start, TEXT_BYTES)
    }),
  )
  return [text.slice(0, low), text.slice(low, low + high)]
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function kindOf(min: Scalar | undefined, max: Scalar | undefined): number | null {
  if (min?.kind === 'float' && max?.kind === 'float') return DOUBLE
  if (min?.kind === 'int' && max?.kind === 'int') return max.value > MOST_SIGNED ? UNSIGNED : 0
  return null
}

function setScalar(view: DataView, at: number, bound: Scalar): void {
  if (bound.kind === 'float' || bound.kind === 'int') setBound(view, at, bound.value)
}

/** The field of the entry at an index. */
export function fieldOfEntry(packed: WholeColumns, index: number): number {
  return new DataView(packed.buffer, packed.byteOffset).getUint32(index * ENTRY_BYTES, true)
}

/** The number of values of the first column of which something is known. Null: of none. */
export function valuesOf(packed: WholeOfFile): number | null {
  if (!(packed instanceof Uint8Array)) {
    const [first] = packed.form.columns
    return first === undefined ? null : valuesInRow(packed, first)
  }
  if (packed.length < ENTRY_BYTES) return null
  return new DataView(packed.buffer, packed.byteOffset).getFloat64(VALUES_AT, true)
}

/** What is known of the column with this field. Null: nothing. */
export function wholeColumn(packed: WholeOfFile, field: number): WholeColumn | null {
  if (!(packed instanceof Uint8Array)) return columnOfRow(packed, field)
  const count = Math.floor(packed.length / ENTRY_BYTES)
  const view = new DataView(packed.buffer, packed.byteOffset, count * ENTRY_BYTES)
  const entry = firstThat(0, count, (index) => view.getUint32(index * ENTRY_BYTES, true) >= field)
  const at = entry * ENTRY_BYTES
  if (entry === count || view.getUint32(at, true) !== field) return null
  return { field, values: view.getFloat64(at + VALUES_AT, true), statistics: statisticsAt(view, at) }
}

function columnOfRow(row: WholeRow, field: number): WholeColumn | null {
  const column = columnOfField(row.form, field)
  if (column === undefined) return null
  const flags = flagsInRow(row, column)
  const bounds: Bounds | null =
    (flags & BOUNDED) !== 0
      ? [scalarOf(boundInRow(row, column, flags, 0)), scalarOf(boundInRow(row, column, flags, 1))]
      : (flags & TEXT) === 0
        ? null
        : asScalars(textsInRow(row, column))
  return {
    field,
    values: valuesInRow(row, column),
    statistics: statisticsOf(flags, nullsInRow(row, column), bounds),
  }
}

/** Whether something is known of the column with this field. */
export function hasWholeColumn(packed: WholeOfFile, field: number): boolean {
  if (!(packed instanceof Uint8Array)) return packed.form.indexes.has(field)
  const count = Math.floor(packed.length / ENTRY_BYTES)
  for (let index = 0; index < count; index++) if (fieldIn(packed, index) === field) return true
  return false
}

/** As `fieldOfEntry`, without an object: main asks for each file of a query. */
function fieldIn(packed: WholeColumns, index: number): number {
  const at = index * ENTRY_BYTES
  const low = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8)
  return (low | ((packed[at + 2] ?? 0) << 16) | ((packed[at + 3] ?? 0) << 24)) >>> 0
}

/** What is known of all values of a column of numbers, without objects for its bounds. */
export interface WholeNumbers {
  /** The index of the entry or column that was read last, at which the next search begins. */
  entry: number
  values: number
  /** NaN: not known. */
  nulls: number
  /** Whether there are bounds: neither is NaN, and the minimum is not above the maximum. */
  isBounded: boolean
  isMaxExact: boolean
  min: number | bigint
  max: number | bigint
}

/** Reads what is known of the column with this field into `numbers`. Bounds of the other kind do not count. False: nothing is known. */
export function readWholeColumn(
  packed: WholeOfFile,
  field: number,
  isFloat: boolean,
  numbers: WholeNumbers,
): boolean {
  if (!(packed instanceof Uint8Array)) return readColumnOfRow(packed, field, isFloat, numbers)
  const count = Math.floor(packed.length / ENTRY_BYTES)
  const start = packed.byteOffset
  const view = viewOfBuffer(packed.buffer)
  if (numbers.entry >= count || fieldAt(view, start, numbers.entry) !== field) {
    const entry = entryFrom(view, start, count, field)
    if (entry === count || fieldAt(view, start, entry) !== field) return false
    numbers.entry = entry
  }
  const at = start + numbers.entry * ENTRY_BYTES
  const flags = readCounts(view, at, numbers)
  if ((flags & BOUNDED) !== 0 && ((flags & DOUBLE) !== 0) === isFloat) readBounds(view, at, flags, numbers)
  return true
}

function readColumnOfRow(row: WholeRow, field: number, isFloat: boolean, numbers: WholeNumbers): boolean {
  const { columns, indexes } = row.form
  if (columns[numbers.entry]?.field !== field) numbers.entry = indexes.get(field) ?? -1
  const column = columns[numbers.entry]
  if (column === undefined) return false
  const flags = flagsInRow(row, column)
  numbers.values = valuesInRow(row, column)
  numbers.nulls = nullsInRow(row, column)
  numbers.isBounded = false
  if ((flags & BOUNDED) === 0 || ((flags & DOUBLE) !== 0) !== isFloat) return true
  numbers.isMaxExact = (flags & MAX_EXACT) !== 0
  numbers.min = boundInRow(row, column, flags, 0)
  numbers.max = boundInRow(row, column, flags, 1)
  // False if either is NaN.
  numbers.isBounded = numbers.min <= numbers.max
  return true
}

/** Main tests each file of a query, and a view takes 100 bytes: files that follow each other mostly share a buffer. */
const viewOfBuffer = memoize((buffer: ArrayBufferLike): DataView => new DataView(buffer))

function fieldAt(view: DataView, start: number, entry: number): number {
  return view.getUint32(start + entry * ENTRY_BYTES, true)
}

/** The first entry of the field or a later one. Apart from its caller, so that the closure is made only for a search. */
function entryFrom(view: DataView, start: number, count: number, field: number): number {
  return firstThat(0, count, (index) => fieldAt(view, start, index) >= field)
}

/** Reads how many values and nulls the entry at `at` has. Returns its flags. */
function readCounts(view: DataView, at: number, numbers: WholeNumbers): number {
  numbers.values = view.getFloat64(at + VALUES_AT, true)
  numbers.nulls = view.getFloat64(at + NULLS_AT, true)
  numbers.isBounded = false
  return view.getUint32(at + FLAGS_AT, true)
}

/** Reads the bounds of the entry at `at`, which has these flags. */
function readBounds(view: DataView, at: number, flags: number, numbers: WholeNumbers): void {
  numbers.isMaxExact = (flags & MAX_EXACT) !== 0
  numbers.min = boundAt(view, at + MIN_AT, flags)
  numbers.max = boundAt(view, at + MAX_AT, flags)
  // False if either is NaN.
  numbers.isBounded = numbers.min <= numbers.max
}

/** What is known of the columns of a file, one after the other. */
export interface WholeEntries extends WholeNumbers {
  field: number
  isFloat: boolean
  isMinExact: boolean
  /** Reads the next column. Texts have no bounds here. False: there is none. */
  next(): boolean
}

export function createWholeEntries(packed: WholeColumns): WholeEntries {
  const count = Math.floor(packed.length / ENTRY_BYTES)
  const view = new DataView(packed.buffer, packed.byteOffset, count * ENTRY_BYTES)
  let following = 0
  const entries: WholeEntries = {
    entry: 0,
    field: 0,
    values: 0,
    nulls: 0,
    isBounded: false,
    isFloat: false,
    isMinExact: false,
    isMaxExact: false,
    min: 0,
    max: 0,
    next() {
      if (following >= count) return false
      entries.entry = following
      const at = following * ENTRY_BYTES
      entries.field = view.getUint32(at, true)
      do following++
      while (following < count && view.getUint32(following * ENTRY_BYTES, true) === entries.field)
      const flags = readCounts(view, at, entries)
      if ((flags & BOUNDED) === 0) return true
      entries.isFloat = (flags & DOUBLE) !== 0
      entries.isMinExact = (flags & MIN_EXACT) !== 0
      readBounds(view, at, flags, entries)
      return true
    },
  }
  return entries
}

function statisticsAt(view: DataView, at: number): ColumnStatistics {
  const flags = view.getUint32(at + FLAGS_AT, true)
  return statisticsOf(flags, view.getFloat64(at + NULLS_AT, true), boundsAt(view, at, flags))
}

type Bounds = readonly [min: Scalar, max: Scalar]

function statisticsOf(flags: number, nulls: number, bounds: Bounds | null): ColumnStatistics {
  const nullCount = Number.isNaN(nulls) ? {} : { nulls }
  if (bounds === null) return nullCount
  return {
    ...nullCount,
    min: bounds[0],
    max: bounds[1],
    ...((flags & MIN_EXACT) !== 0 && { isMinExact: true }),
    ...((flags & MAX_EXACT) !== 0 && { isMaxExact: true }),
  }
}

function boundsAt(view: DataView, at: number, flags: number): Bounds | null {
  if ((flags & BOUNDED) !== 0)
    return [scalarOf(boundAt(view, at + MIN_AT, flags)), scalarOf(boundAt(view, at + MAX_AT, flags))]
  const texts = (flags & TEXT) === 0 ? null : textsAt(view, at)
  return texts && asScalars(texts)
}

function scalarOf(bound: number | bigint): Scalar {
  return typeof bound === 'number' ? { kind: 'float', value: bound } : { kind: 'int', value: bound }
}

function asScalars([low, high]: readonly [low: Uint8Array, high: Uint8Array]): Bounds {
  return [
    { kind: 'bytes', value: low },
    { kind: 'bytes', value: high },
  ]
}

/** All that is known of the columns of a file. What `later` has again is the same. Returns `earlier` if there is nothing more. */
export function mergeWhole(
  earlier: WholeOfFile | undefined,
  later: WholeOfFile = NO_WHOLE_COLUMNS,
): WholeOfFile {
  if (earlier === undefined) return later
  if (isNothing(later)) return earlier
  if (isNothing(earlier)) return later
  const [ofEarlier, ofLater] = [entriesByField(entriesOf(earlier)), entriesByField(entriesOf(later))]
  const fields = [...new Set([...ofEarlier.keys(), ...ofLater.keys()])].toSorted((a, b) => a - b)
  if (fields.length === ofEarlier.size) return earlier
  return concat(fields.flatMap((field) => ofEarlier.get(field) ?? ofLater.get(field) ?? []))
}

/** The bytes of each column by its field, with those of further entries. */
function entriesByField(packed: WholeColumns): ReadonlyMap<number, Uint8Array> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const count = Math.floor(packed.length / ENTRY_BYTES)
  const entries = new Map<number, Uint8Array>()
  for (let index = 0; index < count; ) {
    const from = index
    const field = view.getUint32(from * ENTRY_BYTES, true)
    do index++
    while (index < count && view.getUint32(index * ENTRY_BYTES, true) === field)
    entries.set(field, packed.subarray(from * ENTRY_BYTES, index * ENTRY_BYTES))
  }
  return entries
}
