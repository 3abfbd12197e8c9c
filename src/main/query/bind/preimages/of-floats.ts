import { all, any } from '../../../../plan/condition/combine.ts'
import type { Comparison } from '../../../../plan/condition/compare.ts'
import { type Condition, compare, whereNotNull } from '../../../../plan/condition/condition.ts'
import type { CallExpression, TypedExpression } from '../../../../plan/expression.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import type { DataType } from '../../../../plan/types/schema.ts'

/**
 * A comparison of a call whose value is a float with a finite constant, as one of its argument: of `floor`, `ceil`, and of casts that keep
 * the order of numbers. Null: it is none.
 */
export function comparedFloat(
  { name, args, type }: CallExpression,
  comparison: Comparison,
  value: number,
): Condition | null {
  const [first, ...others] = args
  if (first === undefined || first.type === null || first.kind === 'constant' || others.length > 0)
    return null
  const operand = first as TypedExpression
  if (!Number.isFinite(value) || type?.kind !== 'float') return null
  switch (name) {
    case 'floor':
    case 'ceil':
      if (operand.type.kind !== 'float' || Math.abs(value) >= 2 ** (operand.type.bits === 64 ? 52 : 23))
        return null
      return name === 'floor' ? ofFloor(operand, comparison, value) : ofCeil(operand, comparison, value)
    case 'cast':
      return ofCast(operand, type, comparison, value)
    default:
      return null
  }
}

function ofFloor(operand: TypedExpression, comparison: Comparison, value: number): Condition {
  const after = Math.floor(value) + 1
  const isValue = Number.isInteger(value)
  switch (comparison) {
    case 'gt_eq':
      return compareFloat(operand, 'gt_eq', Math.ceil(value))
    case 'gt':
      return compareFloat(operand, 'gt_eq', after)
    case 'lt':
      return compareFloat(operand, 'lt', Math.ceil(value))
    case 'lt_eq':
      return compareFloat(operand, 'lt', after)
    case 'eq':
      if (!isValue) return whereNotNull(operand, false)
      return all([compareFloat(operand, 'gt_eq', value), compareFloat(operand, 'lt', after)])
    case 'neq':
      if (!isValue) return whereNotNull(operand, true)
      return any([compareFloat(operand, 'lt', value), compareFloat(operand, 'gt_eq', after)])
  }
}

function ofCeil(operand: TypedExpression, comparison: Comparison, value: number): Condition {
  const before = Math.ceil(value) - 1
  const isValue = Number.isInteger(value)
  switch (comparison) {
    case 'gt_eq':
      return compareFloat(operand, 'gt', before)
    case 'gt':
      return compareFloat(operand, 'gt', Math.floor(value))
    case 'lt':
      return compareFloat(operand, 'lt_eq', before)
    case 'lt_eq':
      return compareFloat(operand, 'lt_eq', Math.floor(value))
    case 'eq':
      if (!isValue) return whereNotNull(operand, false)
      return all([compareFloat(operand, 'gt', before), compareFloat(operand, 'lt_eq', value)])
    case 'neq':
      if (!isValue) return whereNotNull(operand, true)
      return any([compareFloat(operand, 'lt_eq', before), compareFloat(operand, 'gt', value)])
  }
}

/** Of integers of which no two become one float near the constant, and of floats of 32 bits in 64. */
function ofCast(
  operand: TypedExpression,
  type: DataType,
  comparison: Comparison,
  value: number,
): Condition | null {
  const { type: from } = operand
  if (type.kind !== 'float' || type.bits !== 64) return null
  if (from.kind === 'float') return from.bits === 32 ? ofWidened(operand, comparison, value) : null
  if (from.kind !== 'int' || Math.abs(value) >= 2 ** 53) return null
  const [floor, ceil] = [Math.floor(value), Math.ceil(value)]
  const least = from.signed ? -(2 ** (from.bits - 1)) : 0
  const greatest = 2 ** (from.signed ? from.bits - 1 : from.bits) - 1
  if (floor < least || ceil > greatest) return null
  return comparedBetween(operand, comparison, integer(floor), integer(ceil), floor === ceil)
}

function ofWidened(operand: TypedExpression, comparison: Comparison, value: number): Condition | null {
  const near = Math.fround(value)
  if (near === value) return comparedBetween(operand, comparison, float(near), float(near), true)
  if (!Number.isFinite(near) || near === 0) return null
  const other = neighbourOf(near, near < value)
  const [below, above] = near < value ? [near, other] : [other, near]
  return Number.isFinite(other)
    ? comparedBetween(operand, comparison, float(below), float(above), false)
    : null
}

const FLOAT = new Float32Array(1)
const BITS = new Int32Array(FLOAT.buffer)

/** The next float of 32 bits above or below one that is not zero. */
function neighbourOf(value: number, isAbove: boolean): number {
  FLOAT[0] = value
  BITS[0] = (BITS[0] ?? 0) + (isAbove === value > 0 ? 1 : -1)
  return FLOAT[0] ?? Number.NaN
}

/** Compares with a constant that is equal to a value of the type, or lies between two neighbours. */
function comparedBetween(
  operand: TypedExpression,
  comparison: Comparison,
  below: Scalar,
  above: Scalar,
  isExact: boolean,
): Condition {
  switch (comparison) {
    case 'gt':
    case 'lt_eq':
      return compare(operand, comparison, below)
    case 'gt_eq':
    case 'lt':
      return compare(operand, comparison, above)
    case 'eq':
    case 'neq':
      if (!isExact) return whereNotNull(operand, comparison === 'neq')
      return compare(operand, comparison, below)
  }
}

function compareFloat(operand: TypedExpression, comparison: Comparison, value: number): Condition {
  return compare(operand, comparison, float(value))
}

const float = (value: number): Scalar => ({ kind: 'float', value })
const integer = (value: number): Scalar => ({ kind: 'int', value: BigInt(value) })
