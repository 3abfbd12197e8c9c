import type { ScanPlan } from '../../../../plan/plan.ts'
import type { GroupColumn, Predicate } from '../../../../plan/predicate/predicate.ts'
import type { Finish } from '../../../../plan/task/finish.ts'
import { field } from '../../../../plan/types/schema.ts'
import { decline } from '../../bind/declined.ts'
import { all, TRUE } from '../../bind/filters/combine.ts'
import { createGroupList } from '../../bind/group-list.ts'
import { createProjectionList } from '../../bind/projection-list.ts'
import type { Condition } from '../parse/ast.ts'
import { bindCondition, valuesIn } from './bind-condition.ts'
import type { Term } from './names-in-clauses.ts'
import { bindFilter, columnAt, columnOf, type Entry, orderOf, planOf, type Query, termIn } from './query.ts'

/** Binds a query that has one row for each group. */
export function bindGroups(query: Query): ScanPlan {
  const { select, entries } = query
  const projection = createProjectionList()
  const groups = createGroupList(projection)
  for (const { term, at } of groupTerms(query)) groups.addKey(columnAt(query, columnOf(term, at), at))
  const indexOf = (term: Term, at: number): number => {
    if (term.kind === 'aggregate') {
      const { aggregate, index } = term
      return groups.aggregateIndex(aggregate, index === null ? null : columnAt(query, index, at), at)
    }
    const index = groups.keyIndex(columnAt(query, term.index, at))
    return index ?? decline('a column that is neither grouped by nor in an aggregate', at)
  }
  const output = entries.map(({ term, at }) => indexOf(term, at))
  const { onKeys, onGroups } = splitHaving(query)
  // Conditions on keys become filters of rows below. This only checks that each of their values is a key.
  for (const value of onKeys.flatMap(valuesIn)) indexOf(query.termOf(value, 'having'), value.at)
  const having = all<GroupColumn>(
    onGroups.map((condition) =>
      bindCondition(condition, (value) => groups.columnAt(indexOf(query.termOf(value, 'having'), value.at))),
    ),
  )
  const order = orderOf(query, indexOf)
  const grouping = groups.grouping(unlessTrue(having))
  const { keys, aggregates } = grouping
  const given = new Set(output)
  if (select.isDistinct && !keys.every((_, index) => given.has(index)))
    decline('DISTINCT over groups that it does not tell apart')
  // The core fails when a sum overflows, even that of a group which is not in the answer. DuckDB would not compute that one.
  // Sums of narrower integers cannot overflow.
  const isCut = having !== TRUE || select.limit !== null || select.offset > 0
  const isWide = (index: number): boolean => {
    const type = projection.typeAt(index)
    return type.kind === 'int' && type.bits === 64
  }
  if (isCut && aggregates.some((each) => each.kind === 'sum' && isWide(each.argument)))
    decline('a sum of 64-bit integers in groups of which not all go out')
  const finish: Finish = {
    grouping,
    order,
    output: Object.freeze(output),
    isCounted: false,
  }
  const filters = [
    bindFilter(query, select.where, 'where'),
    ...onKeys.map((condition) => bindFilter(query, condition, 'having')),
  ]
  const fields = entries.map(({ name }, index) => field(name, groups.columnAt(output[index] ?? 0).type))
  return planOf(query, filters, projection.list, finish, fields)
}

function unlessTrue(predicate: Predicate<GroupColumn>): Predicate<GroupColumn> | null {
  return predicate === TRUE ? null : predicate
}

function groupTerms(query: Query): readonly Pick<Entry, 'term' | 'at'>[] {
  const { groupBy } = query.select
  if (groupBy === null) return []
  if (groupBy.kind === 'all') return query.entries.filter(({ term }) => term.kind === 'column')
  return groupBy.values.map((value) => ({ term: termIn(query, value, 'group'), at: value.at }))
}

/** Splits HAVING into the conditions on keys alone, which can filter rows before they are grouped, and the others. */
function splitHaving({ select: { having }, termOf }: Query): {
  readonly onKeys: readonly Condition[]
  readonly onGroups: readonly Condition[]
} {
  const conditions = having === null ? [] : having.kind === 'and' ? having.args : [having]
  const isOnKeys = (condition: Condition): boolean => {
    const values = valuesIn(condition)
    return values.length > 0 && values.every((value) => termOf(value, 'having').kind === 'column')
  }
  return {
    onKeys: conditions.filter(isOnKeys),
    onGroups: conditions.filter((condition) => !isOnKeys(condition)),
  }
}
