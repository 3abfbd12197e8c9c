import { productOf } from '../../../../plan/product-of.ts'
import type { BoxUnit } from '../../../../plan/source/unit.ts'
import type { Placement } from '../../../dispatch/queued-task.ts'
import type { UnitSequence } from '../../plan/unit-sequence.ts'

/** What a worker takes to inflate and decode a byte of a chunk. Nanoseconds. */
const DECODED_BYTE_NS = 2.5

/** The longest that a part of a chunk waits for the worker that decodes the chunk. Milliseconds. */
const MOST_PATIENCE_MS = 2000

/**
 * Prefers one worker for all units that are parts of one chunk, so that the chunk is decoded once. A part waits for it as long as another
 * worker would take to decode the chunk too. The chunks of a file go to all workers in turn. Undefined: the unit at the index is no part
 * of a chunk that others are parts of.
 */
export function partPlacement(units: UnitSequence, index: number, workers: number): Placement | undefined {
  const unit = boxOf(units, index)
  const chunk = unit?.chunk
  if (unit === null || chunk === undefined) return undefined
  const unitChunks = chunkNumbers(unit, chunk)
  const isOfSame = (other: BoxUnit | null): boolean =>
    other !== null &&
    other.file === unit.file &&
    chunkNumbers(other, chunk).every((number, axis) => number === unitChunks[axis])
  if (!isOfSame(boxOf(units, index + 1)) && !isOfSame(boxOf(units, index - 1))) return undefined
  const elements = productOf(chunk)
  const rows = productOf(unit.extent)
  const decodingMs = ((unit.decodedBytes * elements) / rows) * (DECODED_BYTE_NS / 1e6)
  const turn = unitChunks.reduce((sum, number) => sum + number, unit.file)
  return { prefer: [turn % workers], patienceMs: Math.min(MOST_PATIENCE_MS, Math.ceil(decodingMs)) }
}

function boxOf(units: UnitSequence, index: number): BoxUnit | null {
  if (index < 0 || index >= units.count) return null
  const unit = units.at(index)
  return unit.kind === 'box' ? unit : null
}

/** The number of the chunk of a box along each axis. */
function chunkNumbers({ origin }: BoxUnit, chunk: readonly number[]): readonly number[] {
  return origin.map((first, axis) => Math.floor(first / (chunk[axis] ?? 1)))
}
