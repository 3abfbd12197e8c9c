import type { Condition } from '../../../../plan/condition/condition.ts'
import type { FileFormat } from '../../../../plan/format/file-format.ts'
import type { SourceColumn } from '../../../../plan/scan.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { Field, Schema } from '../../../../plan/types/schema.ts'
import type { Location } from '../../../datasets/partitions/find-located.ts'
import type { AggregateOfColumn } from '../whole/known-aggregate.ts'
import type { PackedFiles } from './packed-files.ts'

/** Which files of a table are wanted. Plain data, which is sent to a thread. */
export interface AskedOfMany {
  /** The name of the table in messages. */
  readonly relation: string
  readonly location: Location
  readonly format: FileFormat
  readonly schema: Schema
  /** The columns of folders `key=value`. */
  readonly partitions: readonly Field[]
  /** Null: all files are wanted. */
  readonly filter: Condition | null
  /** What is wanted of the rows that pass the filter. Null: the files. */
  readonly sums: AskedSums | null
}

/** Aggregates of all rows of a scan, which may follow from what is learned of its files. */
export interface AskedSums {
  readonly aggregates: readonly AggregateOfColumn[]
  /** The columns of the scan. */
  readonly columns: readonly SourceColumn[]
  /** The columns on which the rows of the scan depend. */
  readonly named: readonly string[]
}

/** The files of a table that may have rows which pass its filter, or of which nothing is learned. */
export interface RemainingFiles<F = readonly FileRef[]> {
  /** In their order. */
  readonly files: F
  /** How many other files there are, of whose versions it is learned that no row passes. */
  readonly pruned: number
  /** How many folders `key=value` the filter has left out. */
  readonly foldersLeftOut: number
  /** What other files make of the sums that were asked for. Absent: none were, or all rows have to be read. */
  readonly summed?: SummedFiles
}

/** Files of whose versions it is learned that all rows pass, and what the aggregates over them are. */
export interface SummedFiles {
  readonly files: number
  readonly rows: number
  /** In the order of the aggregates. */
  readonly values: readonly (Scalar | null)[]
  /** The schemas of the files. */
  readonly schemas: readonly Schema[]
}

/** The remaining files for main, which may find out that what is learned of these is not enough for the sums. */
export interface ManyRemaining extends RemainingFiles {
  /** Tells that rows have to be read, so that the sums are not tried again soon. */
  dropSums(): void
}

interface CountedLocation {
  readonly location: Location
  readonly most: number
}

/** Main sets its number to 1 to end a call: the thread reads no messages while it works. */
interface Ending {
  readonly ending: SharedArrayBuffer
}

/** What the thread does that looks for files. */
export interface ManyFilesFunctions {
  /** How many files a location has, or a number above `most`. Null: main has to count them. */
  count(asked: CountedLocation & Ending): Promise<number | null>
  /** Null: the location has to be listed otherwise, or the sums do not follow from what is learned. */
  find(asked: AskedOfMany & Ending): Promise<RemainingFiles<PackedFiles> | null>
}
