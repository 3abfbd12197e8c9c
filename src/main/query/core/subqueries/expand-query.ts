import { printName } from '../../../catalog/written-name.ts'
import { type Declinable, decline, orDeclined } from '../../bind/declined.ts'
import { readingView } from '../../source/named/refusals.ts'
import type { QueryContext } from '../../source/query-context.ts'
import type { Select, Subquery } from '../parse/ast.ts'
import type { ViewTrees } from '../views/view-trees.ts'
import { subqueriesIn, withSubqueries } from './with-subqueries.ts'

/** A query without names of views, and the subqueries in its expressions likewise. Those of views are not among them. */
export interface ExpandedQuery {
  readonly select: Select
  /** The name of the view that the innermost query reads, as it is written. Null: it reads none. */
  readonly view: string | null
  /** Those that are written alike are one. */
  readonly subqueries: readonly ExpandedSubquery[]
}

export interface ExpandedSubquery extends ExpandedQuery {
  /** Equal for subqueries that are written alike. */
  readonly key: string
  /** Where it is in the statement, in UTF-16 units. */
  readonly at: number
}

/** The most subqueries of a statement, at all depths. Each of them reads files. */
const MOST_SUBQUERIES = 64

/**
 * Puts the queries of views in place of their names, in a query and in its subqueries. Declines views that the core does not run, and throws
 * what looking them up throws. `budget` is how many subqueries the statement may still have.
 */
export async function expandQuery(
  select: Select,
  views: ViewTrees,
  context: Pick<QueryContext, 'lookups'>,
  budget = { subqueries: MOST_SUBQUERIES },
): Promise<Declinable<ExpandedQuery>> {
  const { lookups } = context
  const view = viewIn(select, context)
  const expanded = await readingView(view, lookups.caller.rights, async () => views.expanded(select, lookups))
  if ('reason' in expanded) return expanded
  const written = subqueriesOf(expanded.done)
  budget.subqueries -= written.length
  if (budget.subqueries < 0) return orDeclined(() => decline(`more than ${MOST_SUBQUERIES} subqueries`))
  const subqueries: ExpandedSubquery[] = []
  for (const { key, at, select: one } of written) {
    const inner = await expandQuery(one, views, context, budget)
    if ('reason' in inner) return inner
    subqueries.push({ ...inner.done, key, at })
  }
  return { done: { select: expanded.done, view, subqueries } }
}

/** The subqueries in the expressions of a query, with their keys. Of those that are written alike there is one. */
export function subqueriesOf(select: Select): readonly (Subquery & Pick<ExpandedSubquery, 'key'>)[] {
  const written = new Map(subqueriesIn(select).map((subquery) => [subqueryKey(subquery), subquery]))
  return [...written].map(([key, subquery]) => ({ ...subquery, key }))
}

/** The query with a value for each of its subqueries, which `constantOf` gives by their keys. */
export function withValues(
  select: Select,
  constantOf: (key: string) => NonNullable<Subquery['value']>,
): Select {
  return withSubqueries(select, (subquery) => ({ ...subquery, value: constantOf(subqueryKey(subquery)) }))
}

export function subqueryKey({ select }: Pick<Subquery, 'select'>): string {
  return JSON.stringify(select, (key, value: unknown) =>
    key === 'at' ? 0 : typeof value === 'bigint' ? `${value}` : value,
  )
}

function viewIn({ from }: Select, context: Pick<QueryContext, 'lookups'>): string | null {
  if (from.kind === 'select') return viewIn(from.select, context)
  const [source] = from.sources
  return source?.kind === 'table' && context.lookups.findBelow(source)?.type === 'VIEW'
    ? printName(source)
    : null
}
