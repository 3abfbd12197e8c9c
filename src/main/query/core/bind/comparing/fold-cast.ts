import { constantExpression, type Expression } from '../../../../../plan/expression.ts'
import type { Scalar } from '../../../../../plan/types/scalar.ts'
import type { DataType } from '../../../../../plan/types/schema.ts'
import { isInRange } from '../../../bind/expressions/literal-constant.ts'

/** The integers up to these are exact as floats, by the bits of the float. */
const MOST_EXACT = Object.freeze({ 16: 0n, 32: 2n ** 24n, 64: 2n ** 53n })

/** A cast of a constant that changes nothing of its value as a constant of the other type. Anything else as it is. */
export function foldCast(expression: Expression): Expression {
  if (expression.kind !== 'call' || expression.name !== 'cast' || expression.type === null) return expression
  const { type } = expression
  const [arg] = expression.args
  if (arg?.kind !== 'constant') return expression
  if (arg.value === null) return Object.freeze({ ...arg, type })
  const value = castExactly(arg.value, arg.type, type)
  return value === null ? expression : Object.freeze({ ...arg, ...constantExpression(value, type) })
}

/** Null: it may be another value, or the cast fails. */
function castExactly(value: Scalar, from: DataType, to: DataType): Scalar | null {
  if (value.kind === 'float' && from.kind === 'float' && to.kind === 'float')
    return from.bits <= to.bits ? value : null
  if (value.kind !== 'int' || from.kind !== 'int') return null
  const number = value.value
  if (to.kind === 'int') return isInRange(number, to) ? value : null
  const isExact = to.kind === 'float' && number <= MOST_EXACT[to.bits] && -number <= MOST_EXACT[to.bits]
  return isExact ? { kind: 'float', value: Number(number) } : null
}
