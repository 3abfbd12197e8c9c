import * as arrow from 'apache-arrow'
import type { DataType } from '../../src/plan/types/schema.ts'
import type { Value } from '../formats/values.ts'
import type { Cell, TestColumn, TestTable } from './table.ts'

/** The table in apache-arrow's classes, which Parquet writers accept. Its builders round values, so buffers are made by hand. */
export function toArrow({ rows, columns }: TestTable): arrow.Table {
  const data = columns.map(columnData)
  const fields = columns.map(
    ({ name }, index) => new arrow.Field(name, data[index]?.type ?? new arrow.Null(), true),
  )
  const struct = arrow.makeData({
    type: new arrow.Struct(fields),
    length: rows,
    nullCount: 0,
    children: data,
  })
  return new arrow.Table([new arrow.RecordBatch(new arrow.Schema(fields), struct)])
}

/** A cell as `columnValues` returns it. */
export function toValue(cell: Cell, type: DataType): Value {
  if (typeof cell === 'number') return Object.is(cell, -0) ? '-0' : String(cell)
  return typeof cell === 'bigint' ? BigInt.asUintN(8 * byteWidth(type), cell) : cell
}

const UNITS = { second: 0, millisecond: 1, microsecond: 2, nanosecond: 3 } as const

function arrowType(type: DataType): arrow.DataType {
  switch (type.kind) {
    case 'bool':
      return new arrow.Bool()
    case 'int':
      return new arrow.Int(type.signed, type.bits)
    case 'float':
      return type.bits === 32 ? new arrow.Float32() : new arrow.Float64()
    case 'decimal':
      return new arrow.Decimal(type.scale, type.precision, type.bits)
    case 'date':
      return new arrow.DateDay()
    case 'time':
      return new arrow.Time(UNITS[type.unit], byteWidth(type) === 4 ? 32 : 64)
    case 'timestamp':
      return new arrow.Timestamp(UNITS[type.unit], type.zone)
    default:
      return new arrow.Utf8()
  }
}

function byteWidth(type: DataType): number {
  switch (type.kind) {
    case 'int':
    case 'float':
    case 'decimal':
      return type.bits / 8
    case 'date':
      return 4
    case 'time':
      return type.unit === 'second' || type.unit === 'millisecond' ? 4 : 8
    default:
      return 8
  }
}

function columnData({ type, cells }: TestColumn): arrow.Data {
  const length = cells.length
  const nullCount = cells.filter((cell) => cell === null).length
  const shared = { length, nullCount, nullBitmap: bits(cells, (cell) => cell !== null) }
  const arrowed = arrowType(type)
  if (arrowed instanceof arrow.Bool) {
    return arrow.makeData({ type: arrowed, ...shared, data: bits(cells, (cell) => cell === true) })
  }
  if (arrowed instanceof arrow.Utf8) {
    const texts = cells.map((cell) => Buffer.from(String(cell ?? '')))
    const valueOffsets = Int32Array.from([
      0,
      ...texts.map((_, n) => Buffer.concat(texts.slice(0, n + 1)).length),
    ])
    return arrow.makeData({ type: arrowed, ...shared, valueOffsets, data: Buffer.concat(texts) })
  }
  const bytes = Buffer.concat(cells.map((cell) => fixedBytes(cell, type)))
  const values = new arrowed.ArrayType(new Uint8Array(bytes).buffer)
  return arrow.makeData({ type: arrowed as arrow.Int, ...shared, data: values })
}

function bits(cells: readonly Cell[], isSet: (cell: Cell) => boolean): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(cells.length / 64) * 8)
  cells.forEach((cell, index) => {
    if (isSet(cell)) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  })
  return bytes
}

/** The bytes in little endian. */
function fixedBytes(cell: Cell, type: DataType): Buffer {
  const width = byteWidth(type)
  const bytes = Buffer.alloc(width)
  if (typeof cell === 'number') width === 4 ? bytes.writeFloatLE(cell) : bytes.writeDoubleLE(cell)
  if (typeof cell !== 'bigint') return bytes
  const hex = BigInt.asUintN(8 * width, cell)
    .toString(16)
    .padStart(2 * width, '0')
  return Buffer.from(Buffer.from(hex, 'hex').toReversed())
}
