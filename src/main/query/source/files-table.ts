import { ServiceError } from '../../../plan/errors.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import type { FileSummary } from '../../../plan/source/segments.ts'
import { placesOf, type Schema, sameType, typeName } from '../../../plan/types/schema.ts'
import { mergedSchema } from './merge-schema.ts'
import type { QueryContext } from './query-context.ts'
import type { WantedOfFiles } from './summaries.ts'
import type { Table } from './table.ts'
import { widen } from './widen.ts'

/** What a query reads: what messages call it, and the files. */
export interface Source {
  readonly relation: string
  readonly format: FileFormat
  readonly files: readonly FileRef[]
}

/** A table whose columns are known. */
export interface FilesTable extends Source {
  readonly schema: Schema
  /** In the order of the files. */
  readonly summaries: readonly FileSummary[]
  /** Set while its files are not listed, which `listed` does once the filter is known: `files` and `summaries` are empty until then. */
  readonly unlisted: Table | null
}

type Opening = Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer'>

/** Learns the columns of a table: where they are not known, by listing its files and reading what is not known of them. */
export async function openTable(
  table: Table,
  statistics: readonly string[],
  context: Opening,
): Promise<FilesTable> {
  const { relation, format, schema } = table
  if (schema !== null) return { relation, format, schema, files: [], summaries: [], unlisted: table }
  const files = await table.files(null)
  const summaries = await summariesOf(format, files, { statistics, columns: [] }, context)
  return {
    relation,
    format,
    files,
    summaries,
    schema: mergedSchema(format, files, summaries),
    unlisted: null,
  }
}

/**
 * The table with its files, of which some may be left out that have no row that passes the filter, and their summaries with what is
 * wanted. Throws `schema_conflict` for a file whose columns do not fit those of the table.
 */
export async function listed(
  table: FilesTable,
  filter: Predicate | null,
  wanted: WantedOfFiles,
  context: Opening,
): Promise<FilesTable> {
  const { format, schema, unlisted } = table
  const files = unlisted === null ? table.files : await unlisted.files(filter)
  const known = await summariesOf(format, files, wanted, context)
  if (unlisted !== null)
    for (const [place, file] of files.entries()) requireFitting(table, schema, file, known[place])
  return { ...table, files, summaries: withConstants(known, files), unlisted: null }
}

/** What is kept of files knows nothing of the tables that they are part of. */
function withConstants(summaries: readonly FileSummary[], files: readonly FileRef[]): readonly FileSummary[] {
  if (files.every(({ constants }) => constants === undefined)) return summaries
  return summaries.map((summary, place) => {
    const constants = files[place]?.constants
    return constants === undefined ? summary : { ...summary, constants }
  })
}

function summariesOf(
  format: FileFormat,
  files: readonly FileRef[],
  wanted: WantedOfFiles,
  { summaries, ticket, onAnswer }: Opening,
): Promise<readonly FileSummary[]> {
  return summaries.of(format, files, wanted, ticket, onAnswer)
}

/** Throws unless each column that the file shares with the table is read in the type of the table. */
function requireFitting(
  { relation }: FilesTable,
  { fields }: Schema,
  { path, constants = {} }: FileRef,
  summary: FileSummary | undefined,
): void {
  const places = placesOf(fields)
  for (const { name, type } of summary?.schema.fields ?? []) {
    const wanted = fields[places.get(name) ?? -1]?.type
    if (wanted === undefined || Object.hasOwn(constants, name)) continue
    const wider = widen(type, wanted)
    if (wider === null || !sameType(wider, wanted))
      throw new ServiceError(
        'schema_conflict',
        `Column "${name}" is ${typeName(type)} in "${path}", which does not fit into ${typeName(wanted)}, its type in the table ${relation}.`,
      )
  }
}
