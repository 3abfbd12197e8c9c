import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import { type ScanPlan, withSubplans } from '../../../plan/plan.ts'
import { foldSqlName } from '../../../plan/statement/statement.ts'
import type { Statement } from '../../sql/gate/gate.ts'
import { orDeclinedLater, printReason, type Reason } from '../bind/declined.ts'
import { divisionNotices, nullsFirstNotices } from '../duckdb/number-notices.ts'
import {
  type PreparedStatement,
  prepareOrRelay,
  prepareStatement,
  withReason,
} from '../duckdb/prepare-statement.ts'
import type { ResolvedSource } from '../duckdb/sources.ts'
import { limitedTo, type PreparedScan, prepareScan } from '../plan/prepare-scan.ts'
import { onOtherGrid } from '../source/other-grid.ts'
import type { QueryContext } from '../source/query-context.ts'
import { resolveSource } from '../source/resolve-source.ts'
import { dividesIntegers, viewTextsIn } from './integer-divisions.ts'
import { parseSelect } from './parse/parse-select.ts'
import { readClock } from './parse/read-clock.ts'
import { prepareWhole, withWhyNot } from './relay/prepare-relayed.ts'
import { relayStatement } from './relay/relay-statement.ts'
import { bindQuery, bindUnrun } from './subqueries/bind-query.ts'
import { expandQuery } from './subqueries/expand-query.ts'
import { type OpenedQuery, openQuery, sourcesOf } from './subqueries/open-query.ts'
import { runSubqueries, type SubqueryRunner } from './subqueries/run-subqueries.ts'
import type { ViewTrees } from './views/view-trees.ts'

/**
 * Prepares a statement that has passed the gate: as a plan for the core if it is a `SELECT` of the simple shape, otherwise for
 * DuckDB. Its subqueries are run by `runner`. Null: they are not run, because the plan alone is wanted. Sources that were opened before the
 * core declined are handed on, so that DuckDB reads the same files. Throws what resolving a source throws, and what `prepareStatement`
 * throws.
 */
export async function prepareSelect(
  statement: Statement,
  key: string,
  views: ViewTrees,
  context: QueryContext,
  runner: SubqueryRunner | null,
): Promise<PreparedScan | PreparedStatement> {
  const prepareDeclined = async (
    reason: Reason,
    opened: readonly ResolvedSource[],
  ): Promise<PreparedScan | PreparedStatement> => {
    const prepared = await prepareOrRelay(statement, opened, key, context, relayStatement)
    return 'lease' in prepared ? withReason(prepared, printReason(reason, statement.text)) : prepared
  }

  // Its rows are those of DuckDB here.
  if (context.whyNotOnCore !== undefined)
    return withReason(await prepareStatement(statement, [], key, context), context.whyNotOnCore)
  const clock = readClock(statement.tokens, Date.now())
  const parsed = parseSelect(clock.tokens, context.formats)
  if ('reason' in parsed) return prepareDeclined(parsed.reason, [])
  const { lookups } = context
  const expanded = await expandQuery(parsed.done, views, context)
  if ('reason' in expanded) return prepareDeclined(expanded.reason, [])
  const query = await openQuery(expanded.done, context)
  const sources = sourcesOf(query)
  // DuckDB may need other files: its filter is found in another way.
  const whole = sources.filter(({ table }) => !table.isNarrowed)
  const unrun = bindUnrun(query)
  const hidden = clock.isAsked ? hiddenByColumn(clock.words, sources) : null
  if (hidden !== null) return prepareDeclined(hidden, whole)
  const onOther = await preparedOnOtherGrid(query, unrun, context)
  if (onOther !== null) return onOther
  if ('reason' in unrun) return prepareDeclined(unrun.reason, whole)
  const tellNotices = (plan: ScanPlan): void => {
    const texts = withSubplans(plan).some(dividesIntegers)
      ? [statement.text, ...viewTextsIn(query, lookups)]
      : []
    const tables = sources.map((source) => source.table)
    for (const notice of [
      ...divisionNotices(texts),
      ...nullsFirstNotices(statement.text, () => statement.tokens, tables),
    ])
      context.onNotice(notice, 'numbers')
  }
  const asked = clock.isAsked ? { asksClock: true as const } : {}
  const relayed = await prepareWhole(query, unrun.done, context)
  if (relayed !== null && 'done' in relayed) {
    tellNotices(unrun.done.plan)
    return { ...relayed.done, ...asked }
  }
  const hasSubqueries = query.subqueries.length > 0
  const bound =
    hasSubqueries && runner !== null
      ? await orDeclinedLater(() => runSubqueries(query, runner, context))
      : unrun
  if ('reason' in bound) return prepareDeclined(bound.reason, whole)
  const { plan, table } = bound.done
  tellNotices(plan)
  const prepared = await prepareScan(limitedTo(plan, context.mostRows), table, context)
  if (hasSubqueries) runner?.requireOneState()
  return { ...(relayed === null ? prepared : withWhyNot(prepared, relayed.reason.what)), ...asked }
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
  query: OpenedQuery,
  bound: ReturnType<typeof bindUnrun>,
  context: QueryContext,
): Promise<PreparedScan | null> {
  const [only, ...others] = query.opened
  if (query.subqueries.length > 0) return null
  if (!('reason' in bound) || bound.reason.column === undefined) return null
  if (only === undefined || others.length > 0 || only.table.format.layout !== 'grid') return null
  const { request } = only.source
  if (request === null || only.table.isNarrowed) return null
  const contract = { source: await resolveSource(request, context), table: only.table }
  try {
    return await onOtherGrid(unknownName(bound.reason.column), contract, true, context, async (table) => {
      const rebound = bindQuery({ ...query, opened: [{ ...only, table }] }, [])
      if ('done' in rebound) {
        const { done } = rebound
        return prepareScan(limitedTo(done.plan, context.mostRows), done.table, context)
      }
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
