import { ServiceError } from '../../plan/errors.ts'
import { type DataType, typeName, valueType } from '../../plan/types/schema.ts'
import { clearNulls } from './clear-nulls.ts'
import type { Column } from './column.ts'
import type { Instance } from './instance.ts'
import { type ArrayParts, assemble, collect } from './kernels/assembly.ts'
import { childTypes, indexType, indexWidth, layoutOf, shapeOf } from './layout.ts'
import { sliceBits, sliceBuffers } from './slice-buffers.ts'
import { UNITS } from './type-code.ts'

// Reads the structs of the Arrow C data interface, `ArrowArray` and `ArrowSchema`, in the 32-bit memory of another module.
// Their addresses and counts are not trusted: each is checked against the size of the memory before it is used, and the core
// checks everything else.

/** Offsets of the members of `struct ArrowArray`: five 64-bit integers, then pointers. */
const ARRAY = Object.freeze({
  length: 0,
  nullCount: 8,
  offset: 16,
  bufferCount: 24,
  childCount: 32,
  buffers: 40,
  children: 44,
  dictionary: 48,
})

/** Offsets of the members of `struct ArrowSchema`: three pointers, padding, two 64-bit integers, then pointers. */
const SCHEMA = Object.freeze({ format: 0, childCount: 24, children: 32, dictionary: 36 })

/** Bytes of a value of Parquet's INT96 and INTERVAL. */
const STORED_BYTES = 12

/** The most bytes of a format string that are read. The longest ones have the name of a time zone. */
const MAX_FORMAT_BYTES = 256

/** Rows `start`..`start + rows` of an array. Row 0 is the one at the array's own offset. */
interface Slice {
  readonly array: number
  readonly schema: number
  readonly type: DataType
  readonly start: number
  readonly rows: number
  /** The struct of which it is a field, with the same rows. Null: it is not a field. */
  readonly parent: Slice | null
}

interface Source {
  readonly instance: Instance
  readonly memory: DataView
}

/** Copies an array out of another module's memory, in which values that are null become zero; see `Core.importArray`. */
export function importArray(
  instance: Instance,
  memory: WebAssembly.Memory,
  array: number,
  schema: number,
  type: DataType,
): Column {
  const source: Source = { instance, memory: new DataView(memory.buffer) }
  try {
    const rows = count(source, array + ARRAY.length)
    return importSlice(source, { array, schema, type, start: 0, rows, parent: null })
  } catch (error) {
    if (error instanceof RangeError) throw invalid('an address outside of the memory')
    throw error
  }
}

function importSlice(source: Source, slice: Slice): Column {
  const { memory } = source
  const { array, rows } = slice
  if (slice.start + rows > count(source, array + ARRAY.length))
    throw invalid('an array shorter than its parent says')
  if (memory.getUint32(array + ARRAY.dictionary, true) !== 0) return importDictionary(source, slice)
  if (slice.type.kind === 'dictionary') throw invalid(`plain values where ${typeName(slice.type)} was to be`)

  const layout = layoutOf(formatOf(source, slice.schema))
  const expected = shapeOf(slice.type)
  if (layout.layout === 'fixed' && layout.width === STORED_BYTES) {
    const { type } = slice
    if (type.kind === 'timestamp')
      return importStored(source, slice, { layout: 'int96', parameter: UNITS[type.unit] })
    if (type.kind === 'interval') return importStored(source, slice, { layout: 'interval' })
  }
  if (layout.shape !== expected.shape || layout.width !== expected.width) {
    throw invalid(`values of ${formatOf(source, slice.schema)} where ${typeName(slice.type)} was to be`)
  }
  if (layout.layout === 'null') return assemble(source.instance, { layout: 'null', rows, buffers: [] })
  const start = slice.start + count(source, array + ARRAY.offset)
  // The children are imported last: from then on `assemble` frees them if anything fails.
  const validity = validityOf(source, slice, start)
  const { buffers, children } = sliceBuffers(layout, start, rows, {
    bytes: (index, from, length) => buffer(source, slice, index, from, length),
    viewData: () => viewData(source, slice),
  })
  const [values] = buffers
  if (layout.layout === 'fixed' && validity !== null && values !== undefined)
    clearNulls(values, validity, start % 8, rows, layout.width)
  return assemble(source.instance, {
    layout: layout.layout,
    parameter: layout.width,
    rows,
    bit: start % 8,
    buffers: [validity, ...buffers],
    children: importChildren(source, slice, children),
  })
}

/**
 * Imports values of Parquet's INT96 or INTERVAL as they are stored. The crate could convert the first to timestamps, but overflows
 * silently; of the second it makes nothing that has all parts.
 */
function importStored(
  source: Source,
  slice: Slice,
  layout: Pick<ArrayParts, 'layout' | 'parameter'>,
): Column {
  const start = slice.start + count(source, slice.array + ARRAY.offset)
  const validity = validityOf(source, slice, start)
  const values = buffer(source, slice, 1, start * STORED_BYTES, slice.rows * STORED_BYTES)
  return assemble(source.instance, {
    ...layout,
    rows: slice.rows,
    bit: start % 8,
    buffers: [validity, values, ...presentIn(source, slice.parent)],
  })
}

