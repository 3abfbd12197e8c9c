import { zstdCompressSync } from 'node:zlib'
import t from 'tap'
import type { Codec, CodecChain, ZarrArray } from '../../../src/workers/formats/zarr/stored-zarr.ts'
import type { ByteSource } from '../../../src/workers/store/byte-source.ts'
import type { Store } from '../../../src/workers/store/store.ts'
import { elementsInBox } from '../../arrays/slab-elements.ts'
import { memoryObjects, type Objects } from '../../formats/objects.ts'
import { fc } from '../../support/generate.ts'
import { cellsOfChunk, indices } from '../cells-of-chunk.ts'
import { shardOf } from '../shard.ts'
import { madeArray, readBox } from './made-array.ts'

const LITTLE: Codec = { name: 'bytes', configuration: { endian: 'little' } }
const CRC32C: Codec = { name: 'crc32c', configuration: {} }
const ZSTD: Codec = { name: 'zstd', configuration: {} }
const GZIP_INDEX: Codec = { name: 'gzip', configuration: {} }

function shardOfCodecs(
  chunk: readonly number[],
  codecs: readonly Codec[],
  other: Readonly<Record<string, unknown>> = {},
): Codec {
  const configuration = { chunk_shape: chunk, codecs, index_codecs: [LITTLE, CRC32C], ...other }
  return { name: 'sharding_indexed', configuration }
}

function inShards(
  shape: readonly number[],
  perShard: number,
  chunk: readonly number[],
  bytes: Codec,
): ZarrArray {
  const codecs: CodecChain = { arrays: [], bytes, compression: [] }
  return madeArray(shape, chunk, { codecs, objectShape: chunk.map((size) => size * perShard) })
}

const AXIS = fc.record({
  size: fc.integer({ min: 1, max: 9 }),
  chunk: fc.integer({ min: 1, max: 3 }),
  from: fc.nat(8),
  extent: fc.nat(9),
})

const STORED = fc.record({
  axes: fc.array(AXIS, { minLength: 1, maxLength: 3 }),
  perShard: fc.integer({ min: 1, max: 3 }),
  isThere: fc.func(fc.boolean()),
  isCompressed: fc.boolean(),
  isNested: fc.boolean(),
  indexLocation: fc.constantFrom('start' as const, 'end' as const),
})

t.test('shards, also shards of shards, have the elements of plain chunks', async (t) => {
  fc.assert(
    fc.property(STORED, ({ axes, perShard, isThere, isCompressed, isNested, indexLocation }) => {
      const [shape, chunk] = [axes.map(({ size }) => size), axes.map((axis) => axis.chunk)]
      const values = Int16Array.from(
        { length: shape.reduce((product, size) => product * size, 1) },
        (_, at) => at + 1,
      )
      const encode = (index: readonly number[]): Uint8Array | null => {
        const isOutside = index.some((each, axis) => each * (chunk[axis] ?? 1) >= (shape[axis] ?? 1))
        if (isOutside || !isThere(`${index}`)) return null
        const cells = cellsOfChunk({ shape, chunk, values }, index, {})
        return isCompressed ? zstdCompressSync(cells) : cells
      }
      const inner = (index: readonly number[]): Uint8Array | null =>
        isNested ? shardOf(index, perShard, encode, { indexLocation }) : encode(index)
      const [shards, plain] = [new Map<string, Uint8Array>(), new Map<string, Uint8Array>()]
      for (const index of indices(shape)) {
        const shard = shardOf(index, perShard, inner, { indexLocation })
        if (shard !== null) shards.set(['group/values/c', ...index].join('/'), shard)
        const bytes = encode(index)
        if (bytes !== null) plain.set(['group/values/c', ...index].join('/'), bytes)
      }
      const codecs = isCompressed ? [LITTLE, ZSTD] : [LITTLE]
      const where = { index_location: indexLocation }
      const single = shardOfCodecs(chunk, codecs, where)
      const wide = chunk.map((size) => size * perShard)
      const bytes = isNested ? shardOfCodecs(wide, [single], where) : single
      const sharded = inShards(shape, isNested ? perShard * perShard : perShard, chunk, bytes)
      const twin = madeArray(shape, chunk, {
        codecs: { arrays: [], bytes: LITTLE, compression: isCompressed ? [ZSTD] : [] },
      })
      const expected = readBox(storeOf(plain), twin)
      t.strictSame(readBox(storeOf(shards), sharded), expected)
      const origin = axes.map(({ size, from }) => Math.min(from, size))
      const extent = axes.map(({ size, extent }, axis) => Math.min(extent, size - (origin[axis] ?? 0)))
      const box = { origin, extent }
      t.strictSame(readBox(storeOf(shards), sharded, box), elementsInBox(expected, shape, box))
      const whole: CodecChain = { arrays: [], bytes, compression: [ZSTD] }
      const compressed = new Map([...shards].map(([key, shard]) => [key, zstdCompressSync(shard)]))
      t.strictSame(
        readBox(storeOf(compressed), { ...sharded, codecs: whole }),
        expected,
        'compressed as a whole',
      )
    }),
    { numRuns: 60 },
  )
})

