import { CONTINUATION, PREFIX_BYTES } from '../../../plan/arrow/ipc.ts'
import {
  readByte,
  readLong,
  readShort,
  readString,
  readTable,
  readTables,
  rootTable,
  type Table,
} from '../../../plan/arrow/read-flatbuffer.ts'
import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { fault } from '../fault.ts'
import type { Range } from '../read-ranges.ts'

/** The metadata of an encapsulated message (Arrow columnar format, "Encapsulated message format"). */
export interface Message {
  /** One of `Header`, or the number of a kind that is not known. */
  readonly kind: number
  readonly header: Table
  readonly bodyBytes: number
}

/** A record batch of rows or of a dictionary's values. Its buffers lie in `body`. */
export interface StoredBatch {
  readonly header: Table
  readonly body: Range
}

export interface StoredDictionary {
  readonly id: bigint
  /** Its values are added to the dictionary of this id. Otherwise they replace it. */
  readonly isDelta: boolean
  readonly batch: StoredBatch
  /** How many record batches precede it in a stream; 0 in a file. */
  readonly position: number
}

/**
 * The versions that are read, as the enum `MetadataVersion` of Arrow's Schema.fbs numbers them: 4, since Arrow 0.8, and 5. They
 * differ in the validity of unions alone.
 */
const VERSIONS = Object.freeze({ first: 3, last: 4 })

/** The key in a message's metadata by which Arrow 0.17 marked compression, before the format had a member for it. */
const EXPERIMENTAL_COMPRESSION = 'ARROW:experimental_compression'

/** Parses the metadata of a message, without its prefix. Throws `unreadable_file`; callers add the file's name. */
export function parseMessage(metadata: Uint8Array): Message {
  const root = rootTable(metadata)
  checkVersion(root)
  const header = readTable(root, 2)
  if (header === null) throw fault('a message without a header')
  if (readTables(root, 4).some((pair) => readString(pair, 0) === EXPERIMENTAL_COMPRESSION))
    throw fault('it is compressed in the way of Arrow 0.17, which is not supported; write it again')
  return { kind: readByte(root, 1), header, bodyBytes: checkedSize(readLong(root, 3)) }
}

/** Throws `unreadable_file` unless the metadata version of a message or a footer is one that is read. */
export function checkVersion(root: Table): void {
  const version = readShort(root, 0, 0)
  if (version < VERSIONS.first || version > VERSIONS.last)
    throw fault(`it has metadata of version ${version + 1}; versions 4 and 5 are read`)
}

/** The dictionary batch of a message that `position` record batches precede. */
export function dictionaryOf({ header }: Message, body: Range, position: number): StoredDictionary {
  const batch = readTable(header, 1)
  if (batch === null) throw fault('a dictionary without values')
  return {
    id: readLong(header, 0),
    isDelta: readByte(header, 2) !== 0,
    batch: { header: batch, body },
    position,
  }
}

/** What precedes the metadata of a message. */
export interface Prefix {
  /** The size of the prefix itself. */
  readonly bytes: number
  /** The size of the metadata. 0: this is the end marker of a stream. */
  readonly metadataBytes: number
}

/** Parses the prefix that the bytes begin with. Null: they are too few. */
export function readPrefix(bytes: Uint8Array): Prefix | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length < 4) return null
  const first = view.getUint32(0, true)
  if (first !== CONTINUATION) return { bytes: 4, metadataBytes: first }
  return bytes.length < PREFIX_BYTES ? null : { bytes: PREFIX_BYTES, metadataBytes: view.getUint32(4, true) }
}

/**
 * The most metadata that is read of one file, all messages together. Real files have some megabytes, with thousands of columns
 * in thousands of batches.
 */
const MAX_METADATA_BYTES = 128 << 20

/** How much is read at a time. Many messages are smaller, and most bodies are larger, so few bytes are read in vain. */
const WINDOW_BYTES = 16 << 10

/**
 * Returns a function that reads ranges of a file's metadata, front to back, in few calls. Each result is a copy of its own.
 * It throws `memory_limit` once the ranges come to more than `MAX_METADATA_BYTES`.
 */
export function createMetadataReader(source: ByteSource): (offset: number, length: number) => Uint8Array {
  let held: Uint8Array = new Uint8Array(0)
  let start = 0
  let total = 0
  return (offset, length) => {
    total += length
    if (total > MAX_METADATA_BYTES)
      throw new ServiceError('memory_limit', `it has more than ${MAX_METADATA_BYTES} bytes of metadata`)
    if (offset < start || offset + length > start + held.length) {
      held = source.read(offset, Math.min(source.size - offset, Math.max(length, WINDOW_BYTES)))
      start = offset
    }
    if (offset + length > start + held.length) throw fault('it is cut short in the middle of a message')
    return held.slice(offset - start, offset - start + length)
  }
}

/** The size as a number. Beyond 2^53 it is inexact, but then it is larger than any file and is refused in any case. */
function checkedSize(size: bigint): number {
  if (size < 0n) throw fault('a message with a body of negative size')
  return Number(size)
}

/** The metadata of a file or a stream. The bodies of its batches are not read yet. */
export interface Container {
  readonly schema: Table
  readonly batches: readonly StoredBatch[]
  /** In the order in which they stand in the file. */
  readonly dictionaries: readonly StoredDictionary[]
}
