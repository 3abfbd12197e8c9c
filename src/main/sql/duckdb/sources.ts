import type { SourceScan } from '../../../plan/scan.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { type FileSummary, rowsOf } from '../../../plan/source/segments.ts'
import type { Source, SourceRequest } from '../../../plan/statement/statement.ts'
import { type FilesTable, openTable } from '../../query/source/files-table.ts'
import type { QueryContext } from '../../query/source/query-context.ts'
import { resolveSource } from '../../query/source/resolve-source.ts'

/** A source of a statement and the table that it stands for. */
export interface ResolvedSource {
  readonly source: Source
  readonly table: FilesTable
  /** Set where the service wrote the statement: the whole scan is known before it is bound. */
  readonly own: { readonly scan: SourceScan; readonly summaries: readonly FileSummary[] } | null
}

/** Bytes that a row of a text file is taken to have, for estimates. */
const TEXT_ROW_BYTES = 64

/** Rows that a table is taken to have whose files are listed once the filter is known, for estimates. */
const UNLISTED_ROWS = 1_000_000

/** What a statement names, with statistics of the named columns where the files are looked at already. */
export async function openSource(
  request: SourceRequest,
  statistics: readonly string[],
  context: QueryContext,
): Promise<ResolvedSource> {
  const resolved = resolveSource(request, context)
  const table = await openTable(resolved, statistics, context)
  const { files, schema, summaries, unlisted } = table
  const rows = unlisted === null ? estimatedRows(files, summaries) : UNLISTED_ROWS
  return { source: { request, digest: resolved.digest, schema, rows }, table, own: null }
}

/** Rows of all files: those of text files by their bytes. `known` are the summaries of `files`. */
export function estimatedRows(files: readonly FileRef[], known: readonly FileSummary[]): number {
  return known.reduce((sum, { segments }, index) => {
    const size = Number(files[index]?.version.size ?? 0n)
    return sum + (rowsOf(segments) ?? Math.ceil(size / TEXT_ROW_BYTES))
  }, 0)
}
