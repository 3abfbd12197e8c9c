import { ServiceError } from '../../../plan/errors.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { fieldIndexes, type Schema, sameType, typeName } from '../../../plan/types/schema.ts'
import { mergedSchema } from './merge-schema.ts'
import { noticesOf } from './notices.ts'
import type { QueryContext } from './query-context.ts'
import type { PlannedFiles } from './summaries.ts'
import type { Table } from './table.ts'
import type { WantedOfFiles } from './wanted.ts'
import { widen } from './widen.ts'

/** The files that a query reads. */
export interface Source {
  /** Its name in messages and in EXPLAIN. */
  readonly relation: string
  readonly format: FileFormat
  readonly files: readonly FileRef[]
}

/** A table whose columns are known. */
export interface FilesTable extends Source {
  readonly schema: Schema
  /** In the order of the files. */
  readonly summaries: readonly FileSummary[]
  /**
   * The table, as long as its files have not been listed; then null. `listed` lists them when the filter is known. Until then
   * `files` and `summaries` are empty.
   */
  readonly unlisted: Table | null
}

type Listing = Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer' | 'onObjects'>
type Opening = Listing & Pick<QueryContext, 'onNotice'>

/**
 * Opens a table to find its columns. If its definition does not have them, its files are listed, and workers read the schemas and
 * statistics that are not known.
 */
export async function openTable(
  table: Table,
  statistics: readonly string[],
  context: Opening,
): Promise<FilesTable> {
  const { relation, format, schema } = table
  if (schema !== null) return { relation, format, schema, files: [], summaries: [], unlisted: table }
  const found = await table.files(null)
  const { files, summaries } = await summarized(format, found, { statistics, columns: [] }, context)
  if (format.layout === 'text') noticesOf(files, summaries).forEach(context.onNotice)
  const merged = mergedSchema(format, found, summaries)
  return {
    relation,
    format,
    files,
    summaries,
    schema: merged instanceof Promise ? await merged : merged,
    unlisted: null,
  }
}

/**
 * The table with its files and their summaries, which have what is wanted. Files may be left out if none of their rows can pass the
 * filter. Throws `schema_conflict` for a file whose columns do not fit those of the table.
 */
export async function listed(
  table: FilesTable,
  filter: Predicate | null,
  wanted: WantedOfFiles,
  context: Listing,
): Promise<FilesTable> {
  const { format, schema, unlisted } = table
  const found = unlisted === null ? table.files : await unlisted.files(filter)
  const { files, summaries: known } = await summarized(format, found, wanted, context)
  if (unlisted !== null)
    for (const [index, file] of files.entries()) requireFitting(table, schema, file, known[index])
  return { ...table, files, summaries: withConstants(known, files), unlisted: null }
}

/** Adds the constant columns of files to their summaries. Summaries are kept without them, since tables may share a file. */
function withConstants(summaries: readonly FileSummary[], files: readonly FileRef[]): readonly FileSummary[] {
  if (files.every(({ constants }) => constants === undefined)) return summaries
  return summaries.map((summary, index) => {
    const constants = files[index]?.constants
    return constants === undefined ? summary : { ...summary, constants }
  })
}

/** Files as they are planned, and their summaries. Reports the documents of folders, which the plan depends on. */
async function summarized(
  format: FileFormat,
  files: readonly FileRef[],
  wanted: WantedOfFiles,
  { summaries, ticket, onAnswer, onObjects }: Listing,
): Promise<PlannedFiles> {
  const planned = await summaries.of(format, files, wanted, ticket, onAnswer)
  if (planned.files !== files) for (const { documents = [] } of planned.summaries) onObjects(documents)
  return planned
}

/** Throws `schema_conflict` if the type of a column in the file cannot be widened to its type in the table. */
function requireFitting(
  { relation }: FilesTable,
  { fields }: Schema,
  { path, constants = {} }: FileRef,
  summary: FileSummary | undefined,
): void {
  const indexes = fieldIndexes(fields)
  for (const { name, type } of summary?.schema.fields ?? []) {
    const wanted = fields[indexes.get(name) ?? -1]?.type
    if (wanted === undefined || Object.hasOwn(constants, name)) continue
    const wider = widen(type, wanted)
    if (wider === null || !sameType(wider, wanted))
      throw new ServiceError(
        'schema_conflict',
        `Column "${name}" is ${typeName(type)} in "${path}", which does not fit into ${typeName(wanted)}, its type in the table ${relation}.`,
      )
  }
}
