import type { Expression } from './expression.ts'
import { INFER_RECORDS } from './limits.ts'
import type { Predicate } from './predicate/predicate.ts'
import type { FileRef } from './source/unit.ts'
import type { Operator } from './statement/statement.ts'
import type { Finish } from './task/finish.ts'
import type { DataType, Field, Schema } from './types/schema.ts'

/** How files are read: what a provider has to know besides their bytes. */
export type FileFormat =
  | { readonly kind: 'parquet' }
  | { readonly kind: 'arrow' }
  | {
      readonly kind: 'csv'
      /** One ASCII character. */
      readonly delimiter: string
      /** Records at the beginning of a file from which the types of its columns are inferred. */
      readonly inferRecords: number
    }

export type Format = FileFormat['kind']

export const PARQUET: FileFormat = Object.freeze({ kind: 'parquet' })
export const ARROW: FileFormat = Object.freeze({ kind: 'arrow' })

/** CSV with types from the usual sample, or a larger one. */
export function csvFormat(delimiter: string, inferRecords = 0): FileFormat {
  return Object.freeze({ kind: 'csv', delimiter, inferRecords: Math.max(INFER_RECORDS, inferRecords) })
}

/** The format as one string, to key caches. */
export function formatKey(format: FileFormat): string {
  return format.kind === 'csv' ? `csv ${format.delimiter} ${format.inferRecords}` : format.kind
}

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

/** A query ready to run: frozen, cloneable, printed by EXPLAIN. Units are cut and pruned when it runs. */
export type Plan = ScanPlan | StatementPlan

/** What the core makes of the rows of one scan. */
export interface ScanPlan extends SourceScan {
  readonly engine: 'core'
  readonly finish: Finish
  readonly output: Schema
  readonly offset: number
  /** Infinity: none. */
  readonly limit: number
}

/** A statement that DuckDB runs in one worker over scans, which the core decodes and filters. */
export interface StatementPlan {
  readonly engine: 'duckdb'
  readonly sql: string
  /** Why the core does not run it, for EXPLAIN; null: the service wrote it. */
  readonly reason: string | null
  /** In the order in which DuckDB bound them; `operators` refers to them. */
  readonly scans: readonly SourceScan[]
  readonly operators: Operator
  readonly output: Schema
}
