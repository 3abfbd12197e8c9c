import { ServiceError } from '../../../plan/errors.ts'
import { printTableName } from '../../sql/grammar/names.ts'
import type { ShowCreateTable } from '../../sql/grammar/node.ts'
import { printStatement } from '../../sql/grammar/print-statement.ts'
import type { WriteQuery } from '../context.ts'
import { tableOfName } from '../write/described-columns.ts'
import { writeRows } from '../write/write-rows.ts'

const COLUMNS = [
  { name: 'table_catalog', type: 'VARCHAR' },
  { name: 'table_schema', type: 'VARCHAR' },
  { name: 'table_name', type: 'VARCHAR' },
  { name: 'definition', type: 'VARCHAR' },
] as const

/** SHOW CREATE TABLE: the statement that creates a table or a view again. Null for the tables of the service itself. */
export const showCreateTable: WriteQuery<ShowCreateTable> = async ({ name }, context) => {
  const table = tableOfName(name, context)
  if (table === null)
    throw new ServiceError(
      'unknown_table',
      `There is no table ${printTableName(name)}; SHOW TABLES lists them.`,
    )
  const definition = table.definition && printStatement(table.definition.statement)
  return writeRows(COLUMNS, [[context.catalog.name, table.schema, table.name, definition]])
}
