import type { DataType } from '../../../../plan/types/schema.ts'
import type { ByteSource } from '../../../store/byte-source.ts'
import type { ReadContext } from '../../provider.ts'
import type { Place } from '../archive/block.ts'
import { type ColumnIndex, readColumnIndex, readIndex } from './pruning-index.ts'

/** The index of a file, of which the statistics of a column are read when they are asked for. */
export interface FileIndex {
  /** What was read of a column before. Undefined: nothing, or it is not held. */
  held(name: string): ColumnIndex | null | undefined
  /** Null: there are none, or they are damaged. */
  of(name: string, type: DataType, source: ByteSource, context: ReadContext): ColumnIndex | null
}

/**
 * The bytes of statistics that an opened file holds: those of 10 000 entries of four columns. Others are read each time, which takes a
 * millisecond for each megabyte.
 */
const MOST_HELD_BYTES = 2 << 20

/** `place` null: the file has no index. */
export function fileIndex(place: Place | null, entries: number): FileIndex {
  let places: ReadonlyMap<string, Place> | null = place === null ? new Map() : null
  const held = new Map<string, ColumnIndex | null>()
  let heldBytes = 0
  return {
    held: (name) => held.get(name),
    of(name, type, source, context) {
      const earlier = held.get(name)
      if (earlier !== undefined) return earlier
      if (places === null && place !== null) places = readIndex(source, place, entries, context)
      const ofColumn = places?.get(name)
      if (ofColumn === undefined) return null
      const index = readColumnIndex(source, ofColumn, name, type, entries, context)
      const bytes = index?.bytes ?? 0
      if (heldBytes + bytes <= MOST_HELD_BYTES) {
        held.set(name, index)
        heldBytes += bytes
      }
      return index
    },
  }
}
