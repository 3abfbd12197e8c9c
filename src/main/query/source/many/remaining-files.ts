import type { FileFormat } from '../../../../plan/format/file-format.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import type { FileRef } from '../../../../plan/source/file.ts'
import type { Field, Schema } from '../../../../plan/types/schema.ts'
import type { Location } from '../../../datasets/partitions/find-located.ts'
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
  readonly filter: Predicate | null
}

/** The files of a table that may have rows which pass its filter, or of which nothing is learned. */
export interface RemainingFiles<F = readonly FileRef[]> {
  /** In their order. */
  readonly files: F
  /** How many other files there are, of whose versions it is learned that no row passes. */
  readonly pruned: number
  /** How many folders `key=value` the filter has left out. */
  readonly foldersLeftOut: number
}

/** What the thread does that looks for files. */
export interface ManyFilesFunctions {
  /** Null: the location has to be listed otherwise. */
  find(
    asked: AskedOfMany & { readonly ending: SharedArrayBuffer },
  ): Promise<RemainingFiles<PackedFiles> | null>
}
