import type { Comparison } from '../../../../../plan/condition/compare.ts'
import { type Condition, compare, whereNotNull } from '../../../../../plan/condition/condition.ts'
import { type TestOf, testOf } from '../../../../../plan/condition/test.ts'
import type { CallExpression, TypedExpression } from '../../../../../plan/expression.ts'
import { mayFail } from '../../../../../plan/kernels/kernels.ts'
import { expressionMayFail } from '../../../../../plan/kernels/may-fail.ts'
import type { DataType } from '../../../../../plan/types/schema.ts'
import { decline } from '../../../bind/declined.ts'
import { isInRange } from '../../../bind/expressions/literal-constant.ts'
import { MIRROR } from '../../../explained/comparisons.ts'

type Compare = TestOf<'compare'>

/**
 * A comparison of a sum, a product or a cast of integers with a constant, as one of what is added to, multiplied or cast: `x - 5 < 0` as
 * `x < 5`. DuckDB does this too, so that a row whose sum would not fit is no error. Such a comparison prunes. What is cast stays if it may
 * fail, since DuckDB computes it then. Declines a TRY_CAST, which DuckDB takes for a cast here: it compares values that it would make null.
 */
export function moveConstants(condition: Condition): Condition {
  let current = condition
  for (;;) {
    const test = testOf(current)
    const moved = test.op === 'compare' ? moveConstant(test) : null
    if (moved === null) return current
    current = moved
  }
}

function moveConstant({ operand, comparison, value }: Compare): Condition | null {
  if (operand.kind !== 'call' || operand.type.kind !== 'int' || value.kind !== 'int') return null
  const [first, second] = operand.args
  if (operand.name === 'cast' || operand.name === 'try_cast') return ofCast(operand, comparison, value)
  if (first === undefined || second === undefined) return null
  // DuckDB does not know the value of a subquery when it moves constants.
  if ([first, second].some((arg) => arg.kind === 'constant' && arg.subquery !== undefined)) return null
  const isFirst = second.kind === 'constant'
  const constant = isFirst ? second.value : first.kind === 'constant' ? first.value : null
  const other = (isFirst ? first : second) as TypedExpression
  if (constant?.kind !== 'int' || other.kind === 'constant') return null
  switch (operand.name) {
    case '+':
      return compareIfInRange(other, comparison, value.value - constant.value, operand.type)
    case '-':
      return isFirst
        ? compareIfInRange(other, comparison, value.value + constant.value, operand.type)
        : compareIfInRange(other, MIRROR[comparison], constant.value - value.value, operand.type)
    case '*':
      return ofProduct(other, comparison, value.value, constant.value, operand.type)
    default:
      return null
  }
}

/** Whether DuckDB takes a cast between integers out of conditions on it. */
export function isNarrowing({ name, args: [arg], type }: CallExpression): boolean {
  const isCast = name === 'cast' || name === 'try_cast'
  return isCast && arg?.type?.kind === 'int' && type?.kind === 'int' && mayFail('cast', [arg.type], type)
}

function ofCast(call: CallExpression, comparison: Comparison, value: Compare['value']): Condition | null {
  const [arg] = call.args
  if (arg?.type?.kind !== 'int' || value.kind !== 'int' || arg.kind === 'constant') return null
  if (call.name === 'try_cast' && isNarrowing(call))
    return decline('a TRY_CAST that is compared with a constant')
  const operand = arg as TypedExpression
  if (!isInRange(value.value, operand.type) || expressionMayFail(operand)) return null
  return compare(operand, comparison, value)
}

/** Null: the type does not have the constant, and the comparison tells more than that no value is equal to it. */
function compareIfInRange(
  operand: TypedExpression,
  comparison: Comparison,
  value: bigint,
  type: DataType,
): Condition | null {
  if (isInRange(value, type)) return compare(operand, comparison, { kind: 'int', value })
  return comparison === 'eq' ? whereNotNull(operand, false) : null
}

function ofProduct(
  operand: TypedExpression,
  comparison: Comparison,
  product: bigint,
  factor: bigint,
  type: DataType,
): Condition | null {
  if (factor === 0n) return null
  if (product % factor !== 0n) {
    if (comparison !== 'eq' && comparison !== 'neq') return null
    return whereNotNull(operand, comparison === 'neq')
  }
  return compareIfInRange(operand, factor < 0n ? MIRROR[comparison] : comparison, product / factor, type)
}
