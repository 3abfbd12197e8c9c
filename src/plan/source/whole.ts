import { firstThat } from '../binary-search.ts'
import type { Scalar } from '../types/scalar.ts'
import type { ColumnStatistics } from './statistics.ts'

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

/** The core writes such entries too (`src/wasm/src/bounds.rs`). Little-endian: field u32, flags u32, values f64, nulls f64, minimum and maximum of 8 bytes each. */
export const ENTRY_BYTES = 40

/** There is a minimum and a maximum, which are doubles or else 64-bit integers. Only integers may be unsigned. */
const BOUNDED = 1
const DOUBLE = 2
const UNSIGNED = 4
const MIN_EXACT = 8
const MAX_EXACT = 16

const MOST_SIGNED = (1n << 63n) - 1n

/** Packs what is known of columns, whose fields ascend. Bounds that are neither integers nor floats are left out. */
export function packWhole(columns: readonly WholeColumn[]): WholeColumns {
  const bytes = new Uint8Array(columns.length * ENTRY_BYTES)
  const view = new DataView(bytes.buffer)
  for (const [index, { field, values, statistics }] of columns.entries()) {
    const at = index * ENTRY_BYTES
    const { min, max, isMinExact, isMaxExact, nulls = Number.NaN } = statistics
    view.setUint32(at, field, true)
    view.setFloat64(at + 8, values, true)
    view.setFloat64(at + 16, nulls, true)
    const kind = kindOf(min, max)
    if (kind === null || min === undefined || max === undefined) continue
    view.setUint32(at + 4, BOUNDED | kind | (isMinExact ? MIN_EXACT : 0) | (isMaxExact ? MAX_EXACT : 0), true)
    setBound(view, at + 24, min)
    setBound(view, at + 32, max)
  }
  return bytes
}

function kindOf(min: Scalar | undefined, max: Scalar | undefined): number | null {
  if (min?.kind === 'float' && max?.kind === 'float') return DOUBLE
  if (min?.kind === 'int' && max?.kind === 'int') return max.value > MOST_SIGNED ? UNSIGNED : 0
  return null
}

function setBound(view: DataView, at: number, bound: Scalar): void {
  if (bound.kind === 'float') view.setFloat64(at, bound.value, true)
  else if (bound.kind === 'int') view.setBigInt64(at, bound.value, true)
}

/** Copies an entry, which is at an index of others, to the index `at`, as that of a field. */
export function copyEntry(
  from: WholeColumns,
  index: number,
  to: WholeColumns,
  at: number,
  field: number,
): void {
  to.set(from.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES), at * ENTRY_BYTES)
  new DataView(to.buffer, to.byteOffset).setUint32(at * ENTRY_BYTES, field, true)
}

/** The field of the entry at an index. */
export function fieldOfEntry(packed: WholeColumns, index: number): number {
  return new DataView(packed.buffer, packed.byteOffset).getUint32(index * ENTRY_BYTES, true)
}

/** What is known of the column with this field. Null: nothing. */
export function wholeColumn(packed: WholeColumns, field: number): WholeColumn | null {
  const count = Math.floor(packed.length / ENTRY_BYTES)
  const view = new DataView(packed.buffer, packed.byteOffset, count * ENTRY_BYTES)
  const entry = firstThat(0, count, (index) => view.getUint32(index * ENTRY_BYTES, true) >= field)
  const at = entry * ENTRY_BYTES
  if (entry === count || view.getUint32(at, true) !== field) return null
  return { field, values: view.getFloat64(at + 8, true), statistics: statisticsAt(view, at) }
}

/** Whether something is known of the column with this field. */
export function hasWholeColumn(packed: WholeColumns, field: number): boolean {
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
  /** The index of the entry that was read last, at which the next search begins. */
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
  packed: WholeColumns,
  field: number,
  isFloat: boolean,
  numbers: WholeNumbers,
): boolean {
  const count = Math.floor(packed.length / ENTRY_BYTES)
  const view = new DataView(packed.buffer, packed.byteOffset, count * ENTRY_BYTES)
  const fieldAt = (index: number): number => view.getUint32(index * ENTRY_BYTES, true)
  if (numbers.entry >= count || fieldAt(numbers.entry) !== field) {
    const entry = firstThat(0, count, (index) => fieldAt(index) >= field)
    if (entry === count || fieldAt(entry) !== field) return false
    numbers.entry = entry
  }
  const at = numbers.entry * ENTRY_BYTES
  const flags = view.getUint32(at + 4, true)
  numbers.values = view.getFloat64(at + 8, true)
  numbers.nulls = view.getFloat64(at + 16, true)
  numbers.isBounded = false
  if ((flags & BOUNDED) === 0 || ((flags & DOUBLE) !== 0) !== isFloat) return true
  const isUnsigned = (flags & UNSIGNED) !== 0
  numbers.isMaxExact = (flags & MAX_EXACT) !== 0
  numbers.min = numberAt(view, at + 24, isFloat, isUnsigned)
  numbers.max = numberAt(view, at + 32, isFloat, isUnsigned)
  // False if either is NaN.
  numbers.isBounded = numbers.min <= numbers.max
  return true
}

function numberAt(view: DataView, at: number, isFloat: boolean, isUnsigned: boolean): number | bigint {
  if (isFloat) return view.getFloat64(at, true)
  return isUnsigned ? view.getBigUint64(at, true) : view.getBigInt64(at, true)
}

function statisticsAt(view: DataView, at: number): ColumnStatistics {
  const flags = view.getUint32(at + 4, true)
  const nulls = view.getFloat64(at + 16, true)
  const nullCount = Number.isNaN(nulls) ? {} : { nulls }
  if ((flags & BOUNDED) === 0) return nullCount
  return {
    ...nullCount,
    min: boundAt(view, at + 24, flags),
    max: boundAt(view, at + 32, flags),
    ...((flags & MIN_EXACT) !== 0 && { isMinExact: true }),
    ...((flags & MAX_EXACT) !== 0 && { isMaxExact: true }),
  }
}

function boundAt(view: DataView, at: number, flags: number): Scalar {
  if ((flags & DOUBLE) !== 0) return { kind: 'float', value: view.getFloat64(at, true) }
  const isUnsigned = (flags & UNSIGNED) !== 0
  return { kind: 'int', value: isUnsigned ? view.getBigUint64(at, true) : view.getBigInt64(at, true) }
}

/** All that is known of the columns of a file. What `later` has again is the same. Returns `earlier` if there is nothing more. */
export function mergeWhole(
  earlier: WholeColumns | undefined,
  later: WholeColumns = NO_WHOLE_COLUMNS,
): WholeColumns {
  if (earlier === undefined || earlier.length === 0) return later
  const [earlierEntries, laterEntries] = [entriesOf(earlier), entriesOf(later)]
  const fields = [...new Set([...earlierEntries.keys(), ...laterEntries.keys()])].toSorted((a, b) => a - b)
  if (fields.length === earlierEntries.size) return earlier
  const merged = new Uint8Array(fields.length * ENTRY_BYTES)
  for (const [index, field] of fields.entries())
    merged.set(earlierEntries.get(field) ?? laterEntries.get(field) ?? [], index * ENTRY_BYTES)
  return merged
}

/** The bytes of each column by its field. */
function entriesOf(packed: WholeColumns): ReadonlyMap<number, Uint8Array> {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const count = Math.floor(packed.length / ENTRY_BYTES)
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = index * ENTRY_BYTES
      return [view.getUint32(at, true), packed.subarray(at, at + ENTRY_BYTES)] as const
    }),
  )
}
