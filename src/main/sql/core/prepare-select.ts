import { type Outcome, printReason } from '../../query/bind/declined.ts'
import { type PreparedScan, prepareScan } from '../../query/plan/prepare-scan.ts'
import { openTable } from '../../query/source/files-table.ts'
import type { QueryContext } from '../../query/source/query-context.ts'
import { resolveSource } from '../../query/source/resolve-source.ts'
import { type PreparedStatement, prepareStatement, withReason } from '../duckdb/prepare-statement.ts'
import { valuesIn } from './bind/bind-condition.ts'
import { bindSelect } from './bind/bind-select.ts'
import { joinedTable } from './bind/joined-table.ts'
import type { FromFiles, Select } from './parse/ast.ts'
import { parseSelect } from './parse/parse-select.ts'

/**
 * Prepares a statement that passed the gate: a plan for the core if it is a `SELECT` of the simple shape, else DuckDB's. Throws
 * what resolving a source throws, and for DuckDB's what `prepareStatement` throws.
 */
export async function prepareSelect(
  sql: string,
  key: string,
  context: QueryContext,
): Promise<PreparedScan | PreparedStatement> {
  const parsed = parseSelect(sql, context.formats)
  const prepared = 'reason' in parsed ? parsed : await prepareParsed(parsed.done, context)
  if ('done' in prepared) return prepared.done
  return withReason(await prepareStatement(sql, [], key, context), printReason(prepared.reason, sql))
}

async function prepareParsed(select: Select, context: QueryContext): Promise<Outcome<PreparedScan>> {
  const { sources, statistics } = readBy(select)
  const tables = await Promise.all(
    sources.map((source) =>
      openTable(resolveSource({ kind: 'files', ...source }, context), statistics, context),
    ),
  )
  const table = joinedTable(tables)
  if ('reason' in table) return table
  const bound = bindSelect(select, table.done)
  if ('reason' in bound) return bound
  return { done: await prepareScan(bound.done, table.done, context) }
}

/** What the innermost query reads, and the columns that its conditions name, as they are written. */
function readBy({
  from,
  where,
}: Select): Pick<FromFiles, 'sources'> & { readonly statistics: readonly string[] } {
  if (from.kind === 'select') return readBy(from.select)
  const values = where === null ? [] : valuesIn(where)
  const names = values.flatMap((value) => (value.kind === 'column' ? [value.name] : []))
  return { sources: from.sources, statistics: [...new Set(names)] }
}
