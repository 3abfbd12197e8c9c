import type { SourceScan } from '../../../plan/scan.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { type FileSummary, rowsOf } from '../../../plan/source/segments.ts'
import type { Source, SourceRequest } from '../../../plan/statement/statement.ts'
import { type FilesTable, openTable } from '../../query/source/files-table.ts'
import type { QueryContext } from '../../query/source/query-context.ts'
import { resolveSource } from '../../query/source/resolve-source.ts'

/** A source and the files that it stands for. */
export interface ResolvedSource {
  readonly source: Source
  readonly relation: string
  readonly files: readonly FileRef[]
  /** Set where the service wrote the statement: the whole scan is known before it is bound. */
  readonly own: { readonly scan: SourceScan; readonly summaries: readonly FileSummary[] } | null
}

/** Bytes that a row of a text file is taken to have, for estimates. */
const TEXT_ROW_BYTES = 64

/** Files that a statement names, as one table. */
export interface OpenSource extends ResolvedSource {
  readonly table: FilesTable
}

/** The files that a statement names, and what they look like together, with statistics of the named columns. */
export async function openSource(
  request: SourceRequest,
  statistics: readonly string[],
  context: QueryContext,
): Promise<OpenSource> {
  const resolved = resolveSource({ kind: 'files', ...request }, context)
  const table = await openTable(resolved, statistics, context)
  const { relation, files, schema, summaries } = table
  const rows = estimatedRows(files, summaries)
  return { source: { request, digest: resolved.digest, schema, rows }, relation, files, own: null, table }
}

/** Rows of all files: those of text files by their bytes. `known` are the summaries of `files`. */
export function estimatedRows(files: readonly FileRef[], known: readonly FileSummary[]): number {
  return known.reduce((sum, { segments }, index) => {
    const size = Number(files[index]?.version.size ?? 0n)
    return sum + (rowsOf(segments) ?? Math.ceil(size / TEXT_ROW_BYTES))
  }, 0)
}
