import {
  type CallExpression,
  callExpression,
  constantExpression,
  type TypedExpression,
} from '../expression.ts'
import type { Match } from '../predicate/pattern.ts'
import type { DataType } from '../types/schema.ts'
import { canEvaluate } from './kernels.ts'

const BOOL: DataType = Object.freeze({ kind: 'bool' })
const UTF8: DataType = Object.freeze({ kind: 'utf8' })

/** The call of LIKE or ILIKE that tests a text for a pattern. Null: the core does not evaluate it, as if the pattern is too long. */
export function likeCall(
  match: Match,
  operand: TypedExpression,
  pattern: string,
): (CallExpression & TypedExpression) | null {
  if (match === 'regex') return null
  const value = new TextEncoder().encode(pattern)
  const args = [operand, constantExpression({ kind: 'bytes', value }, UTF8)]
  if (!canEvaluate(match, [operand.type, UTF8], BOOL, args)) return null
  return callExpression(match, args, BOOL) as CallExpression & TypedExpression
}

/** Whether the core tests texts for a pattern. */
export function isMatchInCore(match: Match, pattern: string): boolean {
  return likeCall(match, constantExpression(null, UTF8), pattern) !== null
}
