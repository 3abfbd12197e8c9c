import { lookup3 } from '../../../formats/hdf5/data/structures/checksum.ts'
import { HEADER_FLAGS, MESSAGE } from '../../../formats/hdf5/data/structures/object-header.ts'
import { readAt, writeAt } from '../../descriptor-io.ts'
import { DEFLATE, SHUFFLE } from './writing-module.ts'

/** What the header of a dataset is to say, in place of what the library has written. */
export interface CompressedDataset {
  /** Where its object header is. */
  readonly address: number
  readonly shape: readonly number[]
  /** For each axis whether it can grow. */
  readonly canGrow: readonly boolean[]
  readonly elementBytes: number
  /** The level of deflate. */
  readonly deflate: number
}

/** Bytes of a superblock of version 2 or 3, and where it has the end of the file. All addresses have 8 bytes. */
const SUPERBLOCK_BYTES = 48
const END_OF_FILE_AT = 28

/** Type, length and flags of a message, and its number if there are numbers. */
const PREFIX_BYTES = 4
const NUMBER_BYTES = 2

/** Bytes of the message that says where a header goes on. */
const CONTINUATION_BYTES = 16

/** Message flags of a pipeline: it does not change. `H5Z_FLAG_OPTIONAL` of its filters: writing may leave them out. */
const OPTIONAL = 1

const SIGNATURE_BYTES = 4
const CHECKSUM_BYTES = 4

/**
 * Rewrites the headers of datasets in a file of HDF5 1.8 that the library has closed: their shapes, and that their chunks are shuffled
 * before deflate. The library sets one filter for each dataset, and makes each as large as its chunks. All messages of a header go to a
 * block at the end of the file, since the longer one of the filters has no room where it was; headers stay where they are, because links
 * and dimension scales refer to them. `bytes`: the size of the file. Returns the new one. Throws what system calls throw.
 *
 * Source: HDF5 File Format Specification 3.0, sections II.C and IV.A.1.b.
 */
export function rewriteHeaders(
  descriptor: number,
  bytes: number,
  datasets: readonly CompressedDataset[],
): number {
  let end = bytes
  for (const dataset of datasets) {
    const header = readHeader(descriptor, dataset.address)
    const block = blockOf(header, dataset)
    writeAt(descriptor, block, end)
    continueAt(descriptor, header, end, block.length)
    end += block.length
  }
  setEndOfFile(descriptor, end)
  return end
}

interface Header {
  readonly address: number
  /** The first block with its checksum, and where its messages begin. */
  readonly first: Buffer
  readonly from: number
  /** Bytes in front of the body of a message. */
  readonly prefixBytes: number
  readonly messages: readonly Message[]
}

interface Message {
  readonly type: number
  /** With type, length and flags in front. */
  readonly bytes: Buffer
}

function readHeader(descriptor: number, address: number): Header {
  const head = read(descriptor, address, 34)
  const flags = head.readUInt8(5)
  if (head.toString('latin1', 0, 4) !== 'OHDR' || head.readUInt8(4) !== 2)
    throw new Error(`the HDF5 library has written no header of version 2 at ${address}`)
  const sizeAt = 6 + (flags & HEADER_FLAGS.hasTimes ? 16 : 0) + (flags & HEADER_FLAGS.hasPhase ? 4 : 0)
  const sizeBytes = 1 << (flags & HEADER_FLAGS.sizeBits)
  const from = sizeAt + sizeBytes
  const first = read(descriptor, address, from + Number(uintAt(head, sizeAt, sizeBytes)) + CHECKSUM_BYTES)
  const prefixBytes = PREFIX_BYTES + (flags & HEADER_FLAGS.hasOrder ? NUMBER_BYTES : 0)
  const messages: Message[] = []
  const blocks = [first.subarray(from, -CHECKSUM_BYTES)]
  for (let block = blocks.shift(); block !== undefined; block = blocks.shift())
    for (let at = 0; at + prefixBytes <= block.length; ) {
      const type = block.readUInt8(at)
      const next = at + prefixBytes + block.readUInt16LE(at + 1)
      const message = block.subarray(at, next)
      if (type === MESSAGE.continuation) {
        const length = Number(message.readBigUInt64LE(prefixBytes + 8))
        const content = read(descriptor, Number(message.readBigUInt64LE(prefixBytes)), length)
        blocks.push(content.subarray(SIGNATURE_BYTES, -CHECKSUM_BYTES))
      } else if (type !== MESSAGE.nil) messages.push({ type, bytes: message })
      at = next
    }
  return { address, first, from, prefixBytes, messages }
}

