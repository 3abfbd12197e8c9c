import { all, any, negation } from '../../../../plan/condition/combine.ts'
import type { Comparison } from '../../../../plan/condition/compare.ts'
import { type Condition, compare, TRUE, whereNotNull } from '../../../../plan/condition/condition.ts'
import { afterPrefix, startOf } from '../../../../plan/condition/pattern.ts'
import { testOf } from '../../../../plan/condition/test.ts'
import { ServiceError } from '../../../../plan/errors.ts'
import type { TypedExpression } from '../../../../plan/expression.ts'
import { matchCall, matchTestOf } from '../../../../plan/kernels/match-call.ts'
import { typeName } from '../../../../plan/types/schema.ts'
import { at } from '../../../json/shape.ts'
import type { MatchFilter } from '../../request/filters/filter.ts'

/**
 * The condition that a text matches a pattern. A pattern of the beginning of the text alone, or of the whole text, is a comparison.
 * `name` is the operand's name in the request. Throws `type_mismatch` unless the operand is text.
 */
export function bindPattern(
  operand: TypedExpression,
  { match, pattern, path }: MatchFilter,
  name: string,
): Condition {
  const { type } = operand
  if (type.kind === 'null') return whereNotNull(operand, false)
  if (type.kind !== 'utf8') {
    throw new ServiceError(
      'type_mismatch',
      `${at(path, match)}: column "${name}" is ${typeName(type)}; a pattern matches text`,
    )
  }
  const { prefix, rest } = startOf(match, pattern)
  if (rest === 'pattern') return matchCall(match, operand, pattern)
  const bytes = new TextEncoder().encode(prefix)
  return rest === 'anything' ? beginsWith(operand, bytes) : compareText(operand, 'eq', bytes)
}

/**
 * A condition without patterns that DuckDB alone evaluates, which holds for every row for which `condition` is `truth`, and for no others if
 * `condition` has no such patterns either.
 */
export function withoutPatterns(condition: Condition, truth = true): Condition {
  const test = testOf(condition)
  switch (test.op) {
    case 'and':
    case 'or': {
      const args = test.args.map((arg) => withoutPatterns(arg, truth))
      return truth === (test.op === 'and') ? all(args) : any(args)
    }
    case 'not':
      return withoutPatterns(test.arg, !truth)
    default: {
      const matching = matchTestOf(condition)
      if (matching === null || matching.isInCore) return truth ? condition : negation(condition)
      const { operand, match, pattern } = matching
      // A constant has no statistics, and the core compares columns alone.
      if (operand.kind !== 'column') return TRUE
      return beginsWith(operand, new TextEncoder().encode(truth ? startOf(match, pattern).prefix : ''))
    }
  }
}

/** The condition that a text begins with the bytes of UTF-8 of a prefix, which may be empty. */
export function beginsWith(operand: TypedExpression, prefix: Uint8Array): Condition {
  if (prefix.length === 0) return whereNotNull(operand, true)
  return all([compareText(operand, 'gt_eq', prefix), compareText(operand, 'lt', afterPrefix(prefix))])
}

function compareText(operand: TypedExpression, comparison: Comparison, bytes: Uint8Array): Condition {
  return compare(operand, comparison, { kind: 'bytes', value: bytes })
}
