import { RecordBatchStreamWriter, Table, tableFromArrays } from 'apache-arrow'
import { PREFIX_BYTES } from '../../../src/plan/arrow/ipc.ts'
import type { Part } from '../../../src/plan/task/part.ts'

/** Columns without nulls, by name. */
export type Arrays = Parameters<typeof tableFromArrays>[0]

/** The rows of columns as workers answer them, in parts of so many rows each. */
export function partsOf(columns: Arrays, rows: readonly number[]): Part[] {
  const table = tableFromArrays(columns)
  let from = 0
  return rows.map((count) => {
    const part = partOf(table.slice(from, from + count))
    from += count
    return part
  })
}

function partOf(table: Table): Part {
  const [batch] = new Table(table.batches).batches
  const stream = Buffer.from(RecordBatchStreamWriter.writeAll(batch ? [batch] : []).toUint8Array(true))
  const schemaBytes = messageBytes(stream, 0)
  const length = messageBytes(stream, schemaBytes)
  const bytes = new Uint8Array(stream.subarray(schemaBytes, schemaBytes + length)).buffer
  const metadataBytes = PREFIX_BYTES + stream.readInt32LE(schemaBytes + 4)
  return { rows: table.numRows, from: 0, payload: { kind: 'arrow', bytes, metadataBytes, dictionaries: [] } }
}

/** The bytes of the message at an offset of a stream, with its body: the fourth field of the flatbuffer `Message`. */
function messageBytes(stream: Buffer, at: number): number {
  const metadata = stream.subarray(at + PREFIX_BYTES, at + PREFIX_BYTES + stream.readInt32LE(at + 4))
  const root = metadata.readUInt32LE(0)
  const vtable = root - metadata.readInt32LE(root)
  const field = metadata.readUInt16LE(vtable) > 10 ? metadata.readUInt16LE(vtable + 10) : 0
  return PREFIX_BYTES + metadata.length + (field === 0 ? 0 : Number(metadata.readBigInt64LE(root + field)))
}