/** A bitmap of the rows in which neither the struct nor one around it is null. None if no row of them is null. */
function presentIn(source: Source, parent: Slice | null): readonly Uint8Array[] {
  let present: Uint8Array | null = null
  for (let slice = parent; slice !== null; slice = slice.parent) {
    const start = slice.start + count(source, slice.array + ARRAY.offset)
    const validity = validityOf(source, slice, start)
    if (validity === null) continue
    present ??= new Uint8Array(Math.ceil(slice.rows / 8)).fill(255)
    for (let row = 0; row < slice.rows; row++) {
      const bit = (start % 8) + row
      if ((((validity[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 0)
        present[row >> 3] = (present[row >> 3] ?? 0) & ~(1 << (row & 7))
    }
  }
  return present === null ? [] : [present]
}

/** The data buffers of an array of views. The last buffer of the array has their lengths. */
function viewData(source: Source, slice: Slice): Uint8Array[] {
  const dataCount = bufferCount(source, slice) - 3
  const lengths = buffer(source, slice, 2 + dataCount, 0, 8 * dataCount)
  return Array.from({ length: dataCount }, (_, i) =>
    buffer(source, slice, 2 + i, 0, count64(viewOf(lengths), 8 * i)),
  )
}

function importChildren(source: Source, slice: Slice, [from, to]: readonly [number, number]): Column[] {
  const { memory, instance } = source
  const types = childTypes(slice.type)
  for (const address of [slice.array + ARRAY.childCount, slice.schema + SCHEMA.childCount]) {
    if (count(source, address) !== types.length) throw invalid(`not the fields of ${typeName(slice.type)}`)
  }
  const parent = slice.type.kind === 'struct' ? slice : null
  const range = { start: from, rows: to - from, parent }
  return collect(instance, types, (type, index) => {
    const pointer = (base: number) => memory.getUint32(memory.getUint32(base, true) + 4 * index, true)
    const array = pointer(slice.array + ARRAY.children)
    const schema = pointer(slice.schema + SCHEMA.children)
    return importSlice(source, { array, schema, type, ...range })
  })
}

/** Imports a dictionary array: its indices, and all values of the dictionary. */
function importDictionary(source: Source, slice: Slice): Column {
  const { memory, instance } = source
  const index = indexType(formatOf(source, slice.schema))
  const array = memory.getUint32(slice.array + ARRAY.dictionary, true)
  const schema = memory.getUint32(slice.schema + SCHEMA.dictionary, true)
  if (memory.getUint32(array + ARRAY.dictionary, true) !== 0) throw invalid('a dictionary of a dictionary')
  const start = slice.start + count(source, slice.array + ARRAY.offset)
  const width = indexWidth(index)
  const indices = buffer(source, slice, 1, start * width, slice.rows * width)
  const validity = validityOf(source, slice, start)
  const rows = count(source, array + ARRAY.length)
  const values = importSlice(source, {
    array,
    schema,
    type: valueType(slice.type),
    start: 0,
    rows,
    parent: null,
  })
  return assemble(instance, {
    layout: 'dictionary',
    parameter: index,
    rows: slice.rows,
    bit: start % 8,
    buffers: [validity, indices],
    children: [values],
  })
}

function validityOf(source: Source, slice: Slice, start: number): Uint8Array | null {
  const nulls = source.memory.getBigInt64(slice.array + ARRAY.nullCount, true)
  if (nulls === 0n) return null
  if (bufferAddress(source, slice, 0) !== 0) return bits(source, slice, 0, start)
  if (nulls > 0n) throw invalid('nulls without a validity bitmap')
  return null
}

function bits(source: Source, slice: Slice, index: number, start: number): Uint8Array {
  return sliceBits(start, slice.rows, (from, length) => buffer(source, slice, index, from, length))
}

/** Bytes of a buffer. They are checked to lie in the memory; how long the buffer is, only its owner knows. */
function buffer(source: Source, slice: Slice, index: number, from: number, length: number): Uint8Array {
  if (length === 0) return new Uint8Array(0)
  const address = bufferAddress(source, slice, index)
  if (address === 0) throw invalid('a buffer is missing')
  if (address + from + length > source.memory.byteLength) throw invalid('a buffer past the end of the memory')
  return new Uint8Array(source.memory.buffer, address + from, length)
}

function bufferAddress(source: Source, slice: Slice, index: number): number {
  if (index >= bufferCount(source, slice)) throw invalid('a buffer is missing')
  return source.memory.getUint32(source.memory.getUint32(slice.array + ARRAY.buffers, true) + 4 * index, true)
}

function bufferCount(source: Source, slice: Slice): number {
  return count(source, slice.array + ARRAY.bufferCount)
}

function formatOf(source: Source, schema: number): string {
  const address = source.memory.getUint32(schema + SCHEMA.format, true)
  const length = Math.min(MAX_FORMAT_BYTES, source.memory.byteLength - address)
  const bytes = Buffer.from(source.memory.buffer, address, Math.max(0, length))
  return bytes.toString('latin1', 0, Math.max(0, bytes.indexOf(0)))
}

function count(source: Source, address: number): number {
  return count64(source.memory, address)
}

/** A 64-bit length, count or offset. In a 32-bit memory it cannot be 2^32 or more. */
function count64(view: DataView, position: number): number {
  const value = view.getBigInt64(position, true)
  if (value < 0n || value > 0xffff_ffffn) throw invalid('a length out of range')
  return Number(value)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function invalid(what: string): ServiceError {
  return new ServiceError('unreadable_file', `the decoder returned ${what}`)
}
