import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import { requireChunkBytes } from '../../arrays/chunk-bytes.ts'
import { mostCompressed } from '../../codecs/filter.ts'
import { toOwnBuffer } from '../../codecs/inflate.ts'
import { fault } from '../../fault.ts'
import type { ReadContext } from '../../provider.ts'
import type { Image } from '../metadata/image.ts'
import { compressionOf, predictorOf } from './compressions.ts'
import { decodeTile } from './decode-tile.ts'
import { tileForm } from './tile-form.ts'
import type { StoredTile } from './tile-table.ts'

/** The values of a tile, which follow each other in C order. */
export interface DecodedTile {
  readonly bytes: Uint8Array | InflatedBytes
  readonly isBigEndian: boolean
}

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
  const { chunks, stopwatch, core } = context
  const { rowBytes, storedRowBytes, isWhole } = tileForm(image)
  compressionOf(image)
  // What is undone in the core is little-endian then.
  const isBigEndian = image.isBigEndian && isWhole && predictorOf(image) === null
  requireChunkBytes(image.tileHeight * Math.max(rowBytes, storedRowBytes), chunks)
  const source = onlyObject(store)
  const length = rows * rowBytes
  const decode = (): Uint8Array | InflatedBytes => {
    const stored = readStored(source, image, tile)
    const bytes = stopwatch.time('inflate', () => decodeTile(core, stored, image, tile.index, rows))
    if (!(bytes instanceof Uint8Array && bytes.buffer === stored.buffer)) source.release(stored)
    return bytes
  }
  if (isReadOnce && !chunks.isShared(store, source.version)) {
    stopwatch.count('chunkMisses')
    return { bytes: decode(), isBigEndian }
  }
  const buffer = chunks.get(store, `${tile.index}`, source.version, () => {
    const bytes = decode()
    return bytes instanceof Uint8Array ? toOwnBuffer(bytes) : bytes.copy()
  })
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
