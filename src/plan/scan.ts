import { columnsOfExpressions, type Expression } from './expression.ts'
import type { FileFormat } from './format/file-format.ts'
import { operandsOf, type Predicate } from './predicate/predicate.ts'
import type { FileRef } from './source/file.ts'
import type { DataType, Field } from './types/schema.ts'

/** A source column of a scan, by its name in the files, with the type that all files are widened to. */
export interface SourceColumn {
  readonly name: string
  readonly type: DataType
}

/** An output column: what it is made of, and how it leaves. The core evaluates columns and constants. */
export interface Projection {
  readonly expression: Expression
  readonly field: Field
}

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

/** The source columns that a filter and then a projection read, each once. */
export function columnsRead(scan: Pick<ScanSpec, 'filter' | 'projection'>): readonly string[] {
  return columnsOfExpressions(expressionsOf(scan))
}

/** All that is evaluated of each row: what the filter compares, then what is projected. */
export function expressionsOf({
  filter,
  projection,
}: Pick<ScanSpec, 'filter' | 'projection'>): readonly Expression[] {
  const projected = projection.map(({ expression }) => expression)
  return filter === null ? projected : [...operandsOf(filter), ...projected]
}
