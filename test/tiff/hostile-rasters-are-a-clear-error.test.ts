import { readFileSync } from 'node:fs'
import t from 'tap'
import { isServiceError } from '../../src/plan/errors.ts'
import { samples } from '../formats/fixtures.ts'
import { generator } from '../support/generate.ts'
import { readCorners } from './open.ts'
import { type TagValue, writeTiff } from './write-tiff.ts'

/** Whether reading ends with values, or with an error that names the file: its message. Throws if it ends with another one. */
function reading(bytes: Uint8Array): string | null {
  try {
    readCorners(bytes)
    return null
  } catch (error) {
    const isClear =
      isServiceError(error) && (error.code === 'unreadable_file' || error.code === 'memory_limit')
    if (isClear && error.message.startsWith('"damaged.tif" cannot be read as TIFF')) return error.message
    throw error
  }
}

const SHAPE = {
  width: 20,
  height: 12,
  bits: 8,
  samples: [Array.from({ length: 240 }, (_, at) => BigInt(at))],
}

const long = (...values: number[]): TagValue => ({ kind: 'long', values })
const short = (...values: number[]): TagValue => ({ kind: 'short', values })

t.test('what does not fit together is named', async (t) => {
  const tile = [16, 16] as const
  for (const [message, options] of [
    [/tag 256 \(ImageWidth\) is 0/, { tags: { 256: long(0) } }],
    [/tag 322 \(TileWidth\) is 0/, { tile, tags: { 322: long(0) } }],
    [/tag 278 \(RowsPerStrip\) is 0/, { tags: { 278: long(0) } }],
    [/tag 258 \(BitsPerSample\) is 65,/, { tags: { 258: short(65) } }],
    [/tag 258 \(BitsPerSample\) is 24, and floats/, { tags: { 258: short(24), 339: short(3) } }],
    [/tag 258 \(BitsPerSample\) is 5, 6, 5/, { tags: { 258: short(5, 6, 5) } }],
    [/tag 339 \(SampleFormat\) is 6/, { tags: { 339: short(6) } }],
    [/tag 277 \(SamplesPerPixel\) is 0/, { tags: { 277: short(0) } }],
    [/has 1 values, and pixels have 65535 samples/, { tags: { 277: short(65_535) } }],
    [/tag 284 \(PlanarConfiguration\) is 3/, { tags: { 284: short(3) } }],
    [/tag 259 \(Compression\) is 6, which is not read/, { tags: { 259: short(6) } }],
    [/compression is JPEG, is damaged: samples of 16 bits/, { bits: 16, tags: { 259: short(7) } }],
    [/tag 530 \(YCbCrSubSampling\) is 2, 2/, { compression: 5, tags: { 262: short(6) } }],
    [/tag 317 \(Predictor\) is 3, with samples of 8 bits/, { compression: 5, tags: { 317: short(3) } }],
    [/tag 317 \(Predictor\) is 9/, { compression: 8, tags: { 317: short(9) } }],
    // A table of a thousand million tiles that are not there.
    [
      /has 2 values, and the image has 1000000000 tiles/,
      { tile, tags: { 256: long(16e5), 257: long(16e4) } },
    ],
    [/has a tile at 4000000000, and the file ends at/, { tags: { 273: long(4e9) }, compression: 5 }],
    [/tile 0 has 3 bytes, and not 240/, { tags: { 279: long(3) } }],
    [/tile 0 lies outside of the file/, { tags: { 279: long(1e6) }, compression: 8 }],
    [/SERVICE_MAX_CHUNK_BYTES/, { compression: 8, tags: { 256: long(4e9) } }],
    [
      /tile 0, whose compression is deflate, is damaged: it holds 240 bytes/,
      { compression: 8, tags: { 257: long(40), 278: long(40) } },
    ],
    [/tile 0 has 240 bytes, and not 4000000000/, { tags: { 256: long(4e8), 257: long(10), 278: long(10) } }],
  ] as const)
    t.match(reading(writeTiff({ ...SHAPE, ...options })), message)
})

t.test('a pixel that was changed in a compressed tile is noticed by the checksum of the tile', async (t) => {
  const samples = [Array.from({ length: 240 }, (_, at) => BigInt((at * 2_654_435_761) % 251))]
  const bytes = writeTiff({ ...SHAPE, samples, compression: 8 })
  // Noise, of which the compressor stores each byte.
  const at = bytes.indexOf(Uint8Array.from(samples[0]?.slice(100, 110) ?? [], Number))
  bytes[at] = (bytes[at] ?? 0) ^ 1
  t.match(reading(bytes), /tile 0, whose compression is deflate, is damaged: a wrong checksum of zlib data/)
})

t.test('only the first directory counts, wherever the next one should be', async (t) => {
  for (const isBig of [false, true]) {
    const bytes = writeTiff({ ...SHAPE, isBig })
    const first = isBig ? Number(bytes.readBigUInt64LE(8)) : bytes.readUInt32LE(4)
    for (const next of [first, 1, 2 ** 31]) {
      // The link is the last thing of the directory.
      if (isBig) bytes.writeBigUInt64LE(BigInt(next), bytes.length - 8)
      else bytes.writeUInt32LE(next, bytes.length - 8)
      t.equal(reading(bytes), null)
    }
  }
})

t.test('numbers of the header and the directory may be anything', async (t) => {
  for (const isBig of [false, true]) {
    const bytes = writeTiff({ ...SHAPE, isBig })
    const place = isBig ? Number(bytes.readBigUInt64LE(8)) : bytes.readUInt32LE(4)
    const values = [0n, 1n, 0x7fn, BigInt(bytes.length), 0xffff_ffffn, 2n ** 63n - 1n, 2n ** 64n - 1n]
    for (const value of values)
      for (let at = isBig ? 8 : 4; at + 8 <= bytes.length; at += at < place && at > 16 ? 32 : 2) {
        const damaged = Buffer.from(bytes)
        if (isBig) damaged.writeBigUInt64LE(value, at)
        else damaged.writeUInt32LE(Number(value & 0xffff_ffffn), at)
        reading(damaged)
      }
    t.equal(reading(bytes), null)
  }
})

t.test('any bits of a file may be wrong', async (t) => {
  for (const { name, location } of [...samples('tiff'), ...samples('tiff/jpeg')]) {
    const bytes = readFileSync(location)
    const random = generator(name)
    for (let round = 0; round < 24; round++) {
      const damaged = Buffer.from(bytes)
      for (let flips = 1 + random(4); flips > 0; flips--) {
        // Programs write the directory first, or last.
        const at = round % 3 === 0 ? random(bytes.length) : random(Math.min(bytes.length, 400))
        damaged[at] = round % 2 === 0 ? (random(2) === 0 ? 0xff : 0) : (damaged[at] ?? 0) ^ (1 << random(8))
      }
      // Bytes of elsewhere, such as an entry of the directory, or a code of a stream.
      if (round % 5 === 4)
        damaged.copy(damaged, random(bytes.length), random(bytes.length), random(bytes.length))
      reading(damaged)
    }
    for (let length = 0; length < bytes.length; length += 1 + random(400)) reading(bytes.subarray(0, length))
    t.equal(reading(bytes), null, name)
  }
})
