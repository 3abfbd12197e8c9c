import type { Field } from '../types/schema.ts'
import type { Encoding } from './encoding.ts'
import type { SortKey } from './finish.ts'
import type { Ending } from './fragment.ts'
import type { Part } from './part.ts'

/**
 * The tasks that sort more rows than memory takes. A **run** is a part of the rows, sorted, as record batches of some 64 KiB, its
 * **blocks**. Rows that are equal in all keys stay in the order of their runs.
 */
export type SortTask = SortRunTask | MergeRunsTask

/** Sorts rows. The answer is a `SortedRunAnswer`. Any worker may do it: it keeps nothing. */
export interface SortRunTask {
  readonly kind: 'sort_run'
  /** The index of the run. */
  readonly run: number
  readonly fields: readonly Field[]
  readonly order: readonly SortKey[]
  /** Record batches, whose buffers are transferred. Their dictionaries are copied, since parts of other runs may have the same. */
  readonly parts: readonly Part[]
  /** The most bytes of the values of a block, if it has several rows. */
  readonly blockBytes: number
  readonly cancel: SharedArrayBuffer
}

export interface SortedRun {
  /** The messages of the blocks, one after the other. */
  readonly chunks: readonly ArrayBuffer[]
  readonly blocks: readonly SortedBlock[]
  /** For each block the keys of its last row, and then its number by `blockNumber`, as record batches. */
  readonly ends: readonly Part[]
  /** The dictionaries that the blocks refer to. */
  readonly dictionaries: readonly RunDictionary[]
}

export interface SortedBlock {
  readonly rows: number
  /** The bytes of its message. */
  readonly bytes: number
  /** The bytes of its values in memory, about. */
  readonly size: number
}

/** A dictionary as in `PartDictionary`. It is copied from thread to thread, since several tasks need it. */
interface RunDictionary {
  readonly id: number
  readonly key: string
  readonly bytes: Uint8Array
}

/**
 * Merges those rows of runs that are between two ends of blocks in the order of all rows. The answer is a `ScanAnswer`. Any worker may do it: it keeps nothing.
 */
export interface MergeRunsTask {
  readonly kind: 'merge_runs'
  readonly fields: readonly Field[]
  /** Neighbouring blocks of one run each, in the order of the runs. Their buffers are transferred. */
  readonly slices: readonly RunSlice[]
  /** The row of the slices after which the wanted ones begin in the order. Null: they begin with the first. */
  readonly after: number | null
  /** The row of the slices with which they end. Null: they end with the last. */
  readonly upTo: number | null
  /** How many rows, which are not in the slices, come before all of these. */
  readonly before: number
  /** Its offset and limit count the rows of the whole order. */
  readonly ending: Ending
  readonly encoding: Encoding
  readonly cancel: SharedArrayBuffer
}

export interface RunSlice {
  readonly rows: number
  /** Record batch messages, one after the other. */
  readonly bytes: ArrayBuffer
  readonly dictionaries: readonly RunDictionary[]
}

/** The most blocks of a run. */
export const MAX_RUN_BLOCKS = 1 << 16

/** The most runs of a sort. */
export const MAX_RUNS = 1 << 16

/** The number of a block among those of all runs. It fits into 32 bits. */
export function blockNumber(run: number, block: number): number {
  return run * MAX_RUN_BLOCKS + block
}
