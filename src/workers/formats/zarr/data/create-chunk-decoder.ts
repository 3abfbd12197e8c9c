import { productOf } from '../../../../plan/product-of.ts'
import type { Core } from '../../../../wasm/core/core.ts'
import { type DecodedSize, mostCompressed } from '../../codecs/filter.ts'
import { fault } from '../../fault.ts'
import { show } from '../metadata/members.ts'
import type { Codec, CodecChain } from '../stored-zarr.ts'
import { type ArrayForm, bytesOf, elementBytesOf } from './array-form.ts'
import type { ChunkDecoder, ChunkInflater, ShardLayout } from './chunk-decoder.ts'
import type { ArrayCodec } from './codecs/array-codec.ts'
import { arrayCodecOf, swap } from './codecs/array-codecs.ts'
import type { ByteCodec } from './codecs/byte-codec.ts'
import { byteCodecOf } from './codecs/byte-codecs.ts'
import { plainName } from './codecs/codec-name.ts'
import { jsonTexts } from './codecs/json-texts.ts'
import { elementsOfShard } from './shards/elements-of-shard.ts'
import { shardLayout } from './shards/shard-layout.ts'

/** A codec that was applied, and the size of what it was applied to. */
interface Step {
  readonly name: string
  readonly codec: ByteCodec
  readonly before: DecodedSize
}

/**
 * The decoder of elements of a form. `fill` has the bytes of one that was never written. Throws `unreadable_file` for a codec that is not
 * read, or not with its configuration or for the elements.
 */
export function createChunkDecoder(
  { arrays, bytes, compression }: CodecChain,
  form: ArrayForm,
  fill: Uint8Array | null,
): ChunkDecoder {
  const arrayCodecs: ArrayCodec[] = []
  let encoded = form
  for (const each of arrays) {
    const codec = arrayCodecOf(each, encoded) ?? unknownCodec(each)
    arrayCodecs.push(codec)
    encoded = codec.encoded
  }
  const serializer = serializerOf(bytes, encoded, fill)
  const byteCodecs = compression.map((each) => ({
    name: each.name,
    codec: byteCodecOf(each) ?? unknownCodec(each),
  }))
  const chunkBytes = bytesOf(form)
  const isPlainBelow = serializer.isPlain && arrays.length === 0 && form.data.kind !== 'fixed'
  const needsSwap = serializer.isBigEndian && arrayCodecs.some(({ readsNumbers }) => readsNumbers)

  function stepsFor(mostBytes: number): { readonly steps: readonly Step[]; readonly stored: DecodedSize } {
    let before = serializer.sizeOf(mostBytes)
    const steps: Step[] = []
    for (const { name, codec } of byteCodecs) {
      steps.push({ name, codec, before })
      before =
        codec.added === null
          ? { bytes: mostCompressed(before.bytes), isExact: false }
          : { bytes: before.bytes + codec.added, isExact: before.isExact }
    }
    return { steps, stored: before }
  }

  return {
    form,
    chunkBytes,
    isBigEndian: serializer.isBigEndian && !needsSwap,
    isPlain: serializer.isPlain && arrays.length === 0 && compression.length === 0,
    shard: arrays.length === 0 && compression.length === 0 ? serializer.shard : null,
    storedSize: (mostBytes) => stepsFor(mostBytes).stored,
    decode(stored, mostBytes, core) {
      let elements = serializer.decode(undoSteps(stored, stepsFor(mostBytes).steps, core), core)
      const bytes = bytesOf(encoded)
      if (bytes !== null && elements.length !== bytes)
        throw fault(`it has ${elements.length} bytes and not ${bytes}`)
      if (needsSwap) elements = swap(elements, elementBytesOf(encoded.data) ?? 1)
      return arrayCodecs.reduceRight((each, codec) => codec.decode(each), elements)
    },
    inflater:
      isPlainBelow && chunkBytes !== null
        ? inflaterOf(chunkBytes, elementBytesOf(form.data) ?? 0, stepsFor(chunkBytes).steps)
        : null,
  }
}