/** A block with all messages of a header, as they are to be. */
function blockOf({ messages, prefixBytes }: Header, dataset: CompressedDataset): Buffer {
  const rewritten = messages.map(({ type, bytes }) => {
    if (type === MESSAGE.dataspace) return withBody(bytes, prefixBytes, dataspaceOf(dataset))
    if (type === MESSAGE.filters) return withBody(bytes, prefixBytes, filtersOf(dataset))
    return bytes
  })
  return withChecksum(Buffer.concat([Buffer.from('OCHK'), ...rewritten]))
}

/** Leaves a reference to the next block in the first one, and nothing else. */
function continueAt(descriptor: number, header: Header, position: number, length: number): void {
  const { address, first, from, prefixBytes } = header
  const messages = first.subarray(from, -CHECKSUM_BYTES).fill(0)
  messages.writeUInt8(MESSAGE.continuation)
  messages.writeUInt16LE(CONTINUATION_BYTES, 1)
  messages.writeBigUInt64LE(BigInt(position), prefixBytes)
  messages.writeBigUInt64LE(BigInt(length), prefixBytes + 8)
  // An empty message takes the rest. Less than the prefix of a message is a gap.
  const rest = messages.subarray(prefixBytes + CONTINUATION_BYTES)
  if (rest.length >= prefixBytes) rest.writeUInt16LE(rest.length - prefixBytes, 1)
  writeAt(descriptor, withChecksum(first.subarray(0, -CHECKSUM_BYTES)), address)
}

function setEndOfFile(descriptor: number, end: number): void {
  const superblock = read(descriptor, 0, SUPERBLOCK_BYTES)
  if (superblock.readUInt8(8) < 2)
    throw new Error('the HDF5 library has written a superblock without a checksum')
  superblock.writeBigUInt64LE(BigInt(end), END_OF_FILE_AT)
  writeAt(descriptor, withChecksum(superblock.subarray(0, -CHECKSUM_BYTES)), 0)
}

/** A dataspace of version 2 with greatest lengths: all ones if an axis can grow. */
function dataspaceOf({ shape, canGrow }: CompressedDataset): Buffer {
  const body = Buffer.alloc(4 + 16 * shape.length)
  body.set([2, shape.length, 1, 1])
  for (const [axis, length] of shape.entries()) {
    body.writeBigUInt64LE(BigInt(length), 4 + 8 * axis)
    const most = canGrow[axis] === true ? 2n ** 64n - 1n : BigInt(length)
    body.writeBigUInt64LE(most, 4 + 8 * (shape.length + axis))
  }
  return body
}

/** A pipeline of version 2: number, flags and one parameter of each filter. */
function filtersOf({ elementBytes, deflate }: CompressedDataset): Buffer {
  const filters = [
    [SHUFFLE, elementBytes],
    [DEFLATE, deflate],
  ] as const
  const body = Buffer.alloc(2 + 10 * filters.length)
  body.set([2, filters.length])
  for (const [index, [id, parameter]] of filters.entries()) {
    const at = 2 + 10 * index
    body.writeUInt16LE(id, at)
    body.writeUInt16LE(OPTIONAL, at + 2)
    body.writeUInt16LE(1, at + 4)
    body.writeUInt32LE(parameter, at + 6)
  }
  return body
}

/** A message with another body, under the same flags and number. */
function withBody(message: Buffer, prefixBytes: number, body: Buffer): Buffer {
  const prefix = Buffer.from(message.subarray(0, prefixBytes))
  prefix.writeUInt16LE(body.length, 1)
  return Buffer.concat([prefix, body])
}

function withChecksum(bytes: Buffer): Buffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(lookup3(view, bytes.length))
  return Buffer.concat([bytes, checksum])
}

function uintAt(buffer: Buffer, at: number, bytes: number): bigint {
  return bytes === 8 ? buffer.readBigUInt64LE(at) : BigInt(buffer.readUIntLE(at, bytes))
}

function read(descriptor: number, position: number, length: number): Buffer {
  const target = Buffer.alloc(length)
  readAt(descriptor, target, position)
  return target
}
