import type { Condition } from '../../../plan/condition/condition.ts'
import { areRowsOfColumns, type FileFormat } from '../../../plan/format/file-format.ts'
import { memoizeLast } from '../../../plan/memoize.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { RemoteScan } from '../../../plan/source/remote-scan.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { isTrueOfAll } from '../../../plan/steps.ts'
import type { Field, Schema } from '../../../plan/types/schema.ts'
import { type ColumnFilter, NO_COLUMN_FILTER } from './column-filter.ts'
import { filesThatMayPass } from './constants.ts'
import type { AskedSums, ManyRemaining, RemainingFiles, SummedFiles } from './many/remaining-files.ts'
import { groupNotices, noticesOf } from './notices.ts'
import type { QueryContext } from './query-context.ts'
import { columnsOfRemote, listRemote, type WantedOfRemote } from './remote/list-remote.ts'
import { mergedSchema } from './schema/merge-schema.ts'
import type { RefusedColumn } from './schema/refused-columns.ts'
import { requireFitting } from './schema/require-fitting.ts'
import { missingTypedColumn, unknownName } from './schema/unknown-names.ts'
import { MOST_FEW } from './summaries/most-few.ts'
import type { PlannedFiles } from './summaries/summaries.ts'
import type { WantedOfFiles } from './summaries/wanted.ts'
import type { Table } from './table.ts'
import { filesWithRows, type KnownOfFile } from './whole/files-with-rows.ts'

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
  /** Columns of its files that it does not have, and that no query may name. Absent: there are none. */
  readonly refused?: readonly RefusedColumn[]
  /** In the order of the files. */
  readonly summaries: readonly FileSummary[]
  /**
   * The table, as long as its files have not been listed; then null. `listed` lists them when the filter is known. Until then
   * `files` and `summaries` are empty.
   */
  readonly unlisted: Table | null
  /** Whether the filter of the query has left out files, so that only the columns of the others are known. */
  readonly isNarrowed: boolean
  /** The number of its rows, as estimated, where it is known before files are listed. Absent: it is not. */
  readonly rows?: number
  /** As in `SourceScan`. It is known when files have been listed. */
  readonly foldersLeftOut?: number
  readonly filesPruned?: number
  readonly filesConsidered?: number
  /** What files that are not listed make of the sums that were asked for. Absent: all files are listed that the filter leaves. */
  readonly summed?: SummedFiles
  /** As in `ManyRemaining`. Absent: there is nothing to drop. */
  readonly dropSums?: () => void
  /** As in `SourceScan`. It is known when the rows have been fetched. */
  readonly remote?: RemoteScan
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
  if (table.remote !== undefined) {
    const columns = schema ?? (await columnsOfRemote(table, table.remote, context))
    return { ...unopened, schema: columns, unlisted: table, isNarrowed: false }
  }
  if (schema !== null) return { ...unopened, schema, unlisted: table, isNarrowed: false }
  const listing = await table.files(filter)
  const mayBeLearned =
    format.layout === 'row_groups' && listing.files.length > MOST_FEW && !listing.isNarrowed
  const learned = mayBeLearned
    ? await context.summaries.learnedSchemas(format, listing.files, statistics, context.ticket)
    : null
  if (learned !== null) {
    const merging = mergedSchema(format, listing.files, learned.schemas)
    const { schema: merged, conflicts } = merging instanceof Promise ? await merging : merging
    return {
      ...unopened,
      schema: withColumns(merged, listing.columns),
      ...refusedInFiles(conflicts, listing.columns),
      // Its files are inspected when the filter is known, as far as they may have rows that pass.
      unlisted: table,
      isNarrowed: false,
      rows: learned.rows,
    }
  }
  // Text has none: a query that compares other columns must not have the files inspected again.
  const wanted = { statistics: format.layout === 'text' ? [] : statistics, columns: [] }
  const { files, summaries } = await summarize(format, listing.files, wanted, context)
  if (format.layout === 'text') {
    for (const notice of noticesOf(listing.files, summaries)) context.onNotice(notice)
  }
  if (files !== listing.files) for (const notice of groupNotices(files, summaries)) context.onNotice(notice)
  // The list of the search is the same in the next query, and the merged schema is kept by it.
  const merging = mergedSchema(
    format,
    files.length === listing.files.length ? listing.files : files,
    summaries,
  )
  const { schema: merged, conflicts } = merging instanceof Promise ? await merging : merging
  const missing = missingTypedColumn(format, merged) ?? unknownName(summaries, merged)
  // The column may be in a file that the filter has left out.
  if (missing !== null && listing.isNarrowed) return openTable(table, statistics, context)
  if (missing !== null) throw missing
  return {
    relation,
    format,
    files,
    summaries,
    schema: withColumns(merged, listing.columns),
    ...refusedInFiles(conflicts, listing.columns),
    unlisted: null,
    isNarrowed: listing.isNarrowed,
    ...(listing.foldersLeftOut !== undefined && { foldersLeftOut: listing.foldersLeftOut }),
  }
}

/**
 * The table with its files and their summaries, which have what is wanted. Files may be left out if none of their rows can pass the
 * filter, and if they are summed: `wanted.sums` can then be added to what `summed` has. Of a table of another service the rows are fetched,
 * `wanted.limit` of them at most, the first ones in `wanted.order`; absent: all. Throws `schema_conflict` for a file in which a wanted column
 * does not fit that of the table.
 */
