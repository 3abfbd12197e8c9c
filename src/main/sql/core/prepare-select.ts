import type { ScanPlan } from '../../../plan/plan.ts'
import type { Lookups } from '../../catalog/lookups.ts'
import { printName } from '../../catalog/written-name.ts'
import { type Declinable, printReason, type Reason } from '../../query/bind/declined.ts'
import { type PreparedScan, prepareScan } from '../../query/plan/prepare-scan.ts'
import type { FilesTable } from '../../query/source/files-table.ts'
import { readingView } from '../../query/source/named/refusals.ts'
import type { QueryContext } from '../../query/source/query-context.ts'
import { nullsFirstNotices } from '../duckdb/number-notices.ts'
import { type PreparedStatement, prepareStatement, withReason } from '../duckdb/prepare-statement.ts'
import type { ResolvedSource } from '../duckdb/sources.ts'
import type { Statement } from '../gate/gate.ts'
import { bindSelect } from './bind/bind-select.ts'
import { conditionFilter } from './bind/condition-filter.ts'
import { joinedTable } from './bind/joined-table.ts'
import type { Select } from './parse/ast.ts'
import { parseSelect } from './parse/parse-select.ts'
import { openReading } from './views/open-reading.ts'
import { readingOf } from './views/source-reading.ts'
import type { ViewTrees } from './views/view-trees.ts'

/**
 * Prepares a statement that has passed the gate: as a plan for the core if it is a `SELECT` of the simple shape, otherwise for
 * DuckDB. Sources that were opened before the core declined are handed on, so that DuckDB reads the same files. Throws what
 * resolving a source throws, and what `prepareStatement` throws.
 */
export async function prepareSelect(
  statement: Statement,
  key: string,
  views: ViewTrees,
  context: QueryContext,
): Promise<PreparedScan | PreparedStatement> {
  const declined = async (reason: Reason, opened: readonly ResolvedSource[]): Promise<PreparedStatement> =>
    withReason(await prepareStatement(statement, opened, key, context), printReason(reason, statement.text))

  const parsed = parseSelect(statement.tokens, context.formats)
  if ('reason' in parsed) return declined(parsed.reason, [])
  const { lookups } = context
  const { expanded, opened } = await readingView(viewIn(parsed.done, lookups), lookups.caller.rights, () =>
    openExpanded(parsed.done, views, context),
  )
  if ('reason' in expanded) return declined(expanded.reason, [])
  const bound = bindOver(
    expanded.done,
    opened.map(({ table }) => table),
  )
  // DuckDB may need other files: its filter is found in another way.
  if ('reason' in bound)
    return declined(
      bound.reason,
      opened.filter(({ table }) => !table.isNarrowed),
    )
  for (const notice of nullsFirstNotices(statement.text, () => statement.tokens, [bound.done.table]))
    context.onNotice(notice, 'numbers')
  return prepareScan(bound.done.plan, bound.done.table, context)
}

/** The statement without names of views, and the sources that it reads. There are none if the core declines it. */
async function openExpanded(
  select: Select,
  views: ViewTrees,
  context: QueryContext,
): Promise<{ readonly expanded: Declinable<Select>; readonly opened: readonly ResolvedSource[] }> {
  const expanded = views.expanded(select, context.lookups)
  if ('reason' in expanded) return { expanded, opened: [] }
  const reading = readingOf(expanded.done)
  return { expanded, opened: await openReading(reading, conditionFilter(reading.conditions), [], context) }
}

/** The name of the view that the innermost query of a statement reads, as it is written. Null: it reads none. */
function viewIn({ from }: Select, lookups: Lookups): string | null {
  if (from.kind === 'select') return viewIn(from.select, lookups)
  const [source] = from.sources
  return source?.kind === 'table' && lookups.below(source)?.type === 'VIEW' ? printName(source) : null
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
