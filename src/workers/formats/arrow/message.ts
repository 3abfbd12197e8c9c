import { ServiceError } from '../../../plan/errors.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import type { Range } from '../read-ranges.ts'
import {
  readByte,
  readLong,
  readShort,
  readString,
  readTable,
  readTables,
  rootTable,
  type Table,
} from './flatbuffer.ts'

/** `MessageHeader` of Message.fbs. */
export const Header = Object.freeze({ schema: 1, dictionaryBatch: 2, recordBatch: 3 })

/** An encapsulated message (Arrow columnar format, "Encapsulated message format") without its body. */
export interface Message {
  /** One of `Header`, if it is one that is known. */
  readonly kind: number
  readonly header: Table
  readonly bodyBytes: number
}

/** A record batch, of rows or of a dictionary's values, and where its buffers lie. */
export interface StoredBatch {
  readonly header: Table
  readonly body: Range
}

export interface StoredDictionary {
  readonly id: bigint
  /** More values for the dictionary of this id, not another one in its place. */
  readonly isDelta: boolean
  readonly batch: StoredBatch
  /** Record batches that lie before it in a stream. */
  readonly position: number
}

/** `MetadataVersion` of Schema.fbs, from 0.8 on: version 5 says where unions have their validity, nothing else. */
const VERSIONS = Object.freeze({ first: 3, last: 4 })

/** Written by Arrow 0.17 into version 4, before there was a place for it. */
const EXPERIMENTAL_COMPRESSION = 'ARROW:experimental_compression'

/** A message by its metadata, without the prefix. Throws `unreadable_file`, without the file's name. */
export function parseMessage(metadata: Uint8Array): Message {
  const root = rootTable(metadata)
  checkVersion(root)
  const header = readTable(root, 2)
  if (header === null) throw fault('a message without a header')
  if (readTables(root, 4).some((pair) => readString(pair, 0) === EXPERIMENTAL_COMPRESSION))
    throw fault('it is compressed in the way of Arrow 0.17, which is not supported; write it again')
  return { kind: readByte(root, 1), header, bodyBytes: checkedSize(readLong(root, 3)) }
}

/** Of a message or a footer. */
export function checkVersion(root: Table): void {
  const version = readShort(root, 0, 0)
  if (version < VERSIONS.first || version > VERSIONS.last)
    throw fault(`it has metadata of version ${version + 1}; versions 4 and 5 are read`)
}

/** The dictionary batch that a message holds; `position` record batches lie before it. */
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

/** Stands before the length of a message. */
export const CONTINUATION = 0xffff_ffff

/** What stands before a message: its own bytes and those of the message; 0 ends a stream. */
export interface Prefix {
  readonly bytes: number
  readonly metadataBytes: number
}

/** Bytes enough for a prefix. Before Arrow 0.15 it had no continuation marker. */
export const PREFIX_BYTES = 8

/** Null: too few bytes. */
export function readPrefix(bytes: Uint8Array): Prefix | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  if (bytes.length < 4) return null
  const first = view.getUint32(0, true)
  if (first !== CONTINUATION) return { bytes: 4, metadataBytes: first }
  return bytes.length < PREFIX_BYTES ? null : { bytes: PREFIX_BYTES, metadataBytes: view.getUint32(4, true) }
}

/** Of all messages of a file: real ones reach some megabytes (thousands of columns in thousands of batches). */
const MAX_METADATA_BYTES = 128 << 20

/** Messages are read in runs of so many bytes: most bodies are larger than that, many messages smaller. */
const WINDOW_BYTES = 16 << 10

/** Reads pieces of a file's metadata, front to back, with few calls; a copy of each piece. */
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

/** Sizes beyond 2^53 are inexact, and larger than any file. */
function checkedSize(size: bigint): number {
  if (size < 0n) throw fault('a message with a body of negative size')
  return Number(size)
}

/** What is wrong with a file; `locatingErrorsInFile` names it. */
export function fault(what: string): ServiceError {
  return new ServiceError('unreadable_file', what)
}

/** What a file or a stream holds, bodies apart. */
export interface Container {
  readonly schema: Table
  readonly batches: readonly StoredBatch[]
  /** In the order in which they were written. */
  readonly dictionaries: readonly StoredDictionary[]
}
