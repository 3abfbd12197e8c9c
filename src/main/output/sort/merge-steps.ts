import { MAX_RUN_BLOCKS, type SortedBlock } from '../../../plan/task/sort-tasks.ts'

/** A part of the order that is merged by itself: the rows after one end of a block, up to another one. */
export interface MergeStep {
  /** The blocks of each run that may have such rows. Runs without any are left out. */
  readonly slices: readonly BlockRange[]
  /** The last row before the step, and its last row, as indexes in the rows of all slices. Null: there is no row before or after. */
  readonly after: number | null
  readonly upTo: number | null
  /** How many rows, which are not in the slices, come before the step. */
  readonly before: number
  /** The rows of the slices. */
  readonly rows: number
}

interface BlockRange {
  readonly run: number
  readonly from: number
  readonly to: number
}

/**
 * Cuts the order of all rows at ends of blocks, so that each step has at least `stepBytes`. `ends` has the numbers of all blocks in the order of
 * their last rows. A step needs the blocks that end in it, the next one of each run, which may begin in it, and the one with whose
 * last row the step before it ends.
 */
export function* mergeSteps(
  runs: readonly (readonly SortedBlock[])[],
  ends: readonly number[],
  stepBytes: number,
): Generator<MergeStep, void, undefined> {
  const starts = runs.map(rowStarts)
  /** For each run how many of its blocks end before the step, and up to its end. */
  let from = runs.map(() => 0)
  const to = runs.map(() => 0)
  let last: Place | null = null
  let bytes = 0
  for (const [index, end] of ends.entries()) {
    const place = placeOf(end)
    to[place.run] = place.block + 1
    bytes += runs[place.run]?.[place.block]?.size ?? 0
    const isLast = index === ends.length - 1
    if (bytes < stepBytes && !isLast) continue
    yield step(starts, from, to, last, isLast ? null : place)
    from = [...to]
    last = place
    bytes = 0
  }
}

interface Place {
  readonly run: number
  readonly block: number
}

/** The block that has a number by `blockNumber`. */
function placeOf(number: number): Place {
  return { run: Math.floor(number / MAX_RUN_BLOCKS), block: number % MAX_RUN_BLOCKS }
}

/** The rows of a run before each of its blocks, and before its end. */
function rowStarts(blocks: readonly SortedBlock[]): readonly number[] {
  const starts = [0]
  for (const { rows } of blocks) starts.push((starts.at(-1) ?? 0) + rows)
  return starts
}

function step(
  starts: readonly (readonly number[])[],
  from: readonly number[],
  to: readonly number[],
  last: Place | null,
  next: Place | null,
): MergeStep {
  const slices: BlockRange[] = []
  let [before, rows] = [0, 0]
  let [after, upTo]: [number | null, number | null] = [null, null]
  for (const [run, rowsBefore] of starts.entries()) {
    const first = run === last?.run ? last.block : (from[run] ?? 0)
    const end = Math.min(rowsBefore.length - 1, (to[run] ?? 0) + 1)
    const start = rowsBefore[first] ?? 0
    /** The last row of a block, among the rows of all slices. */
    const lastRow = (block: number): number => rows + (rowsBefore[block + 1] ?? 0) - start - 1
    if (run === last?.run) after = lastRow(last.block)
    if (run === next?.run) upTo = lastRow(next.block)
    before += start
    rows += (rowsBefore[end] ?? start) - start
    if (first < end) slices.push({ run, from: first, to: end })
  }
  return { slices, after, upTo, before, rows }
}
