import { isServiceError, type LeftOutArray, ServiceError } from '../../../plan/errors.ts'
import type { FileFormat } from '../../../plan/format/file-format.ts'
import type { FileRef } from '../../../plan/source/file.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import { NO_COLUMN_FILTER } from './column-filter.ts'
import type { FilesTable } from './files-table.ts'
import type { QueryContext } from './query-context.ts'

/** The most files of a table that are asked for a column. */
const MOST_FILES = 16

type Asking = Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer'>

/**
 * The error for a column that no file of the tables has. If a file of arrays has it but leaves it out of its rows, the message says its
 * dimensions and those of the rows. `isFolded`: letters of the name may be in the other case. Returns `error` if it is about something
 * else, or no file has such an array.
 */
export async function withDimensions(
  error: unknown,
  tables: readonly FilesTable[],
  isFolded: boolean,
  context: Asking,
): Promise<unknown> {
  if (!isServiceError(error) || error.column === undefined) return error
  const { column, at } = error
  // One after the other, so that the message is always about the first such file.
  for (const { format, files } of tables) {
    const refusal = await refusalIn(format, files, column, isFolded, context)
    if (refusal !== null)
      return new ServiceError('unknown_column', refusal.message, {
        cause: error,
        at,
        leftOut: refusal.leftOut,
      })
  }
  return error
}

/**
 * The array that an error is about, if the rows of a table leave it out: either its name is no column of the table, or it is a column of
 * some files and left out of others. Null: there is none.
 */
export async function findLeftOutArray(
  error: unknown,
  { format, files, unlisted }: FilesTable,
  isFolded: boolean,
  context: Asking,
): Promise<LeftOutArray | null> {
  if (!isServiceError(error)) return null
  if (error.leftOut !== undefined) return error.leftOut
  if (error.column === undefined || format.layout !== 'grid') return null
  const listed = unlisted === null ? files : (await unlisted.files(NO_COLUMN_FILTER)).files
  return (await refusalIn(format, listed, error.column, isFolded, context))?.leftOut ?? null
}

/** The error with which the first of some files refuses to read an array. Null: none does. */
async function refusalIn(
  format: FileFormat,
  files: readonly FileRef[],
  column: string,
  isFolded: boolean,
  context: Asking,
): Promise<ServiceError | null> {
  if (format.layout !== 'grid') return null
  for (const file of files.slice(0, MOST_FILES)) {
    const exact = await refusalOf(format, file, column, context)
    if (exact.refusal !== null || !isFolded) {
      if (exact.refusal !== null) return exact.refusal
      continue
    }
    const others = new Set([...exact.names, column.toUpperCase(), column.toLowerCase()])
    for (const name of others) {
      if (name === column || foldSqlName(name) !== foldSqlName(column)) continue
      const { refusal } = await refusalOf(format, file, name, context)
      if (refusal !== null) return refusal
    }
  }
  return null
}

/** The error with which a file refuses to read an array of this name. Null: it does not. `names` are those that it refuses, if they are known. */
async function refusalOf(
  format: FileFormat,
  file: FileRef,
  name: string,
  { summaries, ticket, onAnswer }: Asking,
): Promise<{ readonly refusal: ServiceError | null; readonly names: readonly string[] }> {
  // An answer lists the arrays that a file leaves out if the file is one of many.
  const wanted = { statistics: [], columns: [name], areMany: true }
  try {
    const planned = await summaries.of(format, [file], wanted, ticket, onAnswer)
    return { refusal: null, names: planned.summaries.flatMap(({ arrays }) => arrays?.layout.refused ?? []) }
  } catch (cause) {
    if (isServiceError(cause) && cause.code === 'unknown_column') return { refusal: cause, names: [] }
    // The query has an error without it.
    return { refusal: null, names: [] }
  }
}
