import { typeName } from '../../../plan/types/schema.ts'
import type { Describe } from '../../sql/grammar/node.ts'
import type { WriteQuery } from '../context.ts'
import { describedColumns } from '../write/described-columns.ts'
import { writeRows } from '../write/write-rows.ts'

const COLUMNS = [
  { name: 'column_name', type: 'VARCHAR' },
  { name: 'data_type', type: 'VARCHAR' },
  { name: 'is_nullable', type: 'VARCHAR' },
] as const

/** DESCRIBE: the columns of a table, a view or a query. */
export const describe: WriteQuery<Describe> = async ({ of }, context) => {
  const { fields } = await describedColumns(of, context)
  return writeRows(
    COLUMNS,
    fields.map(({ name, type, nullable }) => [name, typeName(type), nullable ? 'YES' : 'NO']),
  )
}
