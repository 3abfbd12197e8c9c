import type { FileFormat } from './format/file-format.ts'
import type { Predicate } from './predicate/predicate.ts'
import type { FileRef } from './source/file.ts'
import type { Scalar } from './types/scalar.ts'
import type { DataType, Field } from './types/schema.ts'

/** A source column of a scan, by its name in the files, with the type that all files are widened to. */
export interface SourceColumn {
  readonly name: string
  readonly type: DataType
}

/** An output column: a source column under a name, or one constant in every row (null: a null). */
export type Projection =
  | { readonly kind: 'column'; readonly column: string; readonly field: Field }
  | { readonly kind: 'constant'; readonly value: Scalar | null; readonly field: Field }

/** What every unit of a scan has in common. Sent with each unit, so it holds no list of files. */
export interface ScanSpec {
  readonly format: FileFormat
  /** Columns to decode, those of the filter first. */
  readonly columns: readonly SourceColumn[]
  readonly filter: Predicate | null
  readonly projection: readonly Projection[]
}

/** Rows of files, and what of them is wanted. */
export interface SourceScan {
  readonly scan: ScanSpec
  /** How messages and EXPLAIN name the source: a table name, or the format and its paths. */
  readonly relation: string
  readonly files: readonly FileRef[]
}
