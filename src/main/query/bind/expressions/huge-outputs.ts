import { groupsOfExpression, type TypedExpression } from '../../../../plan/expression.ts'
import type { ScanPlan } from '../../../../plan/plan.ts'
import {
  type Aggregate,
  expressionsOfOuter,
  expressionsOverGroups,
  type Finish,
  type OuterQuery,
} from '../../../../plan/task/finish.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import { decline } from '../declined.ts'
import { requireExactSums } from './huge-sums.ts'

/** Aggregates that give a value of their argument. */
const CHOOSING: ReadonlySet<Aggregate['kind']> = new Set(['min', 'max', 'first', 'arg_max', 'arg_min'])

/** Aggregates whose result is the same, whether their argument has 64 bits or 128. */
const EXACT: ReadonlySet<Aggregate['kind']> = new Set([...CHOOSING, 'count', 'count_distinct', 'sum', 'avg'])

/** Which output columns of a plan are sums of signed integers, or chosen from such, which have 128 bits in DuckDB. */
export function hugeOutputs({ scan, finish }: Pick<ScanPlan, 'scan' | 'finish'>): readonly boolean[] {
  const columns = scan.projection.map(({ field }) => ({ type: field.type, isHuge: false }))
  return outputsOf(finish, columns)
}

/**
 * Declines a query around a plan that computes more of a sum of integers than 64 bits may hold. `at` is the position of the query in the
 * statement.
 */
export function requireExactOver(
  inner: Pick<ScanPlan, 'scan' | 'finish'>,
  outer: OuterQuery,
  at: number,
): void {
  const huge = hugeOutputs(inner)
  const { columns, finish } = outer
  for (const expression of expressionsOfOuter(outer))
    requireExactSums(expression, (index) => huge[index] === true, at)
  const { grouping } = finish
  if (grouping === null) return
  const given = columnsOver(columns, huge)
  for (const each of grouping.aggregates)
    if (each.kind !== 'count_rows' && given[each.argument]?.isHuge === true && !EXACT.has(each.kind))
      decline(`${each.kind} of a sum of integers, which has 128 bits`, at)
  const ofGroups = groupColumns(finish, given)
  for (const expression of expressionsOverGroups(grouping))
    requireExactSums(expression, (index) => ofGroups[index] === true, at)
}

interface GivenColumn {
  readonly type: DataType
  readonly isHuge: boolean
}

function outputsOf(finish: Finish, columns: readonly GivenColumn[]): readonly boolean[] {
  if (finish.isCounted) return [false]
  const all = finish.grouping === null ? columns.map(({ isHuge }) => isHuge) : groupColumns(finish, columns)
  const outputs = finish.output.map((index) => all[index] ?? false)
  const { outer } = finish
  return outer === undefined ? outputs : outputsOf(outer.finish, columnsOver(outer.columns, outputs))
}

/** Whether the columns of a table of groups are such: keys, aggregates, and what is computed from them. */
function groupColumns({ grouping }: Finish, columns: readonly GivenColumn[]): readonly boolean[] {
  if (grouping === null) return []
  const { keys, aggregates, computed = [] } = grouping
  const isHuge = (aggregate: Aggregate): boolean => {
    if (aggregate.kind === 'count_rows') return false
    const argument = columns[aggregate.argument]
    return aggregate.kind === 'sum'
      ? isSigned(argument?.type)
      : CHOOSING.has(aggregate.kind) && argument?.isHuge === true
  }
  const stored = [...keys.map((index) => columns[index]?.isHuge ?? false), ...aggregates.map(isHuge)]
  return [...stored, ...columnsOver(computed, stored).map((each) => each.isHuge)]
}

/** Columns that are computed from those of a query or of groups. */
function columnsOver(
  expressions: readonly TypedExpression[],
  huge: readonly boolean[],
): readonly GivenColumn[] {
  return expressions.map((expression) => ({
    type: expression.type,
    isHuge: isSigned(expression.type) && groupsOfExpression(expression).some((index) => huge[index] === true),
  }))
}

function isSigned(type: DataType | undefined): boolean {
  return type?.kind === 'int' && type.signed
}