function storeOf(objects: Objects): Store {
  return memoryObjects(new Map([['zarr.json', Buffer.alloc(0)], ...objects]))
}

/** The same store, which tells what is read. */
function watched(store: Store, reads: string[]): Store {
  const sources = new Map<string, ByteSource>()
  return {
    ...store,
    open(key) {
      const source = store.open(key)
      if (source === null) return null
      const known = sources.get(key) ?? {
        ...source,
        size: source.size,
        read(offset, length) {
          reads.push(`${offset}+${length}`)
          return source.read(offset, length)
        },
        readInto(offset, target) {
          reads.push(`${offset}+${target.length}`)
          source.readInto(offset, target)
        },
      }
      sources.set(key, known)
      return known
    },
  }
}

t.test('an index is read once, and chunks that lie close to each other are one read', async (t) => {
  // Chunks of 40 000 bytes: the second one behind the next lies more than 64 KiB away.
  const chunk = [20_000]
  const encode = ([at = 0]: readonly number[]): Uint8Array =>
    Buffer.from(Uint16Array.from({ length: 20_000 }, () => at).buffer)
  const shard = shardOf([0], 8, encode, {}) ?? Buffer.alloc(0)
  const array = inShards([160_000], 8, chunk, shardOfCodecs(chunk, [LITTLE, CRC32C].slice(0, 1)))
  const reads: string[] = []
  const store = watched(storeOf(new Map([['group/values/c/0', shard]])), reads)
  readBox(store, array, { origin: [20_000], extent: [1] })
  t.strictSame(reads.splice(0), ['320000+132', '40000+40000'], 'the index, and the chunk')
  readBox(store, array, { origin: [39_999], extent: [2] })
  t.strictSame(reads.splice(0), ['40000+80000'], 'two chunks')
})

t.test('damaged shards are errors that name array and object', async (t) => {
  const chunk = [4]
  const encode = (): Uint8Array => zstdCompressSync(Buffer.from('abcdefgh'))
  const good = shardOf([0], 2, encode, {}) ?? Buffer.alloc(0)
  const array = inShards([8], 2, chunk, shardOfCodecs(chunk, [LITTLE, ZSTD]))
  // Each time as a store that was opened anew: the objects of a memory have one version.
  const read = (object: Uint8Array, other = array): unknown =>
    readBox(storeOf(new Map([['group/values/c/0', object]])), { ...other })
  t.equal(`${read(good)}`, 'ab,cd,ef,gh,ab,cd,ef,gh')
  const error = { code: 'unreadable_file', message: /^"group\/values", "group\/values\/c\/0": / }
  for (let at = 0; at < good.length; at++) t.throws(() => read(good.subarray(0, at)), error, `${at} bytes`)
  t.throws(() => read(Buffer.concat([good, Buffer.alloc(1)])), error, 'a byte long')
  for (let at = good.length - 36; at < good.length; at++) {
    const flipped = Buffer.from(good)
    flipped[at] = (flipped[at] ?? 0) ^ 1
    t.throws(() => read(flipped), error, `byte ${at} of the index`)
  }
  const unchecked = inShards([8], 2, chunk, shardOfCodecs(chunk, [LITTLE, ZSTD], { index_codecs: [LITTLE] }))
  for (const [from, length] of [
    [1n << 60n, 8n],
    [0n, 1n << 60n],
    [2n ** 64n - 1n, 2n],
    [8n, 2n ** 64n - 1n],
  ]) {
    const index = Buffer.alloc(32)
    index.writeBigUInt64LE(from ?? 0n, 0)
    index.writeBigUInt64LE(length ?? 0n, 8)
    t.throws(
      () => read(Buffer.concat([good.subarray(0, -36), index]), unchecked),
      error,
      `${length} at ${from}`,
    )
  }
})

t.test('configurations of shards that are not read say why', async (t) => {
  const store = storeOf(new Map())
  const chunk = [4]
  const of = (codec: Codec): ZarrArray => inShards([8], 2, chunk, codec)
  for (const [codec, message] of [
    [shardOfCodecs([3], [LITTLE]), /must divide/],
    [shardOfCodecs([4, 4], [LITTLE]), /must divide/],
    [shardOfCodecs([0], [LITTLE]), /whole numbers/],
    [shardOfCodecs(chunk, [LITTLE], { index_location: 'middle' }), /"middle"/],
    [shardOfCodecs(chunk, [LITTLE], { index_codecs: [LITTLE, GZIP_INDEX] }), /compressed/],
    [shardOfCodecs(chunk, [LITTLE, { name: 'numcodecs.bz2', configuration: {} }]), /codec numcodecs\.bz2/],
  ] as const)
    t.throws(() => readBox(store, of(codec)), { code: 'unreadable_file', message })
})
