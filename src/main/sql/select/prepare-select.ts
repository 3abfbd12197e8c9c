import type { QueryContext } from '../../query/context.ts'
import { type FilesTable, resolveTable } from '../../query/files-table.ts'
import { type PreparedScan, prepareScan } from '../../query/prepare-scan.ts'
import { printReason } from '../leave.ts'
import { type PreparedStatement, prepareStatement, withReason } from '../prepare-statement.ts'
import type { Select } from './ast.ts'
import { valuesIn } from './bind-condition.ts'
import { bindSelect } from './bind-select.ts'
import { parseSelect } from './parse-select.ts'

/**
 * Prepares a statement that passed the gate: a plan for the core if it is a `SELECT` of the simple shape, else DuckDB's. Throws
 * what resolving a source throws, and for DuckDB's what `prepareStatement` throws.
 */
export async function prepareSelect(
  sql: string,
  key: string,
  context: QueryContext,
): Promise<PreparedScan | PreparedStatement> {
  const parsed = parseSelect(sql)
  const toDuckDB = async (reason: string) => withReason(await prepareStatement(sql, [], key, context), reason)
  if ('reason' in parsed) return toDuckDB(printReason(parsed.reason, sql))
  const table = await tableOf(parsed.done, context)
  const bound = bindSelect(parsed.done, table)
  if ('reason' in bound) return toDuckDB(printReason(bound.reason, sql))
  return prepareScan(bound.done, table, context)
}

/** The files of the innermost query, with statistics of the columns that its conditions name, as far as they are named so. */
function tableOf({ from, where }: Select, context: QueryContext): Promise<FilesTable> {
  if (from.kind === 'select') return tableOf(from.select, context)
  const values = where === null ? [] : valuesIn(where)
  const names = new Set(values.flatMap((value) => (value.kind === 'column' ? [value.name] : [])))
  return resolveTable(from.source, [...names], context)
}
