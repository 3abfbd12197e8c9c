import type { Scalar } from '../types/scalar.ts'
import { type DataType, typeName } from '../types/schema.ts'
import { PREFIX_BYTES } from './ipc.ts'
import { readStructs, readTable, rootTable } from './read-flatbuffer.ts'

/** The size of a `FieldNode` (rows, nulls) and of a `Buffer` (offset, length) of Arrow's Message.fbs. */
const PAIR_BYTES = 16

type ReadValue = (values: DataView, row: number, texts: DataView | null) => Scalar

/**
 * The values of the only column of a record batch message, which is not compressed. Null is the null value. The message has to be one that
 * the core has written. Throws `TypeError` for types that have no constants.
 */
export function readValues(
  message: ArrayBuffer,
  metadataBytes: number,
  type: DataType,
): readonly (Scalar | null)[] {
  const readValue = readerOf(type)
  if (readValue === null) throw new TypeError(`values of type ${typeName(type)}`)
  const { nodes, buffers } = batchOf(message, metadataBytes)
  const bufferAt = (index: number): DataView =>
    new DataView(message, metadataBytes + buffers.int64(index, 0), buffers.int64(index, 8))
  const hasNulls = nodes.int64(0, 8) > 0
  const validity = hasNulls ? bufferAt(0) : null
  const values = bufferAt(1)
  const texts = type.kind === 'utf8' ? bufferAt(2) : null
  return Array.from({ length: nodes.int64(0, 0) }, (_, row) =>
    validity === null || bitAt(validity, row) ? readValue(values, row, texts) : null,
  )
}

/** The values of the only column of a record batch message, which are floats of 64 bits and not null. As above. */
export function readFloats(message: ArrayBuffer, metadataBytes: number): Float64Array {
  const { buffers } = batchOf(message, metadataBytes)
  const start = metadataBytes + buffers.int64(1, 0)
  return new Float64Array(message.slice(start, start + buffers.int64(1, 8)))
}

/** Whether values of a type are read as constants. */
export function hasConstants(type: DataType): boolean {
  return readerOf(type) !== null
}

/** The field nodes and the buffers of a record batch message. */
function batchOf(message: ArrayBuffer, metadataBytes: number) {
  const metadata = new Uint8Array(message, PREFIX_BYTES, metadataBytes - PREFIX_BYTES)
  const batch = readTable(rootTable(metadata), 2)
  if (batch === null) throw new TypeError('a message that is no record batch')
  return { nodes: readStructs(batch, 1, PAIR_BYTES), buffers: readStructs(batch, 2, PAIR_BYTES) }
}

/** Reads a value of a type from the buffers of its array (Arrow columnar format, "Physical memory layout"). Null: it has no constants. */
function readerOf(type: DataType): ReadValue | null {
  switch (type.kind) {
    case 'bool':
      return (values, row) => ({ kind: 'bool', value: bitAt(values, row) })
    case 'int':
      return integers(type.bits, type.signed)
    case 'float':
      if (type.bits === 16) return null
      return type.bits === 32
        ? (values, row) => ({ kind: 'float', value: values.getFloat32(4 * row, true) })
        : (values, row) => ({ kind: 'float', value: values.getFloat64(8 * row, true) })
    case 'decimal':
      return type.bits === 128 ? decimals : null
    case 'date':
      return type.unit === 'day' ? integers(32, true) : null
    case 'timestamp':
      return integers(64, true)
    case 'utf8':
      return (values, row, texts) => {
        const [from, to] = [values.getInt32(4 * row, true), values.getInt32(4 * row + 4, true)]
        const start = (texts?.byteOffset ?? 0) + from
        return { kind: 'bytes', value: new Uint8Array(values.buffer.slice(start, start + to - from)) }
      }
    default:
      return null
  }
}

const decimals: ReadValue = (values, row) => ({
  kind: 'int',
  value: (values.getBigInt64(16 * row + 8, true) << 64n) | values.getBigUint64(16 * row, true),
})

function integers(bits: 8 | 16 | 32 | 64, signed: boolean): ReadValue {
  const bytes = bits / 8
  return (values, row) => {
    let value = 0n
    for (let byte = bytes - 1; byte >= 0; byte--)
      value = (value << 8n) | BigInt(values.getUint8(bytes * row + byte))
    return { kind: 'int', value: signed ? BigInt.asIntN(bits, value) : value }
  }
}

function bitAt(bits: DataView, row: number): boolean {
  return ((bits.getUint8(row >> 3) >> (row & 7)) & 1) === 1
}
