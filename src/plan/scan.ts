import type { Condition } from './condition/condition.ts'
import { columnsOfExpressions, type Expression } from './expression.ts'
import type { FileFormat } from './format/file-format.ts'
import type { FileRef } from './source/file.ts'
import type { RemoteScan } from './source/remote-scan.ts'
import type { ScannedGrid } from './source/scanned-grid.ts'
import type { DataType, Field } from './types/schema.ts'

/** A source column of a scan: its name in the files, and the type to which it is widened in all of them. */
export interface SourceColumn {
  readonly name: string
  readonly type: DataType
}

/** An output column: its expression, and its field in the answer. */
export interface Projection {
  readonly expression: Expression
  readonly field: Field
}

/** What all units of a scan have in common. It is sent with each unit, and so has no list of files. */
export interface ScanSpec {
  readonly format: FileFormat
  /** The columns to decode, those of the filter first. */
  readonly columns: readonly SourceColumn[]
  /**
   * Of arrays, also those of entries: the columns that the request, or the SELECT block of the scan, names. The scan has the rows of their grid, whichever of
   * them are decoded. None: the rows of all columns. Absent: the rows of a file do not depend on columns.
   */
  readonly rowsOf?: readonly string[]
  readonly filter: Condition | null
  readonly projection: readonly Projection[]
}

/** A scan with its files. */
export interface SourceScan {
  readonly scan: ScanSpec
  /** The name of the source in messages and EXPLAIN: a table name, or the format and its paths. */
  readonly relation: string
  readonly files: readonly FileRef[]
  /** What is read of the grids of the first files, for EXPLAIN. Absent: files of rows, or not known. */
  readonly grids?: readonly ScannedGrid[]
  /** How many folders `key=value` of an external table the filter has left out, for EXPLAIN. Absent: none. */
  readonly foldersLeftOut?: number
  /** How many files are left out because of what is known of all values of their columns, for EXPLAIN. Absent: none. */
  readonly filesPruned?: number
  /** Of how many files something was known, or of others among them, when the filter left out some or none. Absent: of none. */
  readonly filesConsidered?: number
  /** Of how many further files aggregates follow from what is known of all values of their columns, for EXPLAIN. Absent: of none. */
  readonly filesSummed?: number
  /** What is asked of the service that has the rows. Absent: they are in files here. */
  readonly remote?: RemoteScan
}

/** The columns that a scan names, as far as its rows depend on them, and else those that it reads. */
export function columnsNamed({ columns, rowsOf }: Pick<ScanSpec, 'columns' | 'rowsOf'>): readonly string[] {
  return rowsOf ?? columns.map(({ name }) => name)
}

/** The scan as it is sent with each unit: units have their rows, or the columns that make them. */
export function withoutRowsOf(scan: ScanSpec): ScanSpec {
  if (scan.rowsOf === undefined) return scan
  const { rowsOf: _, ...rest } = scan
  return rest
}

/** The source columns that a scan reads, each once: first those of the filter, then those of the projection. */
export function columnsRead(scan: Pick<ScanSpec, 'filter' | 'projection'>): readonly string[] {
  return columnsOfExpressions(expressionsOf(scan))
}

/** All expressions of a scan: first the filter, then those of the projection. */
export function expressionsOf({
  filter,
  projection,
}: Pick<ScanSpec, 'filter' | 'projection'>): readonly Expression[] {
  const projected = projection.map(({ expression }) => expression)
  return filter === null ? projected : [filter, ...projected]
}
