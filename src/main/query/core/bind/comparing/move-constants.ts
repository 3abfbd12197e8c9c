import type { CallExpression, TypedExpression } from '../../../../../plan/expression.ts'
import { mayFail } from '../../../../../plan/kernels/kernels.ts'
import { expressionMayFail } from '../../../../../plan/kernels/may-fail.ts'
import type { Comparison, Predicate } from '../../../../../plan/predicate/predicate.ts'
import type { DataType } from '../../../../../plan/types/schema.ts'
import { decline } from '../../../bind/declined.ts'
import { isInRange } from '../../../bind/expressions/literal-constant.ts'
import { MIRROR } from '../../../explained/comparisons.ts'

type Compare = Extract<Predicate, { op: 'compare' }>

/**
 * A comparison of a sum, a product or a cast of integers with a constant, as one of what is added to, multiplied or cast: `x - 5 < 0` as
 * `x < 5`. DuckDB does this too, so that a row whose sum would not fit is no error. Such a comparison prunes. What is cast stays if it may
 * fail, since DuckDB computes it then. Declines a TRY_CAST, which DuckDB takes for a cast here: it compares values that it would make null.
 */
export function moveConstants(predicate: Predicate): Predicate {
  let current = predicate
  for (;;) {
    const moved = current.op === 'compare' ? moveConstant(current) : null
    if (moved === null) return current
    current = moved
  }
}

function moveConstant({ operand, comparison, value }: Compare): Predicate | null {
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
      return compare(other, comparison, value.value - constant.value, operand.type)
    case '-':
      return isFirst
        ? compare(other, comparison, value.value + constant.value, operand.type)
        : compare(other, MIRROR[comparison], constant.value - value.value, operand.type)
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

function ofCast(call: CallExpression, comparison: Comparison, value: Compare['value']): Predicate | null {
  const [arg] = call.args
  if (arg?.type?.kind !== 'int' || value.kind !== 'int' || arg.kind === 'constant') return null
  if (call.name === 'try_cast' && isNarrowing(call))
    return decline('a TRY_CAST that is compared with a constant')
  const operand = arg as TypedExpression
  if (!isInRange(value.value, operand.type) || expressionMayFail(operand)) return null
  return Object.freeze({ op: 'compare', operand, comparison, value })
}

/** Null: the type does not have the constant, and the comparison tells more than that no value is equal to it. */
function compare(
  operand: TypedExpression,
  comparison: Comparison,
  value: bigint,
  type: DataType,
): Predicate | null {
  if (isInRange(value, type))
    return Object.freeze({ op: 'compare', operand, comparison, value: { kind: 'int', value } as const })
  return comparison === 'eq' ? Object.freeze({ op: 'where_known', operand, value: false }) : null
}

function ofProduct(
  operand: TypedExpression,
  comparison: Comparison,
  product: bigint,
  factor: bigint,
  type: DataType,
): Predicate | null {
  if (factor === 0n) return null
  if (product % factor !== 0n) {
    if (comparison !== 'eq' && comparison !== 'neq') return null
    return Object.freeze({ op: 'where_known', operand, value: comparison === 'neq' })
  }
  return compare(operand, factor < 0n ? MIRROR[comparison] : comparison, product / factor, type)
}
