import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { FilesTable } from './files-table.ts'
import type { QueryContext } from './query-context.ts'

/** The most files of a table that are asked for a column. */
const MOST_FILES = 16

/**
 * The error for a column that no file of the tables has. If a file of arrays has it but leaves it out of its rows, the message says its
 * dimensions and those of the rows. `isFolded`: letters of the name may be in the other case. Returns `error` if it is about something
 * else, or no file has such an array.
 */
export async function withDimensions(
  error: unknown,
  tables: readonly FilesTable[],
  isFolded: boolean,
  { summaries, ticket, onAnswer }: Pick<QueryContext, 'summaries' | 'ticket' | 'onAnswer'>,
): Promise<unknown> {
  if (!isServiceError(error) || error.column === undefined) return error
  const { column, at } = error
  const names = new Set(isFolded ? [column, column.toUpperCase(), column.toLowerCase()] : [column])
  const asked = tables
    .filter(({ format }) => format.layout === 'grid')
    .flatMap(({ format, files }) =>
      files.slice(0, MOST_FILES).flatMap((file) => Array.from(names, (name) => ({ format, file, name }))),
    )
  try {
    // One after the other, so that the message is always about the first such file.
    for (const { format, file, name } of asked)
      await summaries.of(format, [file], { statistics: [], columns: [name] }, ticket, onAnswer)
  } catch (cause) {
    if (isServiceError(cause) && cause.code === 'unknown_column')
      return new ServiceError('unknown_column', cause.message, { cause: error, at })
  }
  return error
}
