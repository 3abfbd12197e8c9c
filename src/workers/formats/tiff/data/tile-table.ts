import type { ByteSource } from '../../../store/byte-source.ts'
import { fault } from '../../fault.ts'
import { type IntegerTable, unsignedAt } from '../metadata/directory.ts'
import type { Image } from '../metadata/image.ts'
import { tagName } from '../metadata/tags.ts'

/** Where a tile is in the file. */
export interface StoredTile {
  readonly index: number
  readonly place: number
  /** Null: the file does not say it. */
  readonly bytes: number | null
}

/** The most entries that are read at once. */
const MOST_AT_ONCE = 4096

/** The entries of the tile tables `from` to before `to`, in order. Null: a tile that was never written. Throws `unreadable_file`. */
export function* storedTiles(
  source: ByteSource,
  { offsets, byteCounts, isBigEndian }: Image,
  from: number,
  to: number,
): Generator<StoredTile | null> {
  for (let first = from; first < to; first += MOST_AT_ONCE) {
    const count = Math.min(MOST_AT_ONCE, to - first)
    const places = entriesOf(source, offsets, first, count, isBigEndian)
    const lengths = byteCounts && entriesOf(source, byteCounts, first, count, isBigEndian)
    for (let entry = 0; entry < count; entry++) {
      const [place = 0, bytes = null] = [places[entry], lengths?.[entry]]
      if (bytes === 0 || (bytes === null && place === 0)) yield null
      else if (place < source.size) yield { index: first + entry, place, bytes }
      else
        throw fault(`its ${tagName(offsets.tag)} has a tile at ${place}, and the file ends at ${source.size}`)
    }
  }
}

function entriesOf(
  source: ByteSource,
  { place, bytes }: IntegerTable,
  first: number,
  count: number,
  isBigEndian: boolean,
): readonly number[] {
  const entries = source.read(place + first * bytes, count * bytes)
  const view = new DataView(entries.buffer, entries.byteOffset, entries.length)
  return Array.from({ length: count }, (_, entry) => unsignedAt(view, entry * bytes, bytes, !isBigEndian))
}
