import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import type { SourceRequest } from '../../../plan/statement/statement.ts'
import type { Schema } from '../../../plan/types/schema.ts'
import { mergedSchema } from './merge-schema.ts'
import type { QueryContext } from './query-context.ts'

/** What a query reads: a table name or a format and its paths, for messages, and the files. */
export interface Source {
  readonly relation: string
  readonly format: FileFormat
  readonly files: readonly FileRef[]
}

/** Files that are read as one table. */
export interface FilesTable extends Source {
  readonly schema: Schema
  /** In the order of the files. */
  readonly summaries: readonly FileSummary[]
}

/** Finds the files and reads what is not known of them: their schemas, and statistics of the named columns. */
export async function resolveTable(
  { format, paths }: SourceRequest,
  statistics: readonly string[],
  context: Pick<QueryContext, 'resolveFiles' | 'summaries' | 'ticket' | 'signal' | 'onAnswer'>,
): Promise<FilesTable> {
  const { ticket, signal, onAnswer } = context
  const files = await context.resolveFiles(paths, signal)
  const summaries = await context.summaries.of(format, files, statistics, ticket, onAnswer)
  const schema = mergedSchema(format, files, summaries)
  return { relation: `${format.kind}(${paths.join(', ')})`, format, files, schema, summaries }
}
