import { ServiceError } from '../../../../plan/errors.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { fault } from '../../fault.ts'
import { inflate } from '../../inflate.ts'
import type { ReadContext } from '../../provider.ts'
import { ALIGNMENT, type Archive, isSome, numberAt, openArchive, tagAt } from './archive.ts'

/** Where a block lies in the file. */
export interface Place {
  readonly offset: number
  readonly size: number
}

/** The root of a block, at its end, says how its payload is compressed. */
export const BLOCK_ROOT_BYTES = 64

/** Blocks lie behind the magic number of the file. */
export const MAGIC_BYTES = 4

/** The codecs in the order of their numbers. High compression of LZ4 gives the same blocks as the other. */
const CODECS = ['zstd', 'lz4', 'lz4'] as const

/** Where the payload of a block is in the file. */
interface Payload {
  readonly offset: number
  readonly length: number
  readonly codec: (typeof CODECS)[number] | null
  /** Its bytes when inflated. */
  readonly size: number
}

/** The place that a resolver names. Throws unless a block can be there. */
export function placeAt(archive: Archive, at: number, source: ByteSource): Place {
  const place = { offset: numberAt(archive, at), size: numberAt(archive, at + 8) }
  requirePlace(place, source)
  return place
}

function requirePlace({ offset, size }: Place, source: ByteSource): void {
  if (offset < MAGIC_BYTES || size < BLOCK_ROOT_BYTES || size > source.size - offset)
    throw fault(`a block of ${size} bytes at byte ${offset} of ${source.size}`)
}

/** The bytes of the inflated payload of a block. */
export function payloadBytes(source: ByteSource, place: Place): number {
  return payloadOf(source, place).size
}

/** Makes memory of at least so many bytes, which may hold anything. */
type Allocate = (bytes: number) => ArrayBuffer

const allocateOwn: Allocate = (bytes) => Buffer.allocUnsafeSlow(bytes).buffer

/**
 * The inflated payload of a block, an archive of its own, which has at most `mostBytes`. It lies at the beginning of its buffer, which may
 * be longer and is of `allocate` or new. Throws `memory_limit` if it would be larger.
 */
export function readPayload(
  source: ByteSource,
  place: Place,
  mostBytes: number,
  { core, stopwatch, checkCancelled }: Pick<ReadContext, 'core' | 'stopwatch' | 'checkCancelled'>,
  allocate: Allocate = allocateOwn,
): Uint8Array<ArrayBuffer> {
  const { offset, length, codec, size } = payloadOf(source, place)
  if (size > mostBytes)
    throw new ServiceError(
      'memory_limit',
      `a block of ${size} bytes at byte ${place.offset}, and at most ${mostBytes} are decoded; raise SERVICE_MAX_CHUNK_BYTES, or write smaller groups`,
    )
  // What follows relies on it: the payload is an archive of structs.
  if (size % ALIGNMENT !== 0) throw fault(`a block at byte ${place.offset} whose payload has ${size} bytes`)
  checkCancelled()
  if (codec === null) {
    const bytes = new Uint8Array(allocate(size), 0, size)
    source.readInto(offset, bytes)
    return bytes
  }
  const stored = source.read(offset, length)
  const inflated = stopwatch.time('inflate', () =>
    codec === 'lz4'
      ? new Uint8Array(core.inflateLz4Block(stored, size).copy(), 0, size)
      : atBeginning(inflate('zstd', stored, size, (bytes) => new Uint8Array(allocate(bytes)))),
  )
  source.release(stored)
  return inflated
}

/** The same bytes, or a copy of them that begins where its buffer does. */
function atBeginning(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes
  return buffer instanceof ArrayBuffer && byteOffset === 0 ? new Uint8Array(buffer, 0, length) : bytes.slice()
}

function payloadOf(source: ByteSource, { offset, size }: Place): Payload {
  // Positions in the root count from the beginning of the block, whose bytes are not all read here.
  const from = offset + size - BLOCK_ROOT_BYTES
  if (size % ALIGNMENT !== 0) throw fault(`a block of ${size} bytes at byte ${offset}`)
  const root = openArchive(source.read(from, BLOCK_ROOT_BYTES))
  const isRaw = tagAt(root, 0, 2, 'a block') === 1
  const bytes = bytesIn(root, isRaw ? 8 : 48, size - BLOCK_ROOT_BYTES)
  const stored = { offset: offset + bytes.offset, length: bytes.length }
  if (isRaw) return { ...stored, codec: null, size: stored.length }
  const number = tagAt(root, 8, CODECS.length, 'compression')
  if (number === 0 && isSome(root, 16)) throw fault('a block compressed with a dictionary')
  return { ...stored, codec: CODECS[number] ?? null, size: numberAt(root, 40) }
}

/** The bytes of a vector in the root of a block, which lie in the `before` bytes of the block before the root. */
function bytesIn(
  root: Archive,
  at: number,
  before: number,
): { readonly offset: number; readonly length: number } {
  const length = numberAt(root, at + 8)
  if (length === 0) return { offset: 0, length }
  const { view } = root
  const offset = before + at + view.getUint32(at, true) + 2 ** 32 * view.getInt32(at + 4, true)
  if (!(offset >= 0 && length <= before - offset))
    throw fault(`a block whose payload of ${length} bytes lies at byte ${offset} of ${before}`)
  return { offset, length }
}
