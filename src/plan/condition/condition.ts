import { callExpression, constantExpression, type TypedExpression } from '../expression.ts'
import type { Geometry } from '../geometry/geometry.ts'
import { BOOLEAN } from '../kernels/kernel-types.ts'
import type { Scalar } from '../types/scalar.ts'
import { type Comparison, SQL_OPERATORS } from './compare.ts'

/**
 * A condition: an expression of type BOOLEAN. The logic is three-valued: a comparison with null is unknown, `and`, `or` and `not`
 * follow SQL, and a row passes if the whole is true. Floats have a total order, in which NaN is the greatest and equal to itself,
 * and −0.0 equals 0.0. `testOf` reads what the functions below write.
 */
export type Condition = TypedExpression

export const TRUE: Condition = constantExpression(Object.freeze({ kind: 'bool', value: true }), BOOLEAN)
export const FALSE: Condition = constantExpression(Object.freeze({ kind: 'bool', value: false }), BOOLEAN)
/** Unknown for each row: a boolean that is null. */
export const UNKNOWN: Condition = constantExpression(null, BOOLEAN)

/** A condition that is a call of some conditions or values. */
export function conditionCall(name: string, args: readonly TypedExpression[]): Condition {
  return callExpression(name, args, BOOLEAN) as Condition
}

/** Compares values with a constant in the physical form of their type. A boolean that is to be true is the condition itself. */
export function compare(operand: TypedExpression, comparison: Comparison, value: Scalar): Condition {
  if (operand.type.kind === 'bool' && comparison === 'eq' && value.kind === 'bool' && value.value)
    return operand
  return conditionCall(SQL_OPERATORS[comparison], [operand, constantExpression(value, operand.type)])
}

/** Both bounds are included. */
export function between(operand: TypedExpression, low: Scalar, high: Scalar): Condition {
  const { type } = operand
  return conditionCall('between', [operand, constantExpression(low, type), constantExpression(high, type)])
}

/** The values are ascending, without duplicates. */
export function isOneOf(operand: TypedExpression, values: readonly Scalar[]): Condition {
  if (values.length === 0) return whereNotNull(operand, false)
  return conditionCall('in', [operand, ...values.map((value) => constantExpression(value, operand.type))])
}

export function isNull(operand: TypedExpression): Condition {
  return conditionCall('is_null', [operand])
}

export function isNotNull(operand: TypedExpression): Condition {
  return conditionCall('is_not_null', [operand])
}

/**
 * `truth` where the operand is not null, and unknown where it is: a comparison that the type decides (`int8 < 300`). What is computed may fail,
 * so that it is one value, of which no part is left out: `CASE WHEN … IS NOT NULL THEN true END`.
 */
export function whereNotNull(operand: TypedExpression, truth: boolean): Condition {
  if (operand.kind === 'call')
    return conditionCall('case', [isNotNull(operand), truth ? TRUE : FALSE, UNKNOWN])
  return truth
    ? conditionCall('or', [isNotNull(operand), UNKNOWN])
    : conditionCall('and', [isNull(operand), UNKNOWN])
}

/** Whether the point of two coordinates lies in a geometry. It is never unknown: without a coordinate it is false. */
export function within(longitude: TypedExpression, latitude: TypedExpression, geometry: Geometry): Condition {
  return Object.freeze({ ...conditionCall('within', [longitude, latitude]), geometry })
}
