import type { ScanPlan } from '../../../plan/plan.ts'
import { type Declinable, printReason, type Reason } from '../../query/bind/declined.ts'
import { type PreparedScan, prepareScan } from '../../query/plan/prepare-scan.ts'
import { type ColumnFilter, NO_COLUMN_FILTER } from '../../query/source/column-filter.ts'
import type { FilesTable } from '../../query/source/files-table.ts'
import type { QueryContext } from '../../query/source/query-context.ts'
import { type PreparedStatement, prepareStatement, withReason } from '../duckdb/prepare-statement.ts'
import { hasRenamed, openSource, type ResolvedSource } from '../duckdb/sources.ts'
import type { Statement } from '../gate/gate.ts'
import { valuesIn } from './bind/bind-condition.ts'
import { bindSelect } from './bind/bind-select.ts'
import { conditionFilter } from './bind/condition-filter.ts'
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
  const { sources, where, alias } = readBy(parsed.done)
  const names =
    where === null ? [] : valuesIn(where).flatMap((value) => (value.kind === 'column' ? [value.name] : []))
  const statistics = [...new Set(names)]
  const open = (filter: ColumnFilter): Promise<readonly ResolvedSource[]> =>
    Promise.all(sources.map((source) => openSource(source, statistics, context, filter)))
  const filter = where === null ? NO_COLUMN_FILTER : conditionFilter(where, alias)
  const first = await open(filter)
  // By these names the filter may mean other columns than those that it was applied to.
  const opened = first.some(({ table }) => table.isNarrowed && hasRenamed(table))
    ? await open(NO_COLUMN_FILTER)
    : first
  const bound = bindOver(
    parsed.done,
    opened.map(({ table }) => table),
  )
  // DuckDB may need other files: its filter is found in another way.
  if ('reason' in bound)
    return declined(
      bound.reason,
      opened.filter(({ table }) => !table.isNarrowed),
    )
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

/** What the innermost query reads, and its condition. */
function readBy({ from, where }: Select): FromSources & Pick<Select, 'where'> {
  return from.kind === 'select' ? readBy(from.select) : { ...from, where }
}
