import { isServiceError } from '../../../../plan/errors.ts'
import type { Core } from '../../../../wasm/core/core.ts'
import { type DecodedSize, mostCompressed } from '../../codecs/filter.ts'
import { fault } from '../../fault.ts'
import type { UndoFilter } from '../../provider.ts'
import { type FilterOfLibrary, filterName, filterOf, SHUFFLE } from './filters/filters.ts'
import type { StoredFilter } from './structures/messages/pipeline.ts'

/** A filter that was applied to a chunk, and the size of the data before it. */
export interface Step {
  readonly filter: StoredFilter
  readonly before: DecodedSize
}

/** The filters that were applied to a chunk of `chunkBytes` bytes: `mask` has a bit for each one that was left out. */
export function appliedSteps(
  filters: readonly StoredFilter[],
  mask: number,
  chunkBytes: number,
): readonly Step[] {
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
  const last = appliedSteps(filters, mask, chunkBytes).at(-1)
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
 * Decodes a chunk, filter by filter. `undo` decodes those that only the HDF5 library knows. Throws `unreadable_file` unless there
 * are exactly `chunkBytes` bytes.
 */
export function decodeChunk(
  stored: Uint8Array,
  steps: readonly Step[],
  chunkBytes: number,
  undo: UndoFilter,
  core: Core,
): Uint8Array {
  const bytes = undoSteps(stored, steps, undo, core)
  requireSize(bytes.length, chunkBytes)
  return bytes
}

/** Decodes the last filter of a chunk, as `decodeChunk`. */
export function undoSteps(
  stored: Uint8Array,
  steps: readonly Step[],
  undo: UndoFilter,
  core: Core,
): Uint8Array {
  let bytes = stored
  for (const step of steps.toReversed()) {
    const { filter, before } = step
    const codec = filterOf(filter)
    bytes =
      codec.decode === null
        ? decodeInLibrary(bytes, filter, codec, before, undo)
        : codec.decode(bytes, before, filter.values, core)
    const isSound = before.isExact ? bytes.length === before.bytes : bytes.length <= before.bytes
    if (!isSound) throw fault(`it has ${bytes.length} bytes and not ${before.bytes} without its filters`)
  }
  return bytes
}

export function requireSize(actualBytes: number, chunkBytes: number): void {
  if (actualBytes !== chunkBytes) throw fault(`it has ${actualBytes} bytes and not ${chunkBytes}`)
}

/** The most values of a filter. Those that are known have up to 20, and zfp some more. */
const MAX_VALUES = 1024

/**
 * Has the HDF5 library decode a chunk. The library copies as many bytes as its caller says that there are, so this number has to be known.
 * Throws `unreadable_file`.
 */
export function decodeInLibrary(
  stored: Uint8Array,
  { id, values }: StoredFilter,
  { check, checkDecoded }: FilterOfLibrary,
  size: DecodedSize,
  undo: UndoFilter,
): Uint8Array {
  const name = filterName(id)
  if (!size.isExact)
    throw fault(
      `its chunks have passed ${name} after another one that compresses, which is not read; write them anew with one of them`,
    )
  if (values.length > MAX_VALUES) throw fault(`${name} has ${values.length} values`)
  check(stored, size, values)
  try {
    const decoded = new Uint8Array(
      undo({ stored: stored.slice().buffer, filter: { id, values }, bytes: size.bytes }),
    )
    checkDecoded?.(stored, decoded)
    return decoded
  } catch (error) {
    if (!isServiceError(error) || error.code !== 'unreadable_file') throw error
    throw fault(`a chunk that has passed ${name} is damaged: ${error.message}`, { cause: error })
  }
}
