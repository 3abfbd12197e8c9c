import type { RegisteredFilter } from '../../../../plan/task/filtered-bytes.ts'
import { lookup3 } from '../data/structures/checksum.ts'
import { MESSAGE } from '../data/structures/object-header.ts'

/** The name of the only dataset of such a file. */
export const ONLY_DATASET = '/d'

/** The bytes before those of the chunk, as far as they do not depend on the filters. */
const SUPERBLOCK_BYTES = 48
const GROUP_AT = SUPERBLOCK_BYTES

/** No address. */
const NONE = 2n ** 64n - 1n

/** Filters with smaller numbers have no name in a message of version 2. */
const FIRST_NAMED = 256

type Uint = readonly [value: number | bigint, bytes: number]

/**
 * An HDF5 file whose only dataset, of `bytes` bytes, is one chunk that has passed a filter and is stored as `stored`. The library
 * undoes filters of chunks in files only; with this one it need not open the file that the chunk is from.
 */
export function oneChunkFile(stored: Uint8Array, filter: RegisteredFilter, bytes: number): Uint8Array {
  const group = (dataset: number): Uint8Array =>
    objectHeader([
      message(MESSAGE.linkInfo, [0, 1], [0, 1], [NONE, 8], [NONE, 8]),
      message(MESSAGE.groupInfo, [0, 1], [0, 1]),
      message(MESSAGE.link, [1, 1], [0, 1], [1, 1], [ONLY_DATASET.charCodeAt(1), 1], [dataset, 8]),
    ])
  const dataset = (chunk: number): Uint8Array =>
    objectHeader([
      // One dimension.
      message(MESSAGE.dataspace, [2, 1], [1, 1], [0, 1], [1, 1], [bytes, 8]),
      // Unsigned integers of one byte and 8 bits.
      message(MESSAGE.datatype, [0x10, 1], [0, 1], [0, 2], [1, 4], [0, 2], [8, 2]),
      // None.
      message(MESSAGE.fill, [3, 1], [0x0b, 1]),
      layout(bytes, stored.length, chunk),
      pipeline(filter),
    ])
  const datasetAt = GROUP_AT + group(0).length
  const chunkAt = datasetAt + dataset(0).length
  const file = new Uint8Array(chunkAt + stored.length)
  file.set(superblock(file.length))
  file.set(group(datasetAt), GROUP_AT)
  file.set(dataset(chunkAt), datasetAt)
  file.set(stored, chunkAt)
  return file
}

function superblock(fileBytes: number): Uint8Array {
  const signature = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a)
  const rest = uints([2, 1], [8, 1], [8, 1], [0, 1], [0, 8], [NONE, 8], [fileBytes, 8], [GROUP_AT, 8])
  return appendChecksum(signature, rest)
}

/** An object header of version 2 in one piece. */
function objectHeader(messages: readonly Uint8Array[]): Uint8Array {
  const length = messages.reduce((sum, each) => sum + each.length, 0)
  return appendChecksum(Buffer.from('OHDR'), uints([2, 1], [2, 1], [length, 4]), ...messages)
}

function message(type: number, ...body: readonly Uint[]): Uint8Array {
  const bytes = uints(...body)
  return Buffer.concat([uints([type, 1], [bytes.length, 2], [0, 1]), bytes])
}

/** One chunk that has passed the filter. The last dimension is that of the bytes of an element. */
function layout(bytes: number, storedBytes: number, at: number): Uint8Array {
  // The library wants the fewest bytes that the longest dimension needs.
  const length = Math.max(1, Math.ceil(Math.log2(bytes + 1) / 8))
  const shape: readonly Uint[] = [
    [2, 1],
    [length, 1],
    [bytes, length],
    [1, length],
  ]
  return message(MESSAGE.layout, [4, 1], [2, 1], [2, 1], ...shape, [1, 1], [storedBytes, 8], [0, 4], [at, 8])
}

function pipeline({ id, values }: RegisteredFilter): Uint8Array {
  const name: readonly Uint[] = id < FIRST_NAMED ? [] : [[0, 2]]
  const each = values.map((value): Uint => [value, 4])
  return message(MESSAGE.filters, [2, 1], [1, 1], [id, 2], ...name, [0, 2], [values.length, 2], ...each)
}

function appendChecksum(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = Buffer.concat(parts)
  return Buffer.concat([
    bytes,
    uints([lookup3(new DataView(bytes.buffer, bytes.byteOffset), bytes.length), 4]),
  ])
}

/** Little-endian. */
function uints(...values: readonly Uint[]): Uint8Array {
  const target = Buffer.alloc(values.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of values) {
    if (bytes === 8) target.writeBigUInt64LE(BigInt(value), at)
    else target.writeUIntLE(Number(value), at, bytes)
    at += bytes
  }
  return target
}
