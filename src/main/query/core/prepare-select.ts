import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Lookups } from '../../catalog/lookups.ts'
import { printName } from '../../catalog/written-name.ts'
import type { Statement } from '../../sql/gate/gate.ts'
import { type Declinable, printReason, type Reason } from '../bind/declined.ts'
import { divisionNotices, nullsFirstNotices } from '../duckdb/number-notices.ts'
import { type PreparedStatement, prepareStatement, withReason } from '../duckdb/prepare-statement.ts'
import type { ResolvedSource } from '../duckdb/sources.ts'
import { type PreparedScan, prepareScan } from '../plan/prepare-scan.ts'
import type { FilesTable } from '../source/files-table.ts'
import { readingView } from '../source/named/refusals.ts'
import { onOtherGrid } from '../source/other-grid.ts'
import type { QueryContext } from '../source/query-context.ts'
import { resolveSource } from '../source/resolve-source.ts'
import { bindSelect } from './bind/bind-select.ts'
import { conditionFilter } from './bind/condition-filter.ts'
import { joinedTable } from './bind/joined-table.ts'
import { dividesIntegers, viewTextsIn } from './integer-divisions.ts'
import type { Select } from './parse/ast.ts'
import { parseSelect } from './parse/parse-select.ts'
import { readClock } from './parse/read-clock.ts'
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
  const prepareDeclined = async (
    reason: Reason,
    opened: readonly ResolvedSource[],
  ): Promise<PreparedStatement> =>
    withReason(await prepareStatement(statement, opened, key, context), printReason(reason, statement.text))

  const clock = readClock(statement.tokens, Date.now())
  const parsed = parseSelect(clock.tokens, context.formats)
  if ('reason' in parsed) return prepareDeclined(parsed.reason, [])
  const { lookups } = context
  const { expanded, opened } = await readingView(viewIn(parsed.done, lookups), lookups.caller.rights, () =>
    openExpanded(parsed.done, views, context),
  )
  if ('reason' in expanded) return prepareDeclined(expanded.reason, [])
  const bound = bindOver(
    expanded.done,
    opened.map(({ table }) => table),
  )
  const hidden = clock.isAsked ? hiddenByColumn(clock.words, opened) : null
  if (hidden !== null)
    return prepareDeclined(
      hidden,
      opened.filter(({ table }) => !table.isNarrowed),
    )
  const onOther = await preparedOnOtherGrid(expanded.done, bound, opened, context)
  if (onOther !== null) return onOther
  // DuckDB may need other files: its filter is found in another way.
  if ('reason' in bound)
    return prepareDeclined(
      bound.reason,
      opened.filter(({ table }) => !table.isNarrowed),
    )
  const { plan, table } = bound.done
  const texts = dividesIntegers(plan) ? [statement.text, ...viewTextsIn(expanded.done, lookups)] : []
  for (const notice of [
    ...divisionNotices(texts),
    ...nullsFirstNotices(statement.text, () => statement.tokens, [table]),
  ])
    context.onNotice(notice, 'numbers')
  const prepared = await prepareScan(plan, table, context)
  return clock.isAsked ? { ...prepared, asksClock: true } : prepared
}

/** Why a word such as `current_date` is not the time. Null: it is. */
function hiddenByColumn(words: readonly string[], opened: readonly ResolvedSource[]): Reason | null {
  const names = new Set(
    opened.flatMap(({ table }) => table.schema.fields.map(({ name }) => foldSqlName(name))),
  )
  const hidden = words.find((word) => names.has(foldSqlName(word)))
  return hidden === undefined ? null : { what: `the column "${hidden}"`, at: null }
}

/**
 * The statement on the grid of the arrays that it names, if the core declines it because these are in no row of its source. Null: it
 * declines it for another reason, or there is no such grid.
 */
async function preparedOnOtherGrid(
  select: Select,
  bound: ReturnType<typeof bindOver>,
  opened: readonly ResolvedSource[],
  context: QueryContext,
): Promise<PreparedScan | null> {
  const [only, ...others] = opened
  if (!('reason' in bound) || bound.reason.column === undefined) return null
  if (only === undefined || others.length > 0 || only.table.format.layout !== 'grid') return null
  const { request } = only.source
  if (request === null || only.table.isNarrowed) return null
  const contract = { source: await resolveSource(request, context), table: only.table }
  try {
    return await onOtherGrid(unknownName(bound.reason.column), contract, true, context, async (table) => {
      const rebound = bindOver(select, [table])
      if ('done' in rebound) return prepareScan(rebound.done.plan, rebound.done.table, context)
      throw unknownName(rebound.reason.column)
    })
  } catch (error) {
    // DuckDB says what is wrong with the statement.
    if (isServiceError(error) && error.code === 'unknown_column') return null
    throw error
  }
}

function unknownName(column: string | undefined): ServiceError {
  return new ServiceError('unknown_column', 'There is no such column.', { column })
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
  return source?.kind === 'table' && lookups.findBelow(source)?.type === 'VIEW' ? printName(source) : null
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
