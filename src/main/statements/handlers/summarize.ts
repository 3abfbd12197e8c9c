import type { Summarize } from '../../sql/grammar/node.ts'
import type { WriteQuery } from '../context.ts'
import { columnsOfRows, queryText } from '../write/described-columns.ts'
import { writeSummary } from '../write/write-summary.ts'

/** SUMMARIZE: one row of exact aggregates for each column. */
export const summarize: WriteQuery<Summarize> = async ({ of }, context) => {
  const { fields } = await columnsOfRows(of, context)
  return writeSummary(queryText(of), fields)
}
