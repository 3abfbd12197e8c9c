import { ServiceError } from '../../../plan/errors.ts'
import { systemRelation } from '../../../plan/statement/system-relations.ts'
import { columnRows } from '../../catalog/information-schema.ts'
import { printTableName } from '../../sql/grammar/names.ts'
import type { ShowColumns } from '../../sql/grammar/node.ts'
import type { WriteQuery } from '../context.ts'
import { columnsOfRows, describedColumns, tableOfName } from '../write/described-columns.ts'
import { type WrittenColumn, writeRows } from '../write/write-rows.ts'

const COLUMNS: readonly WrittenColumn[] = (
  systemRelation('information_schema', 'columns')?.columns.fields ?? []
).map(({ name, type }) => ({ name, type: type.kind === 'int' ? 'UBIGINT' : 'VARCHAR' }))

/** SHOW COLUMNS: the columns of a table, as `information_schema.columns` has them. */
export const showColumns: WriteQuery<ShowColumns> = async ({ name }, context) => {
  const of = { kind: 'name', name } as const
  const table = tableOfName(name, context)
  if (table === null) {
    // A query says what other callers may be told: the same of what is not there and of what they may not read.
    if (!context.caller.isSuperUser) await columnsOfRows(of, context)
    throw new ServiceError(
      'unknown_table',
      `There is no table ${printTableName(name)}; SHOW TABLES lists them.`,
    )
  }
  const columns = await describedColumns(of, context)
  return writeRows(COLUMNS, columnRows(context.catalog.name, { ...table, columns }))
}
