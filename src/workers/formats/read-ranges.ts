import { ServiceError } from '../../plan/errors.ts'
import type { ByteSource } from '../store/byte-source.ts'

/** Bytes of a file. */
export interface Range {
  readonly offset: number
  readonly length: number
}

/** Reading over a gap of so many bytes costs less than another call. */
const MAX_GAP_BYTES = 16 << 10

/** Of one read, so that a neighbour does not keep a large buffer alive for long. */
const MAX_READ_BYTES = 64 << 20

/** Of all ranges together: what one unit takes in the file. */
const MAX_TOTAL_BYTES = 512 << 20

/** Bytes of ranges, until they are disposed of. */
export interface HeldRanges extends Disposable {
  of(range: Range): Uint8Array
}

/** Reads ranges, those that lie together in one read. */
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

/** Ranges by offset, in runs without large gaps. Ranges that overlap are read apart. */
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
