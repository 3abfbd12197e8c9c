import { decodeBlosc } from '../../../codecs/blosc.ts'
import { type DecodedSize, damaged } from '../../../codecs/filter.ts'
import { checkFletcher32 } from '../../../codecs/fletcher32.ts'
import { inflateAll } from '../../../codecs/inflate.ts'
import { decodeLz4Block } from '../../../codecs/lz4.ts'
import { unshuffle } from '../../../codecs/shuffle.ts'
import { fault } from '../../../fault.ts'
import { show } from '../../metadata/members.ts'
import type { Codec } from '../../stored-zarr.ts'
import type { ByteCodec } from './byte-codec.ts'
import { plainName } from './codec-name.ts'
import { CRC32C } from './crc32c.ts'

function createCompression(decode: ByteCodec['decode']): () => ByteCodec {
  const codec: ByteCodec = Object.freeze({ added: null, decode })
  return () => codec
}

/** Codecs by their names. The level and the like in a configuration were of use to the writer alone. */
const CODECS: ReadonlyMap<string, (configuration: Codec['configuration']) => ByteCodec> = new Map([
  ['zstd', createCompression((stored, before) => inflateAll('zstd', stored, before))],
  ['gzip', createCompression((stored, before) => inflateAll('gzip', stored, before))],
  ['zlib', createCompression((stored, before) => inflateAll('deflate', stored, before))],
  ['blosc', createCompression(decodeBloscFrame)],
  ['lz4', createCompression(decodeLz4)],
  ['shuffle', shuffle],
  ['crc32c', crc32c],
  ['fletcher32', () => ({ added: 4, decode: (stored, before) => checkFletcher32(stored, before, []) })],
])

/** Undefined: bytes that the codec made are not read. Throws `unreadable_file` for a configuration that is not read. */
export function byteCodecOf({ name, configuration }: Codec): ByteCodec | undefined {
  return CODECS.get(plainName(name))?.(configuration)
}

/** Where the header of Blosc has the number of all compressed bytes, the header's among them, and the end of the header. */
const BLOSC = Object.freeze({ bytesAt: 12, headerBytes: 16 })

function decodeBloscFrame(stored: Uint8Array, before: DecodedSize): Uint8Array {
  if (stored.length < BLOSC.headerBytes || viewOf(stored).getUint32(BLOSC.bytesAt, true) !== stored.length)
    throw damaged('Blosc')
  return decodeBlosc(stored, before, [])
}

/** A block of LZ4 behind the size of its data. */
function decodeLz4(stored: Uint8Array, { bytes }: DecodedSize): Uint8Array {
  if (stored.length < 4) throw damaged('LZ4')
  const size = viewOf(stored).getUint32(0, true)
  if (size > bytes) throw damaged('LZ4')
  const output = new Uint8Array(size)
  if (decodeLz4Block(stored.subarray(4), output) !== size) throw damaged('LZ4')
  return output
}

/** numcodecs can write the checksum in front of the bytes too, which no store of version 3 has. */
function crc32c({ location = 'end' }: Codec['configuration']): ByteCodec {
  if (location === 'end') return CRC32C
  throw fault(`its codec crc32c has the location ${show(location)}, and only a checksum at the end is read`)
}

/** The number of bytes that are shuffled together if the configuration does not say it, and the most. */
const SHUFFLED_BYTES = 4
const MOST_SHUFFLED_BYTES = 1 << 16

function shuffle({ elementsize: elementBytes = SHUFFLED_BYTES }: Codec['configuration']): ByteCodec {
  const isSize = typeof elementBytes === 'number' && Number.isInteger(elementBytes)
  if (!isSize || elementBytes < 1 || elementBytes > MOST_SHUFFLED_BYTES)
    throw fault(`its codec shuffle has the elementsize ${show(elementBytes)}`)
  return {
    added: 0,
    decode(stored) {
      const target = new Uint8Array(stored.length)
      unshuffle(stored, elementBytes, target)
      return target
    },
  }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length)
}
