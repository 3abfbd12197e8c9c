import { all } from '../../../../plan/condition/combine.ts'
import { type Condition, FALSE } from '../../../../plan/condition/condition.ts'
import { conjunctsOf, isCombined } from '../../../../plan/condition/test.ts'
import {
  type CallExpression,
  callExpression,
  type Expression,
  type TypedExpression,
} from '../../../../plan/expression.ts'
import { conditionMayFail } from '../../../../plan/kernels/may-fail.ts'
import { conditionAsValue } from './condition-as-value.ts'
import { isNull } from './null-call.ts'

/**
 * The filter of a scan, or of groups, so that a value which may fail, such as a cast, is asked for only in the rows that the conditions before
 * it do not decide: the conditions that all have to be true follow each other, and others are values. Declines those that the core does not
 * evaluate so.
 */
export function askedInOrder(filter: Condition): Condition {
  return all(conjunctsOf(filter).flatMap(splitRange).map(asValueIfAnyFails))
}

/**
 * A range of which one end is a constant and the other may fail, as two conditions, as DuckDB has it: the constant end is asked for first. No value
 * is in a range that ends at null, so that nothing is asked for.
 */
function splitRange(condition: Condition): readonly Condition[] {
  if (condition.kind !== 'call' || condition.name !== 'between') return [condition]
  const { args, type, place }: CallExpression = condition
  const [value, low, high] = args
  if (value === undefined || low === undefined || high === undefined) return [condition]
  const isSplit = (low.kind === 'constant') !== (high.kind === 'constant') && conditionMayFail(condition)
  if (!isSplit) return [condition]
  if (isNull(low) || isNull(high)) return [FALSE]
  const compareWith = (operator: string, end: Expression): Condition =>
    callExpression(operator, [value, end], type, place) as TypedExpression
  return [compareWith('>=', low), compareWith('<=', high)]
}

function asValueIfAnyFails(condition: Condition): Condition {
  return isCombined(condition) && conditionMayFail(condition) ? conditionAsValue(condition, null) : condition
}
