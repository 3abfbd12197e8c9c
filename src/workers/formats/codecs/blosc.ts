import { fault } from '../fault.ts'
import { decodeBloscLz } from './blosclz.ts'
import { type DecodeFilter, damaged } from './filter.ts'
import { decodeDeflate, decodeZstd } from './inflate.ts'
import { decodeLz4Block } from './lz4.ts'
import { unshuffle, unshuffleBits } from './shuffle.ts'
import { decodeSnappy } from './snappy.ts'

/** Decodes a stream to `output`. Returns the number of decoded bytes. */
type DecodeStream = (input: Uint8Array, output: Uint8Array) => number

/** Codecs by their numbers in the flags. 1 stands for LZ4HC too. */
const CODECS: readonly DecodeStream[] = [
  decodeBloscLz,
  decodeLz4Block,
  decodeSnappy,
  decodeByCopy(decodeDeflate),
  decodeByCopy(decodeZstd),
]

function decodeByCopy(decode: DecodeFilter): DecodeStream {
  return (input, output) => {
    const bytes = decode(input, { bytes: output.length, isExact: true }, [])
    output.set(bytes)
    return bytes.length
  }
}

const HEADER_BYTES = 16

/** Bits of the flags. The upper three are the number of the codec. */
const FLAGS = Object.freeze({ isShuffled: 0x01, isStored: 0x02, areBitsShuffled: 0x04, isOneStream: 0x10 })

/** A block is split into a stream for each byte of an element, up to so many, if each stream has at least so many bytes. */
const MAX_STREAMS = 16
const MIN_STREAM_BYTES = 128

/** The version that Blosc 1 writes. That of Blosc 2 is greater. */
const MAX_VERSION = 2

/** Filter 32001: Blosc 1. */
export const decodeBlosc: DecodeFilter = (stored, size) => {
  if (stored.length < HEADER_BYTES) throw damaged('Blosc')
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
  const version = view.getUint8(0)
  const flags = view.getUint8(2)
  const elementBytes = view.getUint8(3)
  const bytes = view.getUint32(4, true)
  const blockBytes = view.getUint32(8, true)
  if (version > MAX_VERSION)
    throw fault(`data compressed by Blosc have version ${version}, which is not read`)
  if (bytes > size.bytes || (blockBytes === 0 && bytes > 0)) throw damaged('Blosc')
  if ((flags & FLAGS.isStored) !== 0) return stored.subarray(HEADER_BYTES, HEADER_BYTES + bytes)
  const decode = CODECS[flags >>> 5]
  if (decode === undefined) throw fault(`codec ${flags >>> 5} of Blosc is not known`)
  const output = new Uint8Array(bytes)
  const areShuffled = (flags & FLAGS.isShuffled) !== 0 && elementBytes > 1
  const areBitsShuffled = (flags & FLAGS.areBitsShuffled) !== 0
  const scratch = areShuffled || areBitsShuffled ? new Uint8Array(Math.min(blockBytes, bytes)) : null
  for (let to = 0, number = 0; to < bytes; to += blockBytes, number++) {
    const block = output.subarray(to, to + blockBytes)
    const target = scratch?.subarray(0, block.length) ?? block
    const start = HEADER_BYTES + 4 * number
    if (start + 4 > stored.length) throw damaged('Blosc')
    const isWhole = block.length === blockBytes
    const isSplit =
      (flags & FLAGS.isOneStream) === 0 &&
      isWhole &&
      elementBytes <= MAX_STREAMS &&
      Math.floor(blockBytes / elementBytes) >= MIN_STREAM_BYTES
    decodeBlock(stored, view.getUint32(start, true), target, isSplit ? elementBytes : 1, decode)
    if (target === block) continue
    if (areShuffled) unshuffle(target, elementBytes, block)
    else unshuffleBits(target, elementBytes, block)
  }
  return output
}

/** Decodes the streams of a block, which begin at `from`, each behind its stored size. */
function decodeBlock(
  stored: Uint8Array,
  from: number,
  target: Uint8Array,
  streams: number,
  decode: DecodeStream,
): void {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
  const streamBytes = Math.floor(target.length / streams)
  if (streamBytes * streams !== target.length) throw damaged('Blosc')
  for (let stream = 0, at = from; stream < streams; stream++) {
    if (at + 4 > stored.length) throw damaged('Blosc')
    const length = view.getUint32(at, true)
    at += 4
    if (length > stored.length - at) throw damaged('Blosc')
    const input = stored.subarray(at, at + length)
    const output = target.subarray(stream * streamBytes, (stream + 1) * streamBytes)
    if (length === streamBytes) output.set(input)
    else if (decode(input, output) !== streamBytes) throw damaged('Blosc')
    at += length
  }
}
