import { DataType as ArrowType, type Data, type Table, tableFromIPC } from 'apache-arrow'
import { writeSchemaMessage } from '../../src/plan/arrow/schema-message.ts'
import type { RowRange } from '../../src/plan/source/range.ts'
import { createTextOrder, type Span } from '../../src/plan/source/text.ts'
import { type Field, valueType } from '../../src/plan/types/schema.ts'
import type { Core } from '../../src/wasm/core/core.ts'
import type { OpenFile, ReadContext } from '../../src/workers/formats/provider.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { layoutOf, rangesOf } from './segments.ts'

/** A value that `t.same` compares exactly: −0 and NaN are texts, times and other values with units are their stored integers. */
export type Value = null | boolean | string | bigint | readonly Value[] | { readonly [name: string]: Value }

/** Rows of a segment, column by column, and where they lay. */
export interface SegmentValues {
  readonly rows: number
  readonly values: Value[][]
  readonly span: Span | undefined
}

/** Rows of a segment through the core and Arrow IPC, dictionaries as their values. Frees what it reads. */
export function readSegment(
  file: OpenFile,
  store: Store,
  range: RowRange,
  fields: readonly Field[],
  context: ReadContext,
): SegmentValues {
  const { core } = context
  const { rows, columns, span } = file.read(store, range, fields, context)
  try {
    if (columns.some((column) => core.rows(column) !== rows)) throw new Error('columns of unequal length')
    const values = fields.length === 0 ? [] : columnValues(encode(core, columns, fields, rows))
    return { rows, values, span }
  } finally {
    for (const column of columns) core.free(column)
  }
}

/** Rows `from`..`to` of a segment, column by column. */
export function readValues(
  file: OpenFile,
  store: Store,
  segment: number,
  from: number,
  to: number,
  names: readonly string[],
  context: ReadContext,
): Value[][] {
  const fields = names.map((name) => fieldOf(file, name))
  return readSegment(file, store, { kind: 'rows', segment, from, to }, fields, context).values
}

/** Every segment of a file; those of a text file from where the one before ended. */
export function readSegments(
  file: OpenFile,
  store: Store,
  fields: readonly Field[],
  context: ReadContext,
): SegmentValues[] {
  const order = createTextOrder()
  return rangesOf(layoutOf(file, [], store, context)).map((range) => {
    const unit = order.placed({ ...range, file: 0, decodedBytes: 0 })
    const read = readSegment(file, store, unit, fields, context)
    order.ended(unit, read.span)
    return read
  })
}

/** All rows of a file. */
export function readAll(
  file: OpenFile,
  store: Store,
  context: ReadContext,
  fields: readonly Field[] = file.schema.fields,
): Value[][] {
  const segments = readSegments(file, store, fields, context)
  return fields.map((_, column) => segments.flatMap(({ values }) => values[column] ?? []))
}

export function columnValues(table: Table): Value[][] {
  return table.schema.fields.map((_, i) => {
    const vector = table.getChildAt(i)
    return vector === null ? [] : vector.data.flatMap((data) => dataValues(data))
  })
}

function fieldOf(file: OpenFile, name: string): Field {
  const found = file.schema.fields.find((field) => field.name === name)
  if (!found) throw new Error(`no column ${name}`)
  return found
}

export function encode(
  core: Core,
  columns: Parameters<Core['encodeBatch']>[0],
  fields: readonly Field[],
  rows: number,
): Table {
  // apache-arrow reads the stream's rows; names that repeat or are odd do not matter to it.
  const plain = fields.map((field) => ({ ...field, type: valueType(field.type) }))
  const types = plain.map((field) => field.type)
  const messages: Uint8Array[] = [writeSchemaMessage({ fields: plain, metadata: {} })]
  for (let from = 0; from < rows; ) {
    const batch = core.encodeBatch(columns, types, rows, null, from, 65_536, 16 << 20)
    messages.push(new Uint8Array(batch.bytes))
    from = batch.next
  }
  return tableFromIPC(Buffer.concat([...messages, new Uint8Array([255, 255, 255, 255, 0, 0, 0, 0])]))
}

