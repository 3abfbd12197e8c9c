import { list, type Segment, type SegmentList } from '../../../plan/source/segments.ts'
import type { IndexRange } from '../../../plan/source/unit.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { Directory } from './directory.ts'

/** A column that has a place in the schema. */
export interface RunColumn {
  readonly type: DataType
  readonly directory: Directory
}

/** The most runs of a file. With more groups, some that follow each other are in one run. */
const MOST_RUNS = 1 << 14

/** The most numbers of all runs: each has some of each column. */
const MOST_NUMBERS = 1 << 20

/** The most entries of a run. Entries that have few or no bytes are in runs of so many. */
const MOST_ENTRIES = 1 << 16

/** How many times the stored bytes of a group its values may take, as estimated: whether it is compressed is not known before it is read. */
const EXPANSION = 2

/**
 * The runs of the entries of a file that are not all deleted. They end where groups of the column end that has the most bytes among those
 * that are asked for, so that each of these groups is inflated once.
 */
export function runsOf(
  columns: readonly RunColumn[],
  asked: readonly RunColumn[],
  entries: number,
  deleted: Uint8Array,
): SegmentList {
  let largest: { readonly directory: Directory; readonly bytes: number } | null = null
  for (const { directory } of asked) {
    const bytes = bytesOf(directory)
    if (largest === null || bytes > largest.bytes) largest = { directory, bytes }
  }
  const most = Math.max(1, Math.min(MOST_RUNS, Math.floor(MOST_NUMBERS / Math.max(1, columns.length))))
  const ranges = rangesOf(largest?.directory ?? null, entries, most).filter(({ from, to }) =>
    hasEntry(deleted, from, to),
  )
  const shares = columns.map(({ directory }) => shareCounter(directory))
  return list(
    ranges.map((range): Segment => {
      const storedBytes = shares.map((share) => share(range))
      return {
        rows: null,
        entries: range,
        storedBytes,
        decodedBytes: storedBytes.map((bytes, index) =>
          columns[index]?.type.kind === 'null' ? 0 : EXPANSION * bytes,
        ),
      }
    }),
  )
}

function bytesOf({ count, place }: Directory): number {
  let bytes = 0
  for (let group = 0; group < count; group++) bytes += place(group).size
  return bytes
}

function rangesOf(directory: Directory | null, entries: number, most: number): readonly IndexRange[] {
  const together = Math.max(1, Math.ceil((directory?.count ?? 0) / most))
  const ends: number[] = []
  for (let group = together - 1; directory !== null && group < directory.count; group += together)
    ends.push(directory.to(group))
  ends.push(entries)
  const ranges: IndexRange[] = []
  let from = 0
  for (const end of ends)
    for (; from < end; from = Math.min(end, from + MOST_ENTRIES))
      ranges.push({ from, to: Math.min(end, from + MOST_ENTRIES) })
  return ranges
}

function hasEntry(deleted: Uint8Array, from: number, to: number): boolean {
  const first = deleted.indexOf(0, from)
  return first >= 0 && first < to
}

/** Counts the bytes that a column has in runs, by the share of entries of a group. To be called with runs in their order. */
function shareCounter({ count, from, to, place }: Directory): (range: IndexRange) => number {
  let group = 0
  return (range) => {
    let bytes = 0
    for (; group < count && from(group) < range.to; group++) {
      const entries = Math.min(to(group), range.to) - Math.max(from(group), range.from)
      if (entries > 0) bytes += (place(group).size * entries) / (to(group) - from(group))
      if (to(group) > range.to) break
    }
    return Math.ceil(bytes)
  }
}
