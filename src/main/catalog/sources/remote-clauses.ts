import { ServiceError } from '../../../plan/errors.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import { MASK } from '../../sql/grammar/texts.ts'

/** Throws `not_supported` for clauses of CREATE EXTERNAL TABLE that are about files. */
function requireNoFiles({ columns, partitions, order, format }: CreateExternalTable): void {
  const clauses = [
    columns === null ? null : 'A list of columns',
    partitions.length === 0 ? null : 'PARTITIONED BY',
    order.length === 0 ? null : 'WITH ORDER',
  ]
  const clause = clauses.find((each) => each !== null)
  if (clause === undefined) return
  throw new ServiceError(
    'not_supported',
    `${clause} is for files; a table of another service (STORED AS ${format}) has the columns that it has there.`,
  )
}

/**
 * The options of a table of a remote, by their keys. Throws `not_supported` for clauses that are about files and for those of `logins`, whose values would
 * have to be stored, and `invalid_sql` for a value that is what is printed in place of a secret.
 */
export function readRemoteOptions(
  statement: CreateExternalTable,
  logins: readonly string[],
): ReadonlyMap<string, string> {
  requireNoFiles(statement)
  const options = new Map(statement.options.map(({ key, value }) => [key, value]))
  const login = logins.find((key) => options.has(key))
  if (login !== undefined)
    throw new ServiceError(
      'not_supported',
      `OPTIONS: "${login}" is not read: write CREATE SECRET with the login, and name it by the option 'secret'.`,
      { quotesNothing: true },
    )
  if ([...options.values()].includes(MASK))
    throw new ServiceError(
      'invalid_sql',
      `OPTIONS: '${MASK}' stands for a value that is not told; write the value.`,
    )
  return options
}
