import type { ScanSpec } from '../../../plan/scan.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import type { FilesTable } from '../source/files-table.ts'

/** The columns that a JSON request can name: those of a table, or of a view whose rows are those of a table. */
export interface NamedColumns {
  /** The name of the table or view in messages. */
  readonly relation: string
  readonly schema: Schema
  /** A scan of these columns as one of the files. */
  inFiles(scan: ScanSpec): ScanSpec
}

export function columnsOfTable({ relation, schema }: FilesTable): NamedColumns {
  return { relation, schema, inFiles: (scan) => scan }
}
