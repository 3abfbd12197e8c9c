import type { ScanPlan } from '../../../plan/plan.ts'
import { type Declinable, printReason, type Reason } from '../../query/bind/declined.ts'
import { type PreparedScan, prepareScan } from '../../query/plan/prepare-scan.ts'
import type { FilesTable } from '../../query/source/files-table.ts'
import type { QueryContext } from '../../query/source/query-context.ts'
import { type PreparedStatement, prepareStatement, withReason } from '../duckdb/prepare-statement.ts'
import { openSource, type ResolvedSource } from '../duckdb/sources.ts'
import type { Statement } from '../gate/gate.ts'
import { valuesIn } from './bind/bind-condition.ts'
import { bindSelect } from './bind/bind-select.ts'
import { joinedTable } from './bind/joined-table.ts'
import type { FromSources, Select } from './parse/ast.ts'
import { parseSelect } from './parse/parse-select.ts'

/**
 * Prepares a statement that has passed the gate: as a plan for the core if it is a `SELECT` of the simple shape, otherwise for
 * DuckDB. Sources that were opened before the core declined are handed on, so that DuckDB reads the same files. Throws what
 * resolving a source throws, and what `prepareStatement` throws.
 */
export async function prepareSelect(
  { text, tokens }: Statement,
  key: string,
  context: QueryContext,
): Promise<PreparedScan | PreparedStatement> {
  const declined = async (reason: Reason, opened: readonly ResolvedSource[]): Promise<PreparedStatement> =>
    withReason(await prepareStatement(text, opened, key, context), printReason(reason, text))

  const parsed = parseSelect(tokens, context.formats)
  if ('reason' in parsed) return declined(parsed.reason, [])
  const { sources, statistics } = readBy(parsed.done)
  const opened = await Promise.all(sources.map((source) => openSource(source, statistics, context)))
  const bound = bindOver(
    parsed.done,
    opened.map(({ table }) => table),
  )
  if ('reason' in bound) return declined(bound.reason, opened)
  return prepareScan(bound.done.plan, bound.done.table, context)
}

/** Binds a statement to the tables that its innermost query names. */
function bindOver(
  select: Select,
  tables: readonly FilesTable[],
): Declinable<{ readonly plan: ScanPlan; readonly table: FilesTable }> {
  const table = joinedTable(tables)
  if ('reason' in table) return table
  const plan = bindSelect(select, table.done)
  return 'reason' in plan ? plan : { done: { plan: plan.done, table: table.done } }
}

/**
 * The sources of the innermost query, and the columns that its conditions name, as they are written: the statistics of these
 * columns are read together with the schema.
 */
function readBy({
  from,
  where,
}: Select): Pick<FromSources, 'sources'> & { readonly statistics: readonly string[] } {
  if (from.kind === 'select') return readBy(from.select)
  const values = where === null ? [] : valuesIn(where)
  const names = values.flatMap((value) => (value.kind === 'column' ? [value.name] : []))
  return { sources: from.sources, statistics: [...new Set(names)] }
}
