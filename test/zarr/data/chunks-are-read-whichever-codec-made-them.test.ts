import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import type { Box } from '../../../src/workers/formats/arrays/array-file.ts'
import type { Codec, ZarrArray } from '../../../src/workers/formats/zarr/stored-zarr.ts'
import { elementsInBox } from '../../arrays/slab-elements.ts'
import { memoryObjects } from '../../formats/objects.ts'
import { fc } from '../../support/generate.ts'
import { crc32c } from '../shard.ts'
import { cutToChunks, madeArray, readBox, wholeOf } from './made-array.ts'

/** What writes a codec. Those of Blosc store the data behind its header as they are. */
const CODECS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  zstd: (bytes) => zstdCompressSync(bytes),
  gzip: (bytes) => gzipSync(bytes),
  'numcodecs.zlib': (bytes) => deflateSync(bytes),
  blosc: (bytes) => {
    const header = Buffer.from([2, 1, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    header.writeUInt32LE(bytes.length, 4)
    header.writeUInt32LE(Math.max(1, bytes.length), 8)
    header.writeUInt32LE(bytes.length + header.length, 12)
    return Buffer.concat([header, bytes])
  },
}

const AXIS = fc.record({
  size: fc.integer({ min: 1, max: 9 }),
  chunk: fc.integer({ min: 1, max: 5 }),
  from: fc.nat(8),
  extent: fc.nat(9),
})

const STORED = fc.record({
  axes: fc.array(AXIS, { maxLength: 3 }),
  codecs: fc.array(fc.constantFrom(...Object.keys(CODECS)), { maxLength: 2 }),
  endian: fc.constantFrom('little', 'big'),
  isThere: fc.func(fc.boolean()),
  fill: fc.option(fc.nat(65_535)),
})

t.test('numbers of a box are those that were written, or the fill value', async (t) => {
  fc.assert(
    fc.property(STORED, ({ axes, codecs, endian, isThere, fill }) => {
      const [shape, chunk] = [axes.map(({ size }) => size), axes.map((axis) => axis.chunk)]
      const count = shape.reduce((product, size) => product * size, 1)
      const written = Array.from({ length: count }, (_, at) => 7 * at + 1)
      const filled = written.slice()
      const objects = new Map<string, Uint8Array>()
      for (const [key, numbers] of cutToChunks(written, shape, chunk, 0)) {
        if (isThere(key)) {
          const bytes = Buffer.alloc(2 * numbers.length)
          for (const [at, number] of numbers.entries())
            if (endian === 'big') bytes.writeUInt16BE(number, 2 * at)
            else bytes.writeUInt16LE(number, 2 * at)
          const encode = (all: Buffer, name: string): Buffer => CODECS[name]?.(all) ?? all
          objects.set(key, codecs.reduce(encode, bytes))
        } else for (const number of numbers) if (number !== 0) filled[written.indexOf(number)] = fill ?? 0
      }
      const store = memoryObjects(new Map([['zarr.json', Buffer.alloc(0)], ...objects]))
      const array = madeArray(shape, chunk, {
        codecs: {
          arrays: [],
          bytes: { name: 'bytes', configuration: { endian } },
          compression: codecs.map((name) => ({ name, configuration: {} })),
        },
        fill: fill === null ? null : Buffer.from(Uint16Array.of(fill).buffer),
      })
      const expected = filled.map((number) => Buffer.from(Uint16Array.of(number).buffer))
      t.strictSame(readBox(store, array), expected)
      const box = boxOf(axes)
      t.strictSame(readBox(store, array, box), elementsInBox(expected, shape, box))
    }),
  )
})

function boxOf(axes: readonly { size: number; from: number; extent: number }[]): Box {
  const origin = axes.map(({ size, from }) => Math.min(from, size))
  const extent = axes.map((axis, at) => Math.min(axis.extent, axis.size - (origin[at] ?? 0)))
  return { origin, extent }
}

function compressed(codec: Codec): ZarrArray {
  const { codecs } = madeArray([4], [4])
  return madeArray([4], [4], { codecs: { ...codecs, compression: [codec] } })
}

t.test('a byte short, a byte long and other sizes are errors that name array and chunk', async (t) => {
  const bytes = Buffer.from('abcdefgh')
  const plain = madeArray([4], [4])
  const key = 'group/values/c/0'
  const read = (array: ZarrArray, object: Uint8Array): unknown =>
    readBox(
      memoryObjects(
        new Map([
          ['zarr.json', object],
          [key, object],
        ]),
      ),
      array,
      wholeOf([4]),
    )
  const error = { code: 'unreadable_file', message: /^"group\/values", "group\/values\/c\/0": / }
  for (const object of [bytes.subarray(1), Buffer.concat([bytes, bytes]), Buffer.alloc(0)])
    t.throws(() => read(plain, object), error, 'plain')
  for (const [name, encode] of Object.entries(CODECS)) {
    const array = compressed({ name, configuration: {} })
    const good = encode(bytes)
    t.equal(`${read(array, good)}`, 'ab,cd,ef,gh')
    const faulty = {
      'a byte short': good.subarray(0, -1),
      'a byte long': Buffer.concat([good, Buffer.alloc(1)]),
      nothing: Buffer.alloc(0),
      'elements short': encode(bytes.subarray(2)),
      'an element long': encode(Buffer.concat([bytes, Buffer.from('ij')])),
      'a bomb': encode(Buffer.alloc(1 << 20)),
    }
    for (const [what, object] of Object.entries(faulty))
      t.throws(() => read(array, object), error, `${name}: ${what}`)
  }
})

t.test('a codec that is not read is named, with its array', async (t) => {
  const store = memoryObjects(new Map([['zarr.json', Buffer.alloc(0)]]))
  const array = compressed({ name: 'numcodecs.bz2', configuration: {} })
  t.throws(() => readBox(store, array), {
    code: 'unreadable_file',
    message: /^"group\/values": .*the codec numcodecs\.bz2/,
  })
})

t.test('checksums are verified, and configurations are checked', async (t) => {
  const key = 'group/values/c/0'
  const read = (codec: Codec, chunk: Uint8Array): string =>
    `${readBox(
      memoryObjects(
        new Map([
          ['zarr.json', chunk],
          [key, chunk],
        ]),
      ),
      compressed(codec),
    )}`
  const bytes = Buffer.from('abcdefgh')
  const checked = Buffer.concat([bytes, Buffer.from(Uint32Array.of(crc32c(bytes)).buffer)])
  const codec: Codec = { name: 'crc32c', configuration: {} }
  t.equal(read(codec, checked), 'ab,cd,ef,gh')
  for (let at = 0; at < checked.length; at++) {
    const flipped = Buffer.from(checked)
    flipped[at] = (flipped[at] ?? 0) ^ 4
    t.throws(() => read(codec, flipped), { code: 'unreadable_file', message: /checksum/ }, `byte ${at}`)
  }
  const shuffled = Buffer.from('acegbdfh')
  const shuffle = (elementsize: unknown): Codec => ({
    name: 'numcodecs.shuffle',
    configuration: { elementsize },
  })
  t.equal(read(shuffle(2), shuffled), 'ab,cd,ef,gh')
  for (const wrong of [0, -1, 2.5, '2', 1e9, null])
    t.throws(
      () => read(shuffle(wrong), shuffled),
      { code: 'unreadable_file', message: /elementsize/ },
      `${wrong}`,
    )
  const inFront: Codec = { name: 'numcodecs.crc32c', configuration: { location: 'start' } }
  t.throws(() => read(inFront, checked), { code: 'unreadable_file', message: /location "start"/ })
})
