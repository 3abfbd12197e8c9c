import { requestKey } from '../../../../plan/statement/statement.ts'
import { openSource, type ResolvedSource } from '../../duckdb/sources.ts'
import { readingView } from '../../source/named/refusals.ts'
import type { QueryContext } from '../../source/query-context.ts'
import { conditionFilter } from '../bind/condition-filter.ts'
import { type OpenSource, openReading } from '../views/open-reading.ts'
import { readingOf } from '../views/source-reading.ts'
import type { ExpandedQuery, ExpandedSubquery } from './expand-query.ts'

/** A query and its subqueries with the sources that each of them reads. */
export interface OpenedQuery extends ExpandedQuery {
  readonly opened: readonly ResolvedSource[]
  readonly subqueries: readonly OpenedSubquery[]
}

export type OpenedSubquery = OpenedQuery & ExpandedSubquery

/** Opens the sources of a query and of its subqueries. What several of them read is opened once, with all of its files. */
export async function openQuery(query: ExpandedQuery, context: QueryContext): Promise<OpenedQuery> {
  if (query.subqueries.length === 0)
    return { ...query, opened: await openOne(query, context), subqueries: [] }
  const timesRead = new Map<string, number>()
  countSources(query, timesRead)
  const shared = new Map<string, Promise<ResolvedSource>>()
  const open: OpenSource = (request, statistics, _, filter) => {
    const key = requestKey(request)
    if (timesRead.get(key) === 1) return openSource(request, statistics, context, filter)
    const opening = shared.get(key) ?? openSource(request, statistics, context)
    shared.set(key, opening)
    return opening
  }
  return openAll(query, context, open)
}

async function openAll(query: ExpandedQuery, context: QueryContext, open: OpenSource): Promise<OpenedQuery> {
  const opened = await openOne(query, context, open)
  const subqueries: OpenedSubquery[] = []
  for (const subquery of query.subqueries)
    subqueries.push({ ...subquery, ...(await openAll(subquery, context, open)) })
  return { ...query, opened, subqueries }
}

function openOne(
  { select, view }: ExpandedQuery,
  context: QueryContext,
  open?: OpenSource,
): Promise<readonly ResolvedSource[]> {
  const reading = readingOf(select)
  return readingView(view, context.lookups.caller.rights, () =>
    openReading(reading, conditionFilter(reading.conditions), [], context, open),
  )
}

function countSources({ select, subqueries }: ExpandedQuery, times: Map<string, number>): void {
  for (const request of readingOf(select).from.sources) {
    const key = requestKey(request)
    times.set(key, (times.get(key) ?? 0) + 1)
  }
  for (const subquery of subqueries) countSources(subquery, times)
}

/** All sources that a query and its subqueries read, each once. */
export function sourcesOf({ opened, subqueries }: OpenedQuery): readonly ResolvedSource[] {
  return [...new Set([...opened, ...subqueries.flatMap(sourcesOf)])]
}
