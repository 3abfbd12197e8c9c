import { Header } from '../../../plan/arrow/ipc.ts'
import { readStructs, readTable, rootTable, type Structs } from '../../../plan/arrow/read-flatbuffer.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import type { Range } from '../read-ranges.ts'
import type { Container } from './message.ts'
import {
  checkVersion,
  createMetadataReader,
  dictionaryOf,
  type Message,
  parseMessage,
  readPrefix,
} from './message.ts'

const MAGIC = 'ARROW1'

/** A file ends with the length of its footer (int32, little endian) and the magic number. */
const TRAILER_BYTES = 4 + MAGIC.length

/** A file begins with the magic number, padded to 8 bytes. */
const HEAD_BYTES = 8

/**
 * The size of a `Block` of Arrow's File.fbs: the offset of a message (int64), the lengths of its metadata (int32, padded to 8
 * bytes) and of its body (int64).
 */
const BLOCK_BYTES = 24

/** How much of the end of a file is read at once: it has the footer of most files. */
const TAIL_BYTES = 16 << 10

/** The largest footer that is read. A footer has a few bytes for each record batch and each column. */
const MAX_FOOTER_BYTES = 64 << 20

/** Whether the source begins as an Arrow IPC file, which a stream does not. */
export function hasFileMagic(source: ByteSource): boolean {
  return begins(source, MAGIC)
}

/** Whether the source begins as a Feather file of version 1, which is another format. */
export function isFeather1(source: ByteSource): boolean {
  return begins(source, 'FEA1')
}

function begins(source: ByteSource, magic: string): boolean {
  return source.size >= magic.length && ascii(source.read(0, magic.length)) === magic
}

/**
 * Reads the footer of an Arrow IPC file and the messages that it refers to, without their bodies. Throws `unreadable_file`;
 * callers add the file's name.
 */
export function readFile(source: ByteSource): Container {
  if (source.size < HEAD_BYTES + TRAILER_BYTES)
    throw fault(`it has ${source.size} bytes, too few for any Arrow file`)
  const tail = source.read(Math.max(0, source.size - TAIL_BYTES), Math.min(source.size, TAIL_BYTES))
  if (ascii(tail.subarray(-MAGIC.length)) !== MAGIC)
    throw fault(`it does not end with ${MAGIC}: it is cut short`)
  const length = new DataView(tail.buffer, tail.byteOffset + tail.length - TRAILER_BYTES).getUint32(0, true)
  const end = source.size - TRAILER_BYTES - length
  if (end < HEAD_BYTES) throw fault(`its footer claims ${length} of ${source.size} bytes`)
  if (length > MAX_FOOTER_BYTES)
    throw fault(`its footer of ${length} bytes is larger than the ${MAX_FOOTER_BYTES} that are read`)
  const isHeld = length + TRAILER_BYTES <= tail.length
  const root = rootTable(
    isHeld ? tail.subarray(-length - TRAILER_BYTES, -TRAILER_BYTES) : source.read(end, length),
  )
  checkVersion(root)
  const schema = readTable(root, 1)
  if (schema === null) throw fault('its footer has no schema')

  const blocks = [2, 3].map((slot) => blocksOf(readStructs(root, slot, BLOCK_BYTES), end))
  const claimed = blocks.flat().reduce((sum, { metadata, body }) => sum + metadata.length + body.length, 0)
  if (claimed > end) throw fault('its footer points to the same bytes more than once')
  const read = createMetadataReader(source)
  const messages = (i: number, kind: number) => (blocks[i] ?? []).map((block) => readBlock(block, kind, read))
  const dictionaries = messages(0, Header.dictionaryBatch).map(({ message, body }) =>
    dictionaryOf(message, body, 0),
  )
  const seenIds = new Set<bigint>()
  for (const { id, isDelta } of dictionaries) {
    if (!isDelta && seenIds.has(id))
      throw fault(`it has two dictionaries ${id}, which only a stream may have`)
    seenIds.add(id)
  }
  return {
    schema,
    dictionaries,
    batches: messages(1, Header.recordBatch).map(({ message, body }) => ({ header: message.header, body })),
  }
}

/** A message that the footer refers to: where its metadata and its body lie in the file. */
interface Block {
  readonly metadata: Range
  readonly body: Range
}

function blocksOf(blocks: Structs, end: number): Block[] {
  return Array.from({ length: blocks.count }, (_, i) => {
    const metadata = { offset: blocks.int64(i, 0), length: blocks.int32(i, 8) }
    const body = { offset: metadata.offset + metadata.length, length: blocks.int64(i, 16) }
    if (
      metadata.offset < HEAD_BYTES ||
      metadata.length < 0 ||
      body.length < 0 ||
      body.offset + body.length > end
    )
      throw fault(`its footer says that ${body.length} bytes lie at ${body.offset} of ${end}`)
    return { metadata, body }
  })
}

function readBlock(
  { metadata, body }: Block,
  kind: number,
  read: (offset: number, length: number) => Uint8Array,
): { readonly message: Message; readonly body: Range } {
  const bytes = read(metadata.offset, metadata.length)
  const prefix = readPrefix(bytes)
  if (prefix === null || prefix.metadataBytes > bytes.length - prefix.bytes)
    throw fault(`a message at ${metadata.offset} is longer than its footer says`)
  const message = parseMessage(bytes.subarray(prefix.bytes, prefix.bytes + prefix.metadataBytes))
  if (message.kind !== kind) throw fault(`a message at ${metadata.offset} is not what its footer says`)
  return { message, body }
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
