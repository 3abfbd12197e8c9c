import type { ByteSource } from '../../../store/byte-source.ts'
import { borrowMemory, returnMemory } from '../../../store/kept-memory.ts'
import { mostCompressed } from '../../codecs/filter.ts'
import { fault } from '../../fault.ts'
import type { Image } from '../metadata/image.ts'
import { tileForm } from './tile-form.ts'
import type { StoredTile } from './tile-table.ts'

/** Tiles of at most so many bytes are read together, since a call takes longer than reading them. */
const SMALL_BYTES = 64 << 10

/** The most bytes that are read at once, and the most between two tiles: some programs write the length of each beside it. */
const TOGETHER = Object.freeze({ bytes: 1 << 20, gap: 256 })

/** The tiles in runs that are read at once. A tile that was never written, or is not small, is one of its own. */
export function* runsOfTiles<Tile extends { readonly stored: StoredTile | null }>(
  tiles: Iterable<Tile>,
): Generator<readonly Tile[]> {
  let run: Tile[] = []
  let from = 0
  let end = 0
  for (const tile of tiles) {
    const { place = 0, bytes = null } = tile.stored ?? {}
    const isSmall = bytes !== null && bytes <= SMALL_BYTES
    const isNext =
      place >= end && place - end <= TOGETHER.gap && place + (bytes ?? 0) - from <= TOGETHER.bytes
    if (run.length > 0 && !(isSmall && isNext)) {
      yield run
      run = []
    }
    if (!isSmall) {
      yield [tile]
      continue
    }
    if (run.length === 0) from = place
    end = place + bytes
    run.push(tile)
  }
  if (run.length > 0) yield run
}

/** The stored bytes of the tiles of a run. */
export interface TileBytes {
  of(tile: StoredTile): Uint8Array
  /** Frees them. */
  release(): void
}

/** Reads the tiles of a run when the first one is asked for. Throws `unreadable_file` for one that lies outside of the file. */
export function readTilesOf(
  source: ByteSource,
  image: Image,
  run: readonly { readonly stored: StoredTile | null }[],
): TileBytes {
  const from = run[0]?.stored?.place ?? 0
  const last = run.at(-1)?.stored
  let memory: Uint8Array | null = null

  function readAll(end: number): Uint8Array {
    const length = Math.min(source.size, end) - from
    const borrowed = borrowMemory(length)
    source.readInto(from, borrowed.subarray(0, length))
    return borrowed
  }

  function requireInside({ index, place, bytes }: StoredTile): number {
    if (bytes === null) throw fault(`tile ${index} has no number of bytes`)
    if (place + bytes > source.size)
      throw fault(`tile ${index} lies outside of the file, at ${place} with ${bytes} bytes`)
    // Behind as many as a compressor may make of a tile there is nothing that belongs to it.
    return Math.min(bytes, 2 * mostCompressed(image.tileHeight * tileForm(image).storedRowBytes))
  }

  return {
    of(tile) {
      const length = requireInside(tile)
      const end = run.length === 1 ? from + length : (last?.place ?? from) + (last?.bytes ?? 0)
      memory ??= readAll(end)
      return memory.subarray(tile.place - from, tile.place - from + length)
    },
    release() {
      if (memory !== null) returnMemory(memory)
      memory = null
    },
  }
}
