import { ServiceError } from '../../plan/errors.ts'
import type { ByteSource } from '../store/byte-source.ts'

/** A range of bytes in a file. */
export interface Range {
  readonly offset: number
  readonly length: number
}

/** The largest gap between two ranges that are read in one call: reading such a gap costs less than a second call. */
const MAX_GAP_BYTES = 16 << 10

/** The most bytes of one call for several ranges. A larger buffer would stay alive as long as any of its ranges is in use. */
const MAX_READ_BYTES = 64 << 20

/** The most bytes of all ranges together, which are those of one unit. */
const MAX_TOTAL_BYTES = 512 << 20

/** The bytes of ranges. Disposing of it releases them. */
export interface HeldRanges extends Disposable {
  /** The bytes of a range; one that was not among those asked for is read now. */
  of(range: Range): Uint8Array
}

/** Reads ranges, neighbouring ones in one call. Throws `memory_limit` if they are too large together. */
export function readRanges(source: ByteSource, ranges: readonly Range[]): HeldRanges {
  const total = ranges.reduce((sum, range) => sum + range.length, 0)
  if (total > MAX_TOTAL_BYTES)
    throw new ServiceError(
      'memory_limit',
      `what is wanted takes ${total} bytes in the file; at most ${MAX_TOTAL_BYTES} are read at once`,
    )
  const bytes = new Map<Range, Uint8Array>()
  const reads: Uint8Array[] = []
  const read = (offset: number, length: number): Uint8Array => {
    const held = source.read(offset, length)
    reads.push(held)
    return held
  }
  for (const run of coalesce(ranges)) {
    const [first, last] = [run[0], run.at(-1)]
    if (first === undefined || last === undefined) continue
    const held = read(first.offset, last.offset + last.length - first.offset)
    for (const range of run) {
      const start = range.offset - first.offset
      bytes.set(range, held.subarray(start, start + range.length))
    }
  }
  return {
    of: (range) => bytes.get(range) ?? read(range.offset, range.length),
    [Symbol.dispose]() {
      for (const held of reads) source.release(held)
    },
  }
}

/** Groups ranges, in the order of their offsets, into runs without large gaps. Ranges that overlap are in different runs. */
function coalesce(ranges: readonly Range[]): Range[][] {
  const runs: Range[][] = []
  for (const range of ranges.toSorted((a, b) => a.offset - b.offset)) {
    const run = runs.at(-1)
    const [first, last] = [run?.[0], run?.at(-1)]
    const gap = last === undefined ? 0 : range.offset - (last.offset + last.length)
    if (
      run !== undefined &&
      first !== undefined &&
      gap >= 0 &&
      gap <= MAX_GAP_BYTES &&
      range.offset + range.length - first.offset <= MAX_READ_BYTES
    )
      run.push(range)
    else runs.push([range])
  }
  return runs
}
