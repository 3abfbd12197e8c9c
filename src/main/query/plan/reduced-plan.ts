import { groupsOfExpression, type TypedExpression, withColumns } from '../../../plan/expression.ts'
import { narrow } from '../../../plan/narrowed.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import {
  argumentsOf,
  columnsOfFirsts,
  expressionsOfOuter,
  type Finish,
  type FirstRows,
  type Grouping,
  isRows,
  type SortKey,
  withArguments,
  withOuterExpressions,
} from '../../../plan/task/finish.ts'

/**
 * A plan with the same answer that reads and computes no more than is necessary. Rows that are only counted are not sorted, columns
 * that nothing depends on are not read, and aggregates that nothing depends on are not computed: DuckDB does not compute them either,
 * so a sum that exceeds its type is no error there.
 */
export function reducedPlan(written: ScanPlan): ScanPlan {
  const plan = { ...written, finish: withUsedOutput(written.finish) }
  const { scan, finish } = plan
  const { grouping, isCounted } = finish
  if (isRows(finish)) {
    const { output } = finish
    return { ...plan, scan: narrow(scan, output), finish: { ...finish, output: indexes(output) } }
  }
  const needed = isCounted ? { ...finish, order: [] } : finish
  if (finish.firsts !== undefined) return reducedFirsts(plan, needed, finish.firsts)
  if (grouping === null) return { ...plan, scan: isCounted ? narrow(scan, []) : scan, finish: needed }
  return isCount(grouping)
    ? { ...plan, scan: narrow(scan, []), finish: needed }
    : reducedGroups(plan, needed, grouping)
}

/** The same without output columns that the query around it does not read. */
function withUsedOutput(finish: Finish): Finish {
  const { outer, output } = finish
  if (outer === undefined) return finish
  const read = expressionsOfOuter(outer).flatMap(groupsOfExpression)
  const used = [...new Set(read)].sort((a, b) => a - b)
  const narrowed = (expression: TypedExpression): TypedExpression =>
    withColumns(expression, (column) =>
      column.kind === 'group' ? { ...column, index: used.indexOf(column.index) } : column,
    )
  return {
    ...finish,
    output: used.flatMap((index) => output[index] ?? []),
    outer: { ...withOuterExpressions(outer, narrowed), finish: withUsedOutput(outer.finish) },
  }
}

/** Whether a grouping gives the number of all rows, and nothing else. */
export function isCount({ keys, aggregates }: Grouping): boolean {
  return keys.length === 0 && aggregates.every(({ kind }) => kind === 'count_rows')
}

/** The number of the rows that are counted does not depend on which they are, nor on their numbers. */
function reducedFirsts(plan: ScanPlan, finish: Finish, firsts: FirstRows): ScanPlan {
  const { scan } = plan
  const wanted = finish.isCounted ? { ...firsts, order: [], isNumbered: false } : firsts
  const used = [...columnsOfFirsts(wanted), ...finish.order.map(({ column }) => column), ...finish.output]
  const read = [...new Set(used)].filter((index) => index < scan.projection.length).sort((a, b) => a - b)
  // The column of the numbers is behind all others.
  const placeOf = (index: number): number =>
    index < scan.projection.length ? read.indexOf(index) : read.length
  const moved = (key: SortKey): SortKey => ({ ...key, column: placeOf(key.column) })
  return {
    ...plan,
    scan: narrow(scan, read),
    finish: {
      ...finish,
      firsts: { ...wanted, keys: wanted.keys.map(placeOf), order: wanted.order.map(moved) },
      order: finish.order.map(moved),
      output: finish.output.map(placeOf),
    },
  }
}

function reducedGroups(plan: ScanPlan, finish: Finish, grouping: Grouping): ScanPlan {
  const { keys, aggregates, having, computed = [] } = grouping
  const given = new Set([...finish.output, ...finish.order.map(({ column }) => column)])
  const firstComputed = keys.length + aggregates.length
  const usedComputed = computed.filter((_, place) => given.has(firstComputed + place))
  const used = new Set([
    ...given,
    ...usedComputed.flatMap(groupsOfExpression),
    ...(having === null ? [] : groupsOfExpression(having)),
  ])
  const usedAggregates = aggregates.filter((_, place) => used.has(keys.length + place))
  if (usedAggregates.length === aggregates.length && usedComputed.length === computed.length)
    return { ...plan, finish }
  const read = [...new Set([...keys, ...usedAggregates.flatMap(argumentsOf)])]
  const placeOf = (column: number) => read.indexOf(column)
  // Keys stay where they are in the table of groups. Others come after the used ones before them.
  const all = [...aggregates, ...computed]
  const indexOf = (index: number) =>
    index - all.filter((_, place) => keys.length + place < index && !used.has(keys.length + place)).length
  const overGroups = (expression: TypedExpression): TypedExpression =>
    withColumns(expression, (column) =>
      column.kind === 'group' ? { ...column, index: indexOf(column.index) } : column,
    )
  return {
    ...plan,
    scan: narrow(plan.scan, read),
    finish: {
      ...finish,
      order: finish.order.map((key) => ({ ...key, column: indexOf(key.column) })),
      output: finish.output.map(indexOf),
      grouping: {
        keys: keys.map(placeOf),
        aggregates: usedAggregates.map((aggregate) => withArguments(aggregate, placeOf)),
        having: having && overGroups(having),
        ...(usedComputed.length > 0 && { computed: usedComputed.map(overGroups) }),
      },
    },
  }
}

function indexes(items: readonly unknown[]): readonly number[] {
  return items.map((_, index) => index)
}
