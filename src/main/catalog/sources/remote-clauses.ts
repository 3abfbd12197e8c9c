import { ServiceError } from '../../../plan/errors.ts'
import { isHiddenKey } from '../../sql/grammar/families/options.ts'
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
 * The options of a table of a remote, by their keys, without those whose values stand beside the statement. Throws `not_supported` for
 * clauses that are about files, and `invalid_sql` for a value that is what is printed in place of a secret.
 */
export function readRemoteOptions(statement: CreateExternalTable): ReadonlyMap<string, string> {
  requireNoFiles(statement)
  const shown = statement.options.filter(({ key }) => !isHiddenKey(key))
  if (shown.some(({ value }) => value === MASK)) throw maskedOption()
  return new Map(shown.map(({ key, value }) => [key, value]))
}

export function maskedOption(): ServiceError {
  return new ServiceError(
    'invalid_sql',
    `OPTIONS: '${MASK}' stands for a value that is not told; write the value.`,
    { quotesNothing: true },
  )
}
