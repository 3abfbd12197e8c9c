import { ServiceError } from '../../../plan/errors.ts'
import type { CreateExternalTable } from '../../sql/grammar/node.ts'
import { MASK } from '../../sql/grammar/texts.ts'

/** Throws `not_supported` for clauses of CREATE EXTERNAL TABLE that are about files. */
export function requireNoFiles({ columns, partitions, order, format }: CreateExternalTable): void {
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

/** Throws `invalid_sql` if a value of an option is what is printed in place of a secret. */
export function refuseMasked(values: Iterable<string>): void {
  if ([...values].includes(MASK))
    throw new ServiceError(
      'invalid_sql',
      `OPTIONS: '${MASK}' stands for a value that is not told; write the value.`,
    )
}
