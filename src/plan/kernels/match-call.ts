import { conditionCall } from '../condition/condition.ts'
import type { Match } from '../condition/pattern.ts'
import { constantExpression, type Expression, type TypedExpression } from '../expression.ts'
import type { DataType } from '../types/schema.ts'
import { BOOLEAN } from './kernel-types.ts'
import { canEvaluate } from './kernels.ts'

const UTF8: DataType = Object.freeze({ kind: 'utf8' })

/** The functions that test whether a text matches a pattern. */
const FUNCTIONS: Readonly<Record<Match, string>> = Object.freeze({
  like: 'like',
  ilike: 'ilike',
  regex: 'regexp_matches',
})

/** The call that tests whether a text matches a pattern. */
export function matchCall(match: Match, operand: TypedExpression, pattern: string): TypedExpression {
  const value = new TextEncoder().encode(pattern)
  const args = [operand, constantExpression({ kind: 'bytes', value }, UTF8)]
  return conditionCall(FUNCTIONS[match], args)
}

/** The test of a text for a pattern that a call is. */
export interface MatchTest {
  readonly match: Match
  readonly operand: TypedExpression
  readonly pattern: string
  /** The core does not evaluate regular expressions, nor other patterns that are too long. */
  readonly isInCore: boolean
}

/** The test that an expression is. Null: it is none, or one whose pattern is no constant. */
export function matchTestOf(expression: Expression): MatchTest | null {
  if (expression.kind !== 'call') return null
  const match = MATCHES.get(expression.name)
  const [operand, pattern] = expression.args as readonly TypedExpression[]
  if (match === undefined || operand === undefined) return null
  if (pattern?.kind !== 'constant' || pattern.value?.kind !== 'bytes') return null
  return {
    match,
    operand,
    pattern: Buffer.from(pattern.value.value).toString(),
    isInCore: canEvaluate(expression.name, [operand.type, UTF8], BOOLEAN, expression.args),
  }
}

const MATCHES: ReadonlyMap<string, Match> = new Map(
  (Object.keys(FUNCTIONS) as Match[]).map((match) => [FUNCTIONS[match], match]),
)

/** Whether the core tests texts for a pattern. */
export function isMatchInCore(match: Match, pattern: string): boolean {
  return matchTestOf(matchCall(match, constantExpression(null, UTF8), pattern))?.isInCore === true
}
