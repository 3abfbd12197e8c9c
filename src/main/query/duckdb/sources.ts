import { areRowsOfColumns } from '../../../plan/format/file-format.ts'
import { memoize } from '../../../plan/memoize.ts'
import type { SourceScan } from '../../../plan/scan.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { type FileSummary, rowsOf } from '../../../plan/source/segments.ts'
import { type Source, type SourceRequest, sqlNames } from '../../../plan/statement/statement.ts'
import { runInSlices, type Steps } from '../../../plan/steps.ts'
import type { Field, Schema } from '../../../plan/types/schema.ts'
import type { ColumnFilter } from '../source/column-filter.ts'
import { type FilesTable, openTable } from '../source/files-table.ts'
import type { QueryContext } from '../source/query-context.ts'
import { resolveSource } from '../source/resolve-source.ts'

/** A source of a statement, and the table that it names. */
export interface ResolvedSource {
  readonly source: Source
  readonly table: FilesTable
  /** The scan of a statement that the service has written, which is known before the statement is bound. Else null. */
  readonly presetScan: { readonly scan: SourceScan; readonly summaries: readonly FileSummary[] } | null
}

/** The bytes of a row in a text file that estimates assume. */
const TEXT_ROW_BYTES = 64

/** The rows that estimates assume of a table whose files are listed only when the filter is known. */
const UNLISTED_ROWS = 1_000_000

/**
 * Opens a table that a statement names. If its files are inspected for that, the statistics of the named columns are read too.
 * With a filter, the table may be narrowed.
 */
export async function openSource(
  request: SourceRequest,
  statistics: readonly string[],
  context: QueryContext,
  filter?: ColumnFilter,
): Promise<ResolvedSource> {
  const resolved = await resolveSource(request, context)
  const table = await openTable(resolved, statistics, context, filter)
  const { files, summaries, unlisted } = table
  const rows =
    unlisted === null ? await runInSlices(estimatedRows(files, summaries)) : (table.rows ?? UNLISTED_ROWS)
  const isGrid = areRowsOfColumns(table.format)
  return {
    source: { request, digest: resolved.digest, schema: withoutMetadata(table), rows, isGrid },
    table,
    presetScan: null,
  }
}

const NO_METADATA: Field['metadata'] = Object.freeze({})

/** The columns of a table as DuckDB needs them: without the attributes of arrays, on which nothing depends that it does. */
export function withoutMetadata({ format, schema }: Pick<FilesTable, 'format' | 'schema'>): Schema {
  return format.layout === 'grid' ? withoutAttributes(schema) : schema
}

const withoutAttributes = memoize((schema: Schema): Schema => {
  const fields = schema.fields.map((each) => Object.freeze({ ...each, metadata: NO_METADATA }))
  return Object.freeze({ ...schema, fields: Object.freeze(fields) })
})

/** Whether a column has another name in SQL than in the files. */
export function hasRenamed({ schema }: FilesTable): boolean {
  const names = sqlNames(schema)
  return schema.fields.some(({ name }, index) => names[index] !== name)
}

/** The number of rows in all files. That of text files is estimated by their bytes. `summaries` are those of `files`. */
export function* estimatedRows(files: readonly FileRef[], summaries: readonly FileSummary[]): Steps<number> {
  const estimate = estimateOf(summaries)
  if (estimate.rows !== null) return estimate.rows
  let rows = 0
  for (const [index, { segments }] of summaries.entries()) {
    const size = Number(files[index]?.version.size ?? 0n)
    rows += rowsOf(segments) ?? Math.ceil(size / TEXT_ROW_BYTES)
    yield
  }
  estimate.rows = rows
  return rows
}

/** The rows of the files of a list of summaries, which queries of the same files have. Null: they have not been added up. */
const estimateOf = memoize((_summaries: readonly FileSummary[]): { rows: number | null } => ({ rows: null }))
