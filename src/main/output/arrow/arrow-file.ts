import { END_OF_STREAM, METADATA_V5, PREFIX_BYTES } from '../../../plan/arrow/ipc.ts'

/** The position of a record batch or dictionary batch message in an Arrow IPC file, in bytes. The offset is a multiple of 8. */
export interface Block {
  readonly offset: number
  readonly metadataBytes: number
  readonly bodyBytes: number
}

/** The magic bytes at the beginning of a file, padded to 8 bytes (Arrow columnar format, "IPC File Format"). */
export const FILE_MAGIC = Buffer.from('ARROW1\0\0', 'latin1')

const BLOCK_BYTES = 24

/** Offsets in the footer's flatbuffer: root offset, vtable, table, blocks. The schema's own bytes come last. */
const VTABLE = 4
const TABLE = 16
const SCHEMA_FIELD = TABLE + 4
const DICTIONARIES_FIELD = TABLE + 8
const BATCHES_FIELD = TABLE + 12
const VERSION_FIELD = TABLE + 16
const TABLE_BYTES = 20
const BLOCKS = 40

/** The block of a message that is written at an offset. */
export function blockOf(offset: number, message: Buffer): Block {
  const metadataBytes = PREFIX_BYTES + message.readInt32LE(4)
  return { offset, metadataBytes, bodyBytes: message.length - metadataBytes }
}

/**
 * What stands behind the last batch of an Arrow IPC file: end-of-stream marker, footer, its length, magic.
 *
 * The footer (File.fbs) holds the schema's table. Flatbuffer offsets are relative, so the bytes of the schema message
 * are appended as they are and the footer points into them; nothing is built twice.
 */
export function fileTail(
  schemaMessage: Buffer,
  dictionaries: readonly Block[],
  batches: readonly Block[],
): Buffer {
  const message = schemaMessage.subarray(PREFIX_BYTES)
  const batchesAt = BLOCKS + BLOCK_BYTES * dictionaries.length + 8
  const schemaAt = batchesAt + BLOCK_BYTES * batches.length
  const footer = Buffer.alloc(schemaAt + message.length)
  footer.writeUInt32LE(TABLE, 0)
  const fields = [VERSION_FIELD, SCHEMA_FIELD, DICTIONARIES_FIELD, BATCHES_FIELD].map((at) => at - TABLE)
  for (const [index, value] of [12, TABLE_BYTES, ...fields].entries())
    footer.writeUInt16LE(value, VTABLE + 2 * index)
  footer.writeInt32LE(TABLE - VTABLE, TABLE)
  footer.writeUInt32LE(schemaAt + schemaTable(message) - SCHEMA_FIELD, SCHEMA_FIELD)
  footer.writeInt16LE(METADATA_V5, VERSION_FIELD)
  writeBlocks(footer, DICTIONARIES_FIELD, BLOCKS, dictionaries)
  writeBlocks(footer, BATCHES_FIELD, batchesAt, batches)
  message.copy(footer, schemaAt)
  const tail = Buffer.alloc(10)
  tail.writeInt32LE(footer.length, 0)
  tail.write('ARROW1', 4, 'latin1')
  return Buffer.concat([END_OF_STREAM, footer, tail])
}

/** A vector, whose blocks begin at `at` behind their number, and the field that refers to it. */
function writeBlocks(footer: Buffer, field: number, at: number, blocks: readonly Block[]): void {
  footer.writeUInt32LE(at - 4 - field, field)
  footer.writeUInt32LE(blocks.length, at - 4)
  for (const [index, block] of blocks.entries()) {
    const start = at + BLOCK_BYTES * index
    footer.writeBigInt64LE(BigInt(block.offset), start)
    footer.writeInt32LE(block.metadataBytes, start + 8)
    footer.writeBigInt64LE(BigInt(block.bodyBytes), start + 16)
  }
}

/** Position of the Schema table in a Message flatbuffer: the third field of the root table, `header`. */
function schemaTable(message: Buffer): number {
  const root = message.readUInt32LE(0)
  const vtable = root - message.readInt32LE(root)
  const header = root + message.readUInt16LE(vtable + 4 + 2 * 2)
  return header + message.readUInt32LE(header)
}
