import type { Encoding } from '../../../plan/task/encoding.ts'
import type { Ending } from '../../../plan/task/fragment.ts'
import type { ScanAnswer } from '../../../plan/task/task.ts'
import type { Field } from '../../../plan/types/schema.ts'
import type { Ticket } from '../../dispatch/ticket.ts'
import type { TempFolder } from '../temp/temp-folder.ts'

/** Rows that are to be sorted, and what is made of them. */
export interface Sorted {
  /** The columns of the rows. */
  readonly fields: readonly Field[]
  /** The order, and of the sorted rows the offset, the limit and the columns. It has no groups and does not count. */
  readonly ending: Ending
}

/** What a sort is run with. */
export interface SortOptions {
  readonly ticket: Pick<Ticket, 'run' | 'cancel'>
  readonly workers: number
  /** Where the sorted runs are written. */
  readonly folder: TempFolder
  readonly encoding: Encoding
  /** Default: `SORT_SIZES`. */
  readonly sizes?: SortSizes
  /** Called with the bytes of each run that is written to the file. */
  readonly onRunWritten?: (bytes: number) => void
  onAnswer(answer: Pick<ScanAnswer, 'metrics'>, queueMs: number): void
}

/** The sizes by which a sort is cut, in bytes of values. */
export interface SortSizes {
  /** A run has at least so many, if there are so many. */
  readonly runBytes: number
  /** A block of several rows has at most so many. Merging reads one block of each run more than it needs. */
  readonly blockBytes: number
  /** A step of the merge has at least so many. */
  readonly stepBytes: number
}

export const SORT_SIZES: SortSizes = Object.freeze({
  runBytes: 16 << 20,
  blockBytes: 64 << 10,
  stepBytes: 16 << 20,
})

/** The parts of a worker's memory that a run and a step may take. Sorting needs some four times their bytes. */
const RUN_SHARE = 1 / 16
const STEP_SHARE = 1 / 32

/** The sizes for workers of which each may take so many bytes. */
export function sortSizes(workerBytes: number): SortSizes {
  const { runBytes, blockBytes, stepBytes } = SORT_SIZES
  return {
    runBytes: Math.min(runBytes, workerBytes * RUN_SHARE),
    blockBytes,
    stepBytes: Math.min(stepBytes, workerBytes * STEP_SHARE),
  }
}