export async function list(
  table: FilesTable,
  filter: Condition | null,
  wanted: WantedOfFiles &
    Partial<Pick<WantedOfRemote, 'limit' | 'order' | 'groups'>> & { readonly sums?: AskedSums | null },
  context: Listing & Partial<Pick<QueryContext, 'onNotice' | 'areRowsRead' | 'areRemotesAsked'>>,
): Promise<FilesTable> {
  const { format, schema, unlisted } = table
  if (unlisted?.remote !== undefined) {
    const { columns, limit = Number.POSITIVE_INFINITY, order = [], groups = null } = wanted
    const isRead = context.areRowsRead !== false && context.areRemotesAsked !== false
    const read = { columns, filter, limit, order, groups }
    return {
      ...table,
      ...(await listRemote(unlisted, unlisted.remote, schema, read, isRead, context)),
      unlisted: null,
    }
  }
  const remaining = await findListed(table, filter, wanted.sums ?? null, context)
  const { files: all, pruned, foldersLeftOut, summed, dropSums } = remaining
  const others = pruned + (summed?.files ?? 0)
  const isPrunedByFile = format.layout === 'grid' || (format.layout === 'row_groups' && unlisted !== null)
  const learned = isPrunedByFile && filter !== null ? await knownOf(table, all, context) : []
  const isConsidered = learned.some((each) => each?.whole !== undefined)
  const withRows = isConsidered && filter !== null ? await filesWithRows(all, learned, schema, filter) : all
  const candidates = unlisted === null ? filesThatMayPass(withRows, schema.fields, filter) : withRows
  const columns = columnsOfFiles(format, candidates, wanted.columns)
  const read = { ...wanted, columns, areRowsWanted: context.areRowsRead !== false }
  const { files, summaries: readSummaries } = await summarize(format, candidates, read, context)
  if (unlisted !== null && context.onNotice !== undefined)
    for (const notice of groupNotices(files, readSummaries)) context.onNotice(notice)
  if (unlisted !== null) requireFitting(table.relation, schema, files, readSummaries, wanted.columns)
  return {
    ...table,
    ...(unlisted !== null && foldersLeftOut > 0 && { foldersLeftOut }),
    ...((withRows !== all || pruned > 0) && { filesPruned: pruned + all.length - withRows.length }),
    ...((isConsidered || others > 0) && { filesConsidered: others + all.length }),
    ...(summed !== undefined && { summed, dropSums }),
    files,
    summaries: await withConstants(readSummaries, files),
    unlisted: null,
  }
}

/** The files of a table, or those that its filter leaves if it has very many. */
async function findListed(
  { format, files, unlisted }: FilesTable,
  filter: Condition | null,
  sums: AskedSums | null,
  { ticket }: Pick<Listing, 'ticket'>,
): Promise<RemainingFiles & Partial<ManyRemaining>> {
  if (unlisted === null) return { files, pruned: 0, foldersLeftOut: 0 }
  const isLearned = format.layout === 'grid' && ticket.caching
  const remaining = isLearned ? await unlisted.remaining?.(filter, sums) : null
  if (remaining) return remaining
  const listing = await unlisted.files({ on: () => filter })
  return { files: listing.files, pruned: 0, foldersLeftOut: listing.foldersLeftOut ?? 0 }
}

/**
 * The columns that are asked of the files. Rows of grids depend on them, and columns of paths have no dimensions: without others,
 * the rows are those of all columns.
 */
function columnsOfFiles(
  format: FileFormat,
  files: readonly FileRef[],
  columns: readonly string[],
): readonly string[] {
  const [{ constants = null } = {}] = files
  if (!areRowsOfColumns(format) || constants === null) return columns
  return columns.filter((name) => !files.every((file) => Object.hasOwn(file.constants ?? {}, name)))
}

/**
 * The schema with further columns at its end. They replace those that have their names, as SQL compares names. Queries over the same
 * files get the same schema.
 */
const withColumns = memoizeLast((schema: Schema, columns: readonly Field[]): Schema => {
  if (columns.length === 0) return schema
  const names = new Set(columns.map(({ name }) => foldSqlName(name)))
  const fields = [...schema.fields.filter(({ name }) => !names.has(foldSqlName(name))), ...columns]
  return Object.freeze({ ...schema, fields: Object.freeze(fields) })
})

/** The refused columns that are read from the files, and not from their paths. */
function refusedInFiles(
  conflicts: readonly RefusedColumn[],
  columns: readonly Field[],
): Pick<FilesTable, 'refused'> {
  if (conflicts.length === 0) return {}
  const names = new Set(columns.map(({ name }) => foldSqlName(name)))
  const remaining = conflicts.filter(({ name }) => !names.has(foldSqlName(name)))
  return remaining.length === 0 ? {} : { refused: remaining }
}

/** Adds the constant columns of files to their summaries. Summaries are kept without them, since tables may share a file. */
async function withConstants(
  summaries: readonly FileSummary[],
  files: readonly FileRef[],
): Promise<readonly FileSummary[]> {
  if (await isTrueOfAll(files, ({ constants }) => constants === undefined)) return summaries
  return summaries.map((summary, index) => {
    const constants = files[index]?.constants
    return constants === undefined ? summary : { ...summary, constants }
  })
}

/** What is known of the files of a table. If it has just been listed, this query has not inspected them. */
async function knownOf(
  { format, summaries, unlisted }: FilesTable,
  files: readonly FileRef[],
  context: Listing,
): Promise<readonly (KnownOfFile | null)[]> {
  return unlisted === null ? summaries : context.summaries.learned(format, files, context.ticket)
}

/** Files as they are planned, and their summaries. Reports the documents of folders, which the plan depends on. */
async function summarize(
  format: FileFormat,
  files: readonly FileRef[],
  wanted: WantedOfFiles,
  { summaries, ticket, onAnswer, onObjects }: Listing,
): Promise<PlannedFiles> {
  const planned = await summaries.of(format, files, wanted, ticket, onAnswer)
  if (planned.files !== files) {
    onObjects(planned.documents)
    for (const { documents = [] } of planned.summaries) onObjects(documents)
  }
  return planned
}
