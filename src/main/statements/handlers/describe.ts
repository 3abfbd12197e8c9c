import { typeName } from '../../../plan/types/schema.ts'
import type { Describe, Summarize } from '../../sql/grammar/node.ts'
import type { WriteQuery } from '../context.ts'
import { columnsOfRows, describedColumns, queryText } from '../write/described-columns.ts'
import { writeRows } from '../write/write-rows.ts'
import { writeSummary } from '../write/write-summary.ts'

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

/** SUMMARIZE: one row of exact aggregates for each column. */
export const summarize: WriteQuery<Summarize> = async ({ of }, context) => {
  const { fields } = await columnsOfRows(of, context)
  return writeSummary(queryText(of), fields)
}
