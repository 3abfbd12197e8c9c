import { narrow } from '../../../plan/narrowed.ts'
import type { ScanPlan } from '../../../plan/plan.ts'
import { operandsOf, withOperands } from '../../../plan/predicate/predicate.ts'
import { type Aggregate, type Finish, type Grouping, isRows } from '../../../plan/task/finish.ts'

/**
 * A plan with the same answer that reads and computes no more than is necessary. Rows that are only counted are not sorted, columns
 * that nothing depends on are not read, and aggregates that nothing depends on are not computed: DuckDB does not compute them either,
 * so a sum that exceeds its type is no error there.
 */
export function reducedPlan(plan: ScanPlan): ScanPlan {
  const { scan, finish } = plan
  const { grouping, isCounted } = finish
  if (isRows(finish)) {
    const { output } = finish
    return { ...plan, scan: narrow(scan, output), finish: { ...finish, output: indexes(output) } }
  }
  const needed = isCounted ? { ...finish, order: [] } : finish
  if (grouping === null) return { ...plan, scan: isCounted ? narrow(scan, []) : scan, finish: needed }
  return isCount(grouping)
    ? { ...plan, scan: narrow(scan, []), finish: needed }
    : reducedGroups(plan, needed, grouping)
}

/** Whether a grouping gives the number of all rows, and nothing else. */
export function isCount({ keys, aggregates }: Grouping): boolean {
  return keys.length === 0 && aggregates.every(({ kind }) => kind === 'count_rows')
}

function reducedGroups(plan: ScanPlan, finish: Finish, grouping: Grouping): ScanPlan {
  const { keys, aggregates, having } = grouping
  const used = new Set([
    ...finish.output,
    ...finish.order.map(({ column }) => column),
    ...(having === null ? [] : operandsOf(having).map(({ index }) => index)),
  ])
  const usedAggregates = aggregates.filter((_, place) => used.has(keys.length + place))
  if (usedAggregates.length === aggregates.length) return { ...plan, finish }
  const read = [...new Set([...keys, ...usedAggregates.flatMap(argumentsOf)])]
  const placeOf = (column: number) => read.indexOf(column)
  // Keys stay where they are in the table of groups. An aggregate comes after the used ones before it.
  const indexOf = (index: number) =>
    index -
    aggregates.filter((_, place) => keys.length + place < index && !used.has(keys.length + place)).length
  return {
    ...plan,
    scan: narrow(plan.scan, read),
    finish: {
      ...finish,
      order: finish.order.map((key) => ({ ...key, column: indexOf(key.column) })),
      output: finish.output.map(indexOf),
      grouping: {
        keys: keys.map(placeOf),
        aggregates: usedAggregates.map((aggregate) =>
          'argument' in aggregate ? { ...aggregate, argument: placeOf(aggregate.argument) } : aggregate,
        ),
        having: having && withOperands(having, (column) => ({ ...column, index: indexOf(column.index) })),
      },
    },
  }
}

function argumentsOf(aggregate: Aggregate): readonly number[] {
  return 'argument' in aggregate ? [aggregate.argument] : []
}

function indexes(items: readonly unknown[]): readonly number[] {
  return items.map((_, index) => index)
}
