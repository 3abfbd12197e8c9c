import type { InflatedBytes } from '../../../../../wasm/core/boxes/box-column.ts'
import type { Core } from '../../../../../wasm/core/core.ts'
import { damaged } from '../../../codecs/filter.ts'
import { checkFletcher32 } from '../../../codecs/fletcher32.ts'
import {
  copyOut,
  type InflateInCore,
  inflateBlosc,
  inflateGzip,
  inflateLz4Block,
  inflateZstd,
} from '../../../codecs/in-core.ts'
import { inflateAll } from '../../../codecs/inflate.ts'
import { fault } from '../../../fault.ts'
import { show } from '../../metadata/members.ts'
import type { Codec } from '../../stored-zarr.ts'
import type { ByteCodec } from './byte-codec.ts'
import { plainName } from './codec-name.ts'
import { CRC32C } from './crc32c.ts'

function createCompression(codec: Omit<ByteCodec, 'added'>): () => ByteCodec {
  const compression: ByteCodec = Object.freeze({ added: null, ...codec })
  return () => compression
}

/** A codec that the core undoes. */
function inCore(inflate: InflateInCore): Omit<ByteCodec, 'added'> {
  return { decode: copyOut(inflate), inflate, takesStoredRoom: true }
}

type CreateCodec = (configuration: Codec['configuration']) => ByteCodec

/** Codecs by their names. The level and the like in a configuration were of use to the writer alone. */
const CODECS: ReadonlyMap<string, CreateCodec> = new Map<string, CreateCodec>([
  [
    'zstd',
    createCompression({
      decode: (stored, before) => inflateAll('zstd', stored, before),
      inflate: inflateZstd,
    }),
  ],
  [
    'gzip',
    createCompression({
      decode: (stored, before) => inflateAll('gzip', stored, before),
      inflate: inflateGzip,
    }),
  ],
  ['zlib', createCompression({ decode: (stored, before) => inflateAll('deflate', stored, before) })],
  ['blosc', createCompression(inCore(inflateBloscFrame))],
  ['lz4', createCompression(inCore(inflateLz4))],
  ['shuffle', shuffle],
  ['crc32c', crc32c],
  ['fletcher32', () => ({ added: 4, decode: checkFletcher32 })],
])

/** Undefined: bytes that the codec made are not read. Throws `unreadable_file` for a configuration that is not read. */
export function byteCodecOf({ name, configuration }: Codec): ByteCodec | undefined {
  return CODECS.get(plainName(name))?.(configuration)
}

/** Where the header of Blosc has the number of all compressed bytes, the header's among them, and the end of the header. */
const BLOSC = Object.freeze({ bytesAt: 12, headerBytes: 16 })

function inflateBloscFrame(
  core: Core,
  stored: Uint8Array,
  bytes: number,
  elementBytes: number,
): InflatedBytes {
  if (stored.length < BLOSC.headerBytes || viewOf(stored).getUint32(BLOSC.bytesAt, true) !== stored.length)
    throw damaged('Blosc')
  return inflateBlosc(core, stored, bytes, elementBytes)
}

/** A block of LZ4 behind the size of its data. */
function inflateLz4(core: Core, stored: Uint8Array, bytes: number): InflatedBytes {
  if (stored.length < 4) throw damaged('LZ4')
  const size = viewOf(stored).getUint32(0, true)
  if (size > bytes) throw damaged('LZ4')
  return inflateLz4Block(core, stored.subarray(4), size, 0)
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
  const inflate: InflateInCore = (core, stored) => core.unshuffle(stored, elementBytes)
  return { added: 0, ...inCore(inflate), shuffledBytes: elementBytes }
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length)
}
