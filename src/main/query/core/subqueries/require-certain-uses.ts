import type { ScanPlan } from '../../../../plan/plan.ts'
import { decline } from '../../bind/declined.ts'
import { hugeOutputs } from '../../bind/expressions/huge-outputs.ts'
import { EXACT_OF_SUMS } from '../../bind/expressions/huge-sums.ts'
import type { Call, Select, SqlExpression } from '../parse/ast.ts'

/** Calls that DuckDB binds by the types of their arguments alone, whether these are constants or not. Those of one argument are, too. */
const BY_TYPES: ReadonlySet<string> = new Set([
  ...['+', '-', '*', '//', '%', '=', '<>', '<', '<=', '>', '>=', 'between', 'in', 'not_in'],
  ...['and', 'or', 'is_distinct_from', 'is_not_distinct_from', 'case'],
  ...['coalesce', 'ifnull', 'if', 'nullif', 'greatest', 'least'],
])

/** Calls of sums of integers that are conditions. */
const CONDITIONS: ReadonlySet<string> = new Set([
  ...['=', '<>', '<', '<=', '>', '>=', 'between', 'in', 'not_in', 'is_null', 'is_not_null'],
  ...['is_distinct_from', 'is_not_distinct_from'],
])

/**
 * Declines a query in which the value of a subquery stands where a constant of the same value might mean something else in DuckDB, which
 * does not know it. `huge` are the numbers of subqueries whose values have 128 bits in DuckDB.
 */
export function requireCertainUses(select: Select, huge: ReadonlySet<number>): void {
  const { items, from, where, groupBy, having, orderBy } = select
  const values = groupBy?.kind === 'values' ? groupBy.values : []
  const ordered = orderBy.map((item) => item.value)
  const listed = items.flatMap((item) => (item.kind === 'value' ? [item.value] : []))
  for (const expression of [...listed, ...[...values, ...ordered].filter(isNoOrdinal), where, having])
    if (expression !== null) isHugeIn(expression, huge)
  if (from.kind === 'select' && from.view === null) requireCertainUses(from.select, huge)
}

type Place = Extract<Select['groupBy'], { kind: 'values' }>['values'][number]

function isNoOrdinal(value: Place): value is SqlExpression {
  return value.kind !== 'ordinal'
}

/** Whether a value has 128 bits in DuckDB because of a subquery. Declines uses that are not certain. */
function isHugeIn(expression: SqlExpression, huge: ReadonlySet<number>): boolean {
  switch (expression.kind) {
    case 'subquery':
      return expression.value?.subquery !== undefined && huge.has(expression.value.subquery)
    case 'call':
      return isHugeCall(expression, huge)
    case 'aggregate': {
      const { name, argument, by, filter, at } = expression
      if (filter !== undefined) isHugeIn(filter, huge)
      for (const each of [argument, by ?? null])
        if (each !== null && isHugeIn(each, huge)) decline(`${name} of a sum of integers`, at)
      return false
    }
    default:
      return false
  }
}

function isHugeCall(call: Call, huge: ReadonlySet<number>): boolean {
  const { name, args, at } = call
  const isByTypes = args.length === 1 || BY_TYPES.has(name)
  if (!isByTypes && args.some(({ kind }) => kind === 'subquery'))
    decline(`a subquery as an argument of ${name}`, at)
  const isOfHuge = args.map((arg) => isHugeIn(arg, huge)).includes(true)
  if (isOfHuge && !EXACT_OF_SUMS.has(name) && !CONDITIONS.has(name))
    decline(`${name} of a sum of integers, which has 128 bits`, at)
  return isOfHuge && !CONDITIONS.has(name)
}

/** Whether the first column of a plan is a sum of integers, which has 128 bits in DuckDB, or is computed from one. */
export function isHugeSum(plan: ScanPlan): boolean {
  const type = plan.output.fields[0]?.type
  return type?.kind === 'int' && type.signed && hugeOutputs(plan)[0] === true
}
