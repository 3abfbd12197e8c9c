import { ServiceError } from '../../../plan/errors.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { type Field, fieldIndexes, type Schema, sameType, typeName } from '../../../plan/types/schema.ts'
import { type ColumnFilter, NO_COLUMN_FILTER } from './column-filter.ts'
import { filesThatMayPass } from './constants.ts'
import { noticesOf } from './notices.ts'
import type { QueryContext } from './query-context.ts'
import { mergedSchema } from './schema/merge-schema.ts'
import { missingTypedColumn } from './schema/typed-columns.ts'
import { widen } from './schema/widen.ts'
import type { PlannedFiles } from './summaries.ts'
import type { Table } from './table.ts'
import type { WantedOfFiles } from './wanted.ts'

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
  /** Whether the filter of the query has left out files, so that only the columns of the others are known. */
  readonly isNarrowed: boolean
}

type Listing = Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer' | 'onObjects'>
type Opening = Listing & Pick<QueryContext, 'onNotice'>

/**
 * Opens a table to find its columns. If its definition does not have them, its files are listed, and workers read the schemas and
 * statistics that are not known. Files that cannot pass the filter may be left out; the columns are then those of the others.
 */
export async function openTable(
  table: Table,
  statistics: readonly string[],
  context: Opening,
  filter: ColumnFilter = NO_COLUMN_FILTER,
): Promise<FilesTable> {
  const { relation, format, schema } = table
  const unopened = { relation, format, files: [], summaries: [] }
  if (schema !== null) return { ...unopened, schema, unlisted: table, isNarrowed: false }
  const found = await table.files(filter)
  const { files, summaries } = await summarized(format, found.files, { statistics, columns: [] }, context)
  if (format.layout === 'text') noticesOf(found.files, summaries).forEach(context.onNotice)
  const merging = mergedSchema(format, found.files, summaries)
  const merged = merging instanceof Promise ? await merging : merging
  const missing = missingTypedColumn(format, merged)
  // The column may be in a file that the filter has left out.
  if (missing !== null && found.isNarrowed) return openTable(table, statistics, context)
  if (missing !== null) throw missing
  return {
    relation,
    format,
    files,
    summaries,
    schema: withColumns(merged, found.columns),
    unlisted: null,
    isNarrowed: found.isNarrowed,
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
  const found =
    unlisted === null
      ? filesThatMayPass(table.files, schema.fields, filter)
      : (await unlisted.files({ on: () => filter })).files
  const read = { ...wanted, columns: columnsOfFiles(format, found, wanted.columns) }
  const { files, summaries: known } = await summarized(format, found, read, context)
  if (unlisted !== null)
    for (const [index, file] of files.entries()) requireFitting(table, schema, file, known[index])
  return { ...table, files, summaries: withConstants(known, files), unlisted: null }
}

/**
 * The columns that are read from the files. Rows of grids depend on them, and columns of paths have no dimensions: without others,
 * the rows are those of all columns.
 */
function columnsOfFiles(
  { layout }: FileFormat,
  files: readonly FileRef[],
  columns: readonly string[],
): readonly string[] {
  const [{ constants = null } = {}] = files
  if (layout !== 'grid' || constants === null) return columns
  return columns.filter((name) => !files.every((file) => Object.hasOwn(file.constants ?? {}, name)))
}

/** Schemas with the columns of paths, by those of the files. Queries over the same files get the same schema. */
const extended = new WeakMap<Schema, { readonly columns: readonly Field[]; readonly schema: Schema }>()

/** The schema with further columns at its end. They replace those that have their names, as SQL compares names. */
function withColumns(schema: Schema, columns: readonly Field[]): Schema {
  if (columns.length === 0) return schema
  const known = extended.get(schema)
  if (known?.columns === columns) return known.schema
  const names = new Set(columns.map(({ name }) => foldSqlName(name)))
  const fields = [...schema.fields.filter(({ name }) => !names.has(foldSqlName(name))), ...columns]
  const made = Object.freeze({ ...schema, fields: Object.freeze(fields) })
  extended.set(schema, { columns, schema: made })
  return made
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