/** Undoes steps in the core, which gives so many bytes of elements. Null: they are not undone there. */
function inflaterOf(bytes: number, elementBytes: number, steps: readonly Step[]): ChunkInflater | null {
  // What shuffles them first need not be undone: elements are found among shuffled ones too.
  const isShuffled = steps.length > 1 && elementBytes > 1 && steps[0]?.codec.shuffledBytes === elementBytes
  const [first, ...others] = steps.slice(isShuffled ? 1 : 0)
  if (first?.codec.inflate === undefined) return null
  const { inflate, takesStoredRoom = false } = first.codec
  return {
    inflate(core, stored, isPart) {
      const mayStay = isPart && !isShuffled ? elementBytes : 0
      const inflated = inflate(core, undoSteps(stored, others, core), bytes, mayStay)
      if (inflated?.length !== bytes) return null
      return isShuffled ? { ...inflated, isShuffled } : inflated
    },
    takesStoredRoom: takesStoredRoom && others.length === 0,
  }
}

function undoSteps(stored: Uint8Array, steps: readonly Step[], core: Core): Uint8Array {
  let bytes = stored
  for (const { name, codec, before } of steps.toReversed()) {
    bytes = codec.decode(bytes, before, core)
    const isSound = before.isExact ? bytes.length === before.bytes : bytes.length <= before.bytes
    if (!isSound) throw fault(`it has ${bytes.length} bytes and not ${before.bytes} without codec ${name}`)
  }
  return bytes
}

/** The codec that makes bytes of the array. */
interface Serializer {
  /** The bytes that it makes of elements of at most `mostBytes` bytes. */
  sizeOf(mostBytes: number): DecodedSize
  readonly isBigEndian: boolean
  readonly isPlain: boolean
  readonly shard: ShardLayout | null
  decode(bytes: Uint8Array, core: Core): Uint8Array
}

/** Makes the bytes of elements. Null: they have any number. */
function createCopy(size: DecodedSize | null): Serializer {
  return {
    sizeOf: (mostBytes) => size ?? { bytes: mostBytes, isExact: false },
    isBigEndian: false,
    isPlain: false,
    shard: null,
    decode: (stored) => stored,
  }
}

function mostBytesOfShard({ inner, counts, index }: ShardLayout): number {
  return productOf(counts) * inner.storedSize(inner.chunkBytes ?? 0).bytes + index.storedBytes
}

function serializerOf(codec: Codec, form: ArrayForm, fill: Uint8Array | null): Serializer {
  const { configuration } = codec
  const { data } = form
  switch (plainName(codec.name)) {
    case 'bytes': {
      const bytes = bytesOf(form)
      if (bytes === null) break
      const isBigEndian = isEndianBig(configuration, form)
      return { ...createCopy({ bytes, isExact: true }), isBigEndian, isPlain: true }
    }
    case 'vlen-utf8':
    case 'vlen-bytes':
      if (data.kind !== 'variable') break
      return createCopy(null)
    case 'json2':
      if (data.kind !== 'variable') break
      return { ...createCopy(null), decode: jsonTexts(codec, form.shape) }
    case 'sharding_indexed': {
      const shard = shardLayout(configuration, form, (codecs, each) => createChunkDecoder(codecs, each, fill))
      const { isBigEndian } = shard.inner
      const decode = (stored: Uint8Array, core: Core): Uint8Array =>
        wholeShard(stored, shard, form, fill, core)
      const size: DecodedSize = { bytes: mostBytesOfShard(shard), isExact: false }
      return { sizeOf: () => size, isBigEndian, isPlain: false, shard, decode }
    }
  }
  return unknownCodec(codec)
}

function wholeShard(
  stored: Uint8Array,
  layout: ShardLayout,
  form: ArrayForm,
  fill: Uint8Array | null,
  core: Core,
): Uint8Array {
  const { data } = form
  const elementBytes = elementBytesOf(data)
  if (elementBytes === null || data.kind === 'fixed')
    throw fault('its shards have text and were compressed or transposed as a whole, which is not read')
  const fillBytes = fill ?? new Uint8Array(elementBytes)
  const absent = layout.inner.isBigEndian ? fillBytes.toReversed() : fillBytes
  return elementsOfShard(stored, { layout, form, elementBytes, fill: absent }, core)
}

function isEndianBig({ endian }: Codec['configuration'], { data }: ArrayForm): boolean {
  if (endian === 'little' || endian === 'big') return endian === 'big'
  const isNeeded = data.kind === 'fixed' ? data.encoding === 'utf32' : elementBytesOf(data) !== 1
  if (isNeeded || endian !== undefined)
    throw fault(`its codec bytes has the endian ${show(endian)}, and not little or big`)
  return false
}

/** Throws `unreadable_file`. */
function unknownCodec({ name }: Codec): never {
  throw fault(
    `its chunks were made by the codec ${name}, which is not read for its elements; write them anew with another one, such as zstd`,
  )
}
