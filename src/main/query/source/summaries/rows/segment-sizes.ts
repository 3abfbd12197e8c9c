import type { Segment } from '../../../../../plan/source/segments.ts'

/** Numbers of 32 bits that tell a segment of so many columns. */
export function countSizes(columns: number): number {
  return 1 + 2 * columns
}

/**
 * A segment as numbers of 32 bits: one more than its rows, 0 if their number is not known, and then the bytes of each column when decoded, and
 * those stored. Null: they cannot tell it.
 */
export function sizesOfSegment(segment: Segment): readonly number[] | null {
  const { rows, entries, decodedBytes, storedBytes } = segment
  if (entries !== undefined || decodedBytes.length !== storedBytes.length) return null
  const sizes = [rows === null ? 0 : rows + 1, ...decodedBytes, ...storedBytes]
  return sizes.every((size) => size >>> 0 === size) ? sizes : null
}

/** The segment of so many columns whose sizes begin at an index. */
export function segmentAt(sizes: Uint32Array, at: number, columns: number): Segment {
  const rows = sizes[at] ?? 0
  const stored = at + 1 + columns
  return {
    rows: rows === 0 ? null : rows - 1,
    decodedBytes: Array.from(sizes.subarray(at + 1, stored)),
    storedBytes: Array.from(sizes.subarray(stored, stored + columns)),
  }
}
