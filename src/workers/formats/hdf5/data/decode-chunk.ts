import type { UndoFilter } from '../../provider.ts'
import { decodeInLibrary } from './decode-in-library.ts'
import { fault } from './fault.ts'
import type { DecodedSize } from './filters/filter.ts'
import { filterOf, SHUFFLE } from './filters/filters.ts'
import type { StoredFilter } from './structures/pipeline.ts'

/** A compressor may add this to data that do not compress. */
function mostCompressed(bytes: number): number {
  return bytes + Math.ceil(bytes / 8) + (64 << 10)
}

/** A filter that was applied to a chunk, and the size of the data before it. */
interface Step {
  readonly filter: StoredFilter
  readonly before: DecodedSize
}

/** The filters that were applied to a chunk of `chunkBytes` bytes: `mask` has a bit for each one that was left out. */
function stepsOf(filters: readonly StoredFilter[], mask: number, chunkBytes: number): readonly Step[] {
  const steps: Step[] = []
  let before: DecodedSize = { bytes: chunkBytes, isExact: true }
  for (const [index, filter] of filters.entries()) {
    if ((mask & (1 << index)) !== 0) continue
    const { added } = filterOf(filter)
    steps.push({ filter, before })
    before =
      added === null
        ? { bytes: mostCompressed(before.bytes), isExact: false }
        : { bytes: before.bytes + added, isExact: before.isExact }
  }
  return steps
}

/** The most bytes that a chunk can have in the file. */
export function mostStoredBytes(filters: readonly StoredFilter[], mask: number, chunkBytes: number): number {
  const last = stepsOf(filters, mask, chunkBytes).at(-1)
  if (last === undefined) return chunkBytes
  const { added } = filterOf(last.filter)
  return added === null ? mostCompressed(last.before.bytes) : last.before.bytes + added
}

/** Whether the bytes of elements of `elementBytes` bytes are shuffled by what was applied to the chunk first. */
export function isShuffledFirst(
  filters: readonly StoredFilter[],
  mask: number,
  elementBytes: number,
): boolean {
  const [first] = filters
  return first?.id === SHUFFLE && first.values[0] === elementBytes && elementBytes > 1 && (mask & 1) === 0
}

/**
 * Undoes the filters of a chunk. With `keepsShuffle` a chunk that is shuffled first stays so. `undo` undoes filters that only the
 * library of HDF5 does. Throws `unreadable_file` unless there are exactly `chunkBytes` bytes.
 */
export function decodeChunk(
  stored: Uint8Array,
  filters: readonly StoredFilter[],
  mask: number,
  chunkBytes: number,
  keepsShuffle: boolean,
  undo: UndoFilter,
): Uint8Array {
  const steps = stepsOf(filters, mask, chunkBytes).slice(keepsShuffle ? 1 : 0)
  let bytes = stored
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { filter, before } = step
    const known = filterOf(filter)
    bytes =
      known.decode === null
        ? decodeInLibrary(bytes, filter, known, before, undo)
        : known.decode(bytes, before, filter.values)
    const isSound = before.isExact ? bytes.length === before.bytes : bytes.length <= before.bytes
    if (!isSound) throw fault(`it has ${bytes.length} bytes and not ${before.bytes} without its filters`)
  }
  if (bytes.length !== chunkBytes) throw fault(`it has ${bytes.length} bytes and not ${chunkBytes}`)
  return bytes
}
