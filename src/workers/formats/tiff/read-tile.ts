import { isServiceError } from '../../../plan/errors.ts'
import type { InflatedBytes } from '../../../wasm/core/boxes/box-column.ts'
import type { ByteSource } from '../../store/byte-source.ts'
import { onlyObject, type Store } from '../../store/store.ts'
import { requireChunkBytes } from '../arrays/chunk-bytes.ts'
import { mostCompressed } from '../codecs/filter.ts'
import { fault } from '../fault.ts'
import type { ReadContext } from '../provider.ts'
import { compressionOf } from './compressions.ts'
import type { Image } from './image.ts'
import { tileForm } from './tile-form.ts'
import type { StoredTile } from './tile-table.ts'

/** The values of a tile, which follow each other in C order. */
export interface DecodedTile {
  readonly bytes: Uint8Array | InflatedBytes
  readonly isBigEndian: boolean
}

/** Larger tiles are copied out of the core even if they are needed once, whose memory never shrinks. */
const MOST_IN_CORE = 16 << 20

/**
 * Decodes the first `rows` rows of a tile. It is cached unless only this unit needs it (`isReadOnce`) and caches are off. Throws
 * `unreadable_file`, and `memory_limit` for a tile that has more bytes than one may have.
 */
export function readTile(
  store: Store,
  image: Image,
  tile: StoredTile,
  rows: number,
  isReadOnce: boolean,
  context: ReadContext,
): DecodedTile {
  const { chunks, stopwatch } = context
  const form = tileForm(image)
  requireChunkBytes(image.tileHeight * Math.max(form.rowBytes, form.storedRowBytes), chunks)
  const source = onlyObject(store)
  const length = rows * form.rowBytes
  const decode = (): InflatedBytes => {
    const stored = readStored(source, image, tile)
    const bytes = stopwatch.time('inflate', () => decodeTile(stored, image, tile, rows, context))
    source.release(stored)
    return bytes
  }
  const { isBigEndian } = image
  if (isReadOnce && length <= MOST_IN_CORE && !chunks.isShared(store, source.version)) {
    stopwatch.count('chunkMisses')
    return { bytes: decode(), isBigEndian }
  }
  const buffer = chunks.get(store, `${tile.index}`, source.version, () => decode().copy())
  return { bytes: new Uint8Array(buffer, 0, length), isBigEndian }
}

/** The stored bytes of a tile. Behind as many as a compressor may make of it there is nothing that belongs to it. */
function readStored(source: ByteSource, image: Image, { index, place, bytes }: StoredTile): Uint8Array {
  const most = 2 * mostCompressed(image.tileHeight * tileForm(image).storedRowBytes)
  if (bytes === null) throw fault(`tile ${index} has no number of bytes`)
  if (place + bytes > source.size)
    throw fault(`tile ${index} lies outside of the file, at ${place} with ${bytes} bytes`)
  return source.read(place, Math.min(bytes, most))
}

function decodeTile(
  stored: Uint8Array,
  image: Image,
  { index }: StoredTile,
  rows: number,
  { core }: ReadContext,
): InflatedBytes {
  const { storedRowBytes } = tileForm(image)
  const { name, decode } = compressionOf(image)
  try {
    const bytes = decode(core, stored, image.tileHeight * storedRowBytes)
    if (bytes.length < rows * storedRowBytes)
      throw fault(`they hold ${bytes.length} bytes, and ${rows} rows have ${rows * storedRowBytes}`)
    return bytes
  } catch (cause) {
    if (!isServiceError(cause) || cause.code !== 'unreadable_file') throw cause
    throw fault(`tile ${index}: data compressed by ${name} cannot be decoded: ${cause.message}`, { cause })
  }
}
