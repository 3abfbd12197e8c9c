import type { Formats } from '../../../../plan/format/create-formats.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import { tokenize } from '../../../sql/text/tokens.ts'
import { type Declinable, decline, orDeclined } from '../../bind/declined.ts'
import { limitedTo } from '../../plan/prepare-scan.ts'
import type { Select } from '../parse/ast.ts'
import { parseSelect } from '../parse/parse-select.ts'
import { bindUnrun } from '../subqueries/bind-query.ts'
import { subqueriesOf } from '../subqueries/expand-query.ts'
import type { OpenedQuery, OpenedSubquery } from '../subqueries/open-query.ts'
import { planKey } from './plan-key.ts'
import { printTree, type TableIn } from './print-tree.ts'
import { requireRelayable, requireShort } from './whole-statement.ts'

/**
 * The statement by which a service of this version makes the whole answer of a query over its tables, of which the client wants so many rows at most. What
 * is printed is parsed and bound again here, over the same columns: only if that gives the plan of the query does the other service make the
 * same answer. Declines all others.
 */
export function writtenStatement(
  query: OpenedQuery,
  plan: ScanPlan,
  tableIn: TableIn,
  formats: Formats,
  mostRows?: number,
): Declinable<string> {
  return orDeclined(() => {
    requireRelayable(plan.output)
    const { select } = query
    const limit = mostRows === undefined ? select.limit : Math.min(select.limit ?? mostRows, mostRows)
    const text = requireShort(printTree({ ...query, select: { ...select, limit } }, tableIn))
    const parsed = parseSelect(tokenize(text), formats)
    if ('reason' in parsed) return decline(`${parsed.reason.what} is not certain to be the same there`)
    const bound = bindUnrun(readAgain(parsed.done, query))
    if ('reason' in bound) return decline(`${bound.reason.what} is not certain to be the same there`)
    if (planKey(limitedTo(bound.done.plan, mostRows)) !== planKey(plan))
      decline('it is not certain that its text means the same there')
    return text
  })
}

/** The query that was printed, as it is read: over the sources of the one that it was printed from, in the same order. */
function readAgain(select: Select, { view, opened, subqueries }: OpenedQuery): OpenedQuery {
  const read = subqueriesOf(select)
  if (read.length !== subqueries.length) decline('subqueries that are written alike there')
  const inner = read.map(
    ({ key, at, select: one }, place): OpenedSubquery => ({
      ...readAgain(one, subqueries[place] ?? decline('a subquery')),
      key,
      at,
    }),
  )
  return { select, view, opened, subqueries: inner }
}
