import { type CheckStored, type DecodedSize, damaged } from '../../../codecs/filter.ts'

/*
 * The library of HDF5 trusts these filters: it copies a chunk's bytes from what they return, also if that is shorter, and some read behind
 * their input. What the stored bytes say of their sizes is checked before it gets them.
 */

/** The most samples of a block of szip, which are an even number, of a line, and the bits that a sample may have. */
const SZIP_BLOCK = 32
const SZIP_LINE = 4096
const SZIP_BITS = { most: 24, also: [32, 64] } as const

/** Filter 4: the decoded size, and the stream. With other values than these the library does not return. */
export const checkSzip: CheckStored = (stored, size, values) => {
  const [, block = 0, bits = 0, line = 0] = values
  const isBlock = block >= 2 && block <= SZIP_BLOCK && block % 2 === 0
  const isSample = (bits >= 1 && bits <= SZIP_BITS.most) || SZIP_BITS.also.some((each) => each === bits)
  if (stored.length < 4 || !isBlock || !isSample || line < 1 || line > SZIP_LINE) throw damaged('szip')
  requireSize('szip', viewOf(stored).getUint32(0, true), size)
}

/** The number of bits of a value, the smallest value, and room for more. */
const SCALE_OFFSET_BYTES = 21

/** Filter 6: its values have the number of elements and their size. All elements are stored with the same number of bits. */
export const checkScaleOffset: CheckStored = (stored, size, values) => {
  const [, , elements = 0, , elementBytes = 0] = values
  if (stored.length < SCALE_OFFSET_BYTES) throw damaged('scaleoffset')
  requireSize('scaleoffset', elements * elementBytes, size)
  const bits = viewOf(stored).getUint32(0, true)
  const packed = Math.ceil((elements * bits) / 8)
  if (bits > 8 * elementBytes || SCALE_OFFSET_BYTES + packed > stored.length) throw damaged('scaleoffset')
}

/** In the values of filter 32008: what compresses the shuffled bits. */
const BITSHUFFLE_CODEC = Object.freeze({ none: 0, lz4: 2, zstd: 3 })

/** Elements are shuffled eight at a time. Up to seven last ones are stored as they are. */
const SHUFFLED_TOGETHER = 8

/** Filter 32008: the decoded size, that of a block, and the blocks, each behind its stored size. */
export const checkBitshuffle: CheckStored = (stored, size, values) => {
  const [, , elementBytes = 0, , codec = BITSHUFFLE_CODEC.none] = values
  if (elementBytes === 0) throw damaged('bitshuffle')
  if (codec === BITSHUFFLE_CODEC.none) return requireSize('bitshuffle', stored.length, size)
  const view = viewOf(stored)
  if (stored.length < 12) throw damaged('bitshuffle')
  requireSize('bitshuffle', Number(view.getBigUint64(0)), size)
  const elements = Number(view.getBigUint64(0)) / elementBytes
  const blockElements = view.getUint32(8) / elementBytes
  if (
    !Number.isInteger(elements) ||
    !Number.isInteger(blockElements) ||
    blockElements % SHUFFLED_TOGETHER !== 0
  )
    throw damaged('bitshuffle')
  const inBlocks = elements - (elements % SHUFFLED_TOGETHER)
  if (blockElements === 0 && inBlocks > 0) throw damaged('bitshuffle')
  let at = 12
  for (let element = 0; element < inBlocks; element += blockElements) {
    if (at + 4 > stored.length) throw damaged('bitshuffle')
    at += 4 + view.getUint32(at)
  }
  if (at + (elements - inBlocks) * elementBytes > stored.length) throw damaged('bitshuffle')
}

/** The magic number in the values of filter 32013: `zfp`, and the version of the codec. */
const ZFP = 0x05_70_66_7a
/** Bytes of an element by zfp's number for its type: integers and floats of 4 and of 8 bytes. */
const ZFP_TYPE_BYTES = [4, 8, 4, 8] as const
/** How many bits a length has by the number of dimensions. It is stored less one. */
const ZFP_LENGTH_BITS = [48n, 24n, 16n, 12n] as const

/** Filter 32013: its values have a version, and zfp's header of 96 bits, with the type and the shape. The stream has no size. */
export const checkZfp: CheckStored = (_stored, size, values) => {
  const [, magic, ...words] = values
  if (magic !== ZFP || words.length < 2) throw damaged('zfp')
  let header = words.slice(0, 2).reduceRight((bits, word) => (bits << 32n) | BigInt(word), 0n)
  const take = (bits: bigint): number => {
    const value = Number(header & ((1n << bits) - 1n))
    header >>= bits
    return value
  }
  let bytes = ZFP_TYPE_BYTES[take(2n)] ?? 0
  const rank = take(2n) + 1
  for (let axis = 0; axis < rank; axis++) bytes *= take(ZFP_LENGTH_BITS[rank - 1] ?? 48n) + 1
  requireSize('zfp', bytes, size)
}

/** Where the header of a frame has the bytes of the frame and those of its data. Both have 8 bytes. */
const FRAME = Object.freeze({ frameBytes: 16, dataBytes: 30, end: 38 })
const FRAME_BEGIN = '\x9e\xa8b2frame\0'

/** Blocks of Blosc 2 have padding. */
const PADDED_TIMES = 16

/** Filter 32026: a frame of Blosc 2. */
export const checkBlosc2: CheckStored = (stored, size) => {
  const begin = String.fromCharCode(...stored.subarray(0, FRAME_BEGIN.length))
  if (stored.length < FRAME.end || begin !== FRAME_BEGIN) throw damaged('Blosc 2')
  const view = viewOf(stored)
  const dataBytes = Number(view.getBigUint64(FRAME.dataBytes))
  if (Number(view.getBigUint64(FRAME.frameBytes)) !== stored.length) throw damaged('Blosc 2')
  if (size.isExact && dataBytes < size.bytes) requireSize('Blosc 2', dataBytes, size)
  if (dataBytes > PADDED_TIMES * size.bytes) requireSize('Blosc 2', dataBytes, size)
}

function requireSize(codec: string, actualBytes: number, { bytes, isExact }: DecodedSize): void {
  if (isExact ? actualBytes !== bytes : !(actualBytes <= bytes))
    throw damaged(codec, `they say they have ${actualBytes} bytes and not ${bytes}`)
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length)
}
