import type { InflatedBytes } from '../../../../wasm/core/boxes/box-column.ts'
import { onlyObject, type Store } from '../../../store/store.ts'
import { requireChunkBytes } from '../../arrays/chunk-bytes.ts'
import type { ReadContext } from '../../provider.ts'
import type { Image } from '../metadata/image.ts'
import { compressionOf } from './compressions.ts'
import { areBigEndian, decodeTile } from './decode-tile.ts'
import { keepTile } from './kept-tile.ts'
import type { TileBytes } from './tile-bytes.ts'
import { tileForm } from './tile-form.ts'
import type { StoredTile } from './tile-table.ts'
import type { TileValues } from './tile-values.ts'

/** The values of a band in a tile. */
export interface BandValues {
  readonly bytes: Uint8Array | InflatedBytes
  /** So many rows of the tile, from the first one on. */
  readonly rows: number
  readonly isBigEndian: boolean
  /** Bytes from one value to the next, and before the first one. */
  readonly stride: number
  readonly offset: number
  /** A byte for each pixel: 0 where it is null. Null: none is. */
  readonly validity: Uint8Array | null
}

/** What is read of a tile. */
export interface TileReading {
  readonly store: Store
  readonly tileBytes: TileBytes
  readonly image: Image
  /** The sample of the pixels of the tile. */
  readonly sample: number
  /** The rows that the tile has in the image, and up to the last one that is asked for. */
  readonly rows: { readonly tile: number; readonly asked: number }
  /** Whether only this unit needs the tile, and no other sample of it. */
  readonly isReadOnce: boolean
}

/**
 * Decodes the values of a band in a tile. The tile is kept for its other bands and other units, unless there are none and caches are off.
 * Of one that is not kept, the rows behind those that are asked for are not inflated, so that damage there is not noticed. Throws `unreadable_file`, and `memory_limit` for a tile that has more bytes than one may have.
 */
export function readTile(reading: TileReading, tile: StoredTile, context: ReadContext): BandValues {
  const { store, tileBytes, image, sample, rows, isReadOnce } = reading
  const { chunks, stopwatch, core } = context
  const { rowBytes, storedRowBytes, samples, valueBytes } = tileForm(image)
  const { kind } = compressionOf(image)
  const source = onlyObject(store)
  const isKept = !isReadOnce || chunks.isShared(store, source.version)
  // LERC and JPEG decode all rows at once.
  const decodedRows = isKept || kind === 'values' ? rows.tile : rows.asked
  requireChunkBytes(image.tileHeight * Math.max(rowBytes, storedRowBytes), chunks)
  const decode = (): TileValues => {
    const stored = tileBytes.of(tile)
    return stopwatch.time('inflate', () => decodeTile(core, stored, image, tile.index, decodedRows))
  }
  const count = decodedRows * image.tileWidth
  const isBigEndian = areBigEndian(image)
  const planeBytes = count * valueBytes
  if (!isKept) {
    stopwatch.count('chunkMisses')
    const { bytes, isPlanar, validity } = decode()
    const place = isPlanar
      ? { stride: valueBytes, offset: sample * planeBytes }
      : { stride: samples * valueBytes, offset: sample * valueBytes }
    return {
      bytes,
      rows: decodedRows,
      isBigEndian,
      ...place,
      validity: validityOf(validity, sample, count),
    }
  }
  const buffer = chunks.get(store, `${tile.index}`, source.version, () =>
    keepTile(core, decode(), { count, samples, valueBytes }),
  )
  const length = samples * planeBytes
  const validity = kind === 'values' && buffer.byteLength > length ? new Uint8Array(buffer, length) : null
  const bytes = new Uint8Array(buffer, sample * planeBytes, planeBytes)
  const place = { stride: valueBytes, offset: 0 }
  return {
    bytes,
    rows: decodedRows,
    isBigEndian,
    ...place,
    validity: validityOf(validity, sample, count),
  }
}

/** The validity of a sample, which is that of all samples if there is only one. */
function validityOf(validity: Uint8Array | null, sample: number, count: number): Uint8Array | null {
  if (validity === null || validity.length === count) return validity
  return validity.subarray(sample * count, (sample + 1) * count)
}
