import { ServiceError } from '../../../plan/errors.ts'
import { systemRelation } from '../../../plan/statement/system-relations.ts'
import { columnRows } from '../../catalog/information-schema.ts'
import { printTableName } from '../../sql/statements/names.ts'
import type { ShowColumns } from '../../sql/statements/node.ts'
import type { WriteQuery } from '../context.ts'
import { describedColumns, tableOfName } from '../write/described-columns.ts'
import { type WrittenColumn, writeRows } from '../write/write-rows.ts'

const COLUMNS: readonly WrittenColumn[] = (
  systemRelation('information_schema', 'columns')?.columns.fields ?? []
).map(({ name, type }) => ({ name, type: type.kind === 'int' ? 'UBIGINT' : 'VARCHAR' }))

/** SHOW COLUMNS: the columns of a table, as `information_schema.columns` has them. */
export const showColumns: WriteQuery<ShowColumns> = async ({ name }, context) => {
  const table = tableOfName(name, context)
  if (table === null)
    throw new ServiceError(
      'unknown_table',
      `There is no table ${printTableName(name)}; SHOW TABLES lists them.`,
    )
  const columns = await describedColumns({ kind: 'name', name }, context)
  return writeRows(COLUMNS, columnRows(context.catalog.name, { ...table, columns }))
}