function dataValues(data: Data): Value[] {
  const read = reader(data)
  return Array.from({ length: data.length }, (_, i) => (isValid(data, i) ? read(i) : null))
}

function isValid(data: Data, i: number): boolean {
  if (ArrowType.isNull(data.type)) return false
  if (data.nullBitmap.length === 0) return true
  const bit = data.offset + i
  return (((data.nullBitmap[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1
}

/** Reads buffers and not apache-arrow's values, which lose nanoseconds, days and the sign of zero. */
function reader(data: Data): (i: number) => Value {
  const { type, children } = data
  const bytes = (width: number, i: number): DataView => {
    const { values } = data
    return new DataView(values.buffer, values.byteOffset + width * i, width)
  }
  const child = (i: number): Value[] => {
    const found = children[i]
    return found === undefined ? [] : dataValues(found)
  }
  if (ArrowType.isNull(type)) return () => null
  if (ArrowType.isDictionary(type)) {
    const values = data.dictionary?.data.flatMap((each) => dataValues(each)) ?? []
    return (i) => values[Number(data.values[i])] ?? null
  }
  if (ArrowType.isBool(type))
    return (i) => ((bytes(1, (data.offset + i) >> 3).getUint8(0) >> ((data.offset + i) & 7)) & 1) === 1
  if (ArrowType.isFloat(type)) {
    const width = [2, 4, 8][type.precision] ?? 8
    return (i) => {
      const view = bytes(width, i)
      const value =
        width === 2 ? half(view) : width === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true)
      return Object.is(value, -0) ? '-0' : String(value)
    }
  }
  if (ArrowType.isUtf8(type) || ArrowType.isBinary(type)) {
    return (i) => {
      const [from, to] = [data.valueOffsets[i] ?? 0, data.valueOffsets[i + 1] ?? 0]
      const value = Buffer.from(data.values.subarray(from, to))
      return ArrowType.isUtf8(type) ? value.toString() : value.toString('hex')
    }
  }
  if (ArrowType.isList(type) || ArrowType.isLargeList(type) || ArrowType.isMap(type)) {
    const items = child(0)
    return (i) => items.slice(Number(data.valueOffsets[i]), Number(data.valueOffsets[i + 1]))
  }
  if (ArrowType.isFixedSizeList(type)) {
    const items = child(0)
    return (i) => items.slice(i * type.listSize, (i + 1) * type.listSize)
  }
  if (ArrowType.isStruct(type)) {
    const members = type.children.map((field, k) => [field.name, child(k)] as const)
    return (i) => Object.fromEntries(members.map(([name, values]) => [name, values[i] ?? null]))
  }
  const width = fixedWidth(type)
  return (i) => integer(bytes(width, i))
}

function fixedWidth(type: ArrowType): number {
  if (ArrowType.isInt(type) || ArrowType.isDecimal(type) || ArrowType.isTime(type)) return type.bitWidth / 8
  if (ArrowType.isFixedSizeBinary(type)) return type.byteWidth
  if (ArrowType.isDate(type)) return type.unit === 0 ? 4 : 8
  if (ArrowType.isInterval(type)) return [4, 8, 16][type.unit] ?? 16
  return 8
}

/** Little endian, without a sign: two columns of one type are equal when these are. Damage makes types of no bytes, whose value is 0. */
function integer(view: DataView): bigint {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  return BigInt(`0x0${Buffer.from(bytes.toReversed()).toString('hex')}`)
}

function half(view: DataView): number {
  const bits = view.getUint16(0, true)
  const [exponent, fraction, sign] = [(bits >> 10) & 31, bits & 1023, bits >> 15 ? -1 : 1]
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (exponent ? (1024 + fraction) * 2 ** (exponent - 25) : fraction * 2 ** -24)
}

/** Columns of arrays in which each NaN is null. Attributes are no arrays. */
export function withoutNan(names: readonly string[], values: readonly Value[][]): Value[][] {
  return values.map((each, index) =>
    names[index]?.includes('.') ? each : each.map((value) => (value === 'NaN' ? null : value)),
  )
}
