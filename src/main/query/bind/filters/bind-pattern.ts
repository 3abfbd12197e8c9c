import { ServiceError } from '../../../../plan/errors.ts'
import { matchCall, matchTestOf } from '../../../../plan/kernels/match-call.ts'
import { afterPrefix, startOf } from '../../../../plan/predicate/pattern.ts'
import type { Comparison, Operand, Predicate } from '../../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { typeName } from '../../../../plan/types/schema.ts'
import { at } from '../../../json/shape.ts'
import type { MatchFilter } from '../../request/filters/filter.ts'
import { isTrue } from '../expressions/asked-in-order.ts'
import { all, any, negation, TRUE } from './combine.ts'

/**
 * The predicate that a text matches a pattern. A pattern of the beginning of the text alone, or of the whole text, is a comparison.
 * `name` is the operand's name in the request. Throws `type_mismatch` unless the operand is text.
 */
export function bindPattern<O extends Operand>(
  operand: O,
  { match, pattern, path }: MatchFilter,
  name: string,
): Predicate<O> {
  const { type } = operand
  if (type.kind === 'null') return whereKnown(operand, false)
  if (type.kind !== 'utf8') {
    throw new ServiceError(
      'type_mismatch',
      `${at(path, match)}: column "${name}" is ${typeName(type)}; a pattern matches text`,
    )
  }
  const { prefix, rest } = startOf(match, pattern)
  if (rest === 'pattern') return isTrue(matchCall(match, operand, pattern)) as Predicate<O>
  const bytes = new TextEncoder().encode(prefix)
  return rest === 'anything' ? beginsWith(operand, bytes) : comparison(operand, 'eq', bytes)
}

/**
 * A predicate without patterns that DuckDB alone evaluates, which holds for every row for which `predicate` is `truth`, and for no others if
 * `predicate` has no such patterns either.
 */
export function withoutPatterns(predicate: Predicate, truth = true): Predicate {
  switch (predicate.op) {
    case 'and':
    case 'or': {
      const args = predicate.args.map((arg) => withoutPatterns(arg, truth))
      return truth === (predicate.op === 'and') ? all(args) : any(args)
    }
    case 'not':
      return withoutPatterns(predicate.arg, !truth)
    default: {
      const test = predicate.op === 'compare' ? matchTestOf(predicate.operand) : null
      if (test === null || test.isInCore) return truth ? predicate : negation(predicate)
      const { operand, match, pattern } = test
      // A constant has no statistics, and the core compares columns alone.
      if (operand.kind !== 'column') return TRUE
      return beginsWith(operand, new TextEncoder().encode(truth ? startOf(match, pattern).prefix : ''))
    }
  }
}

/** The predicate that a text begins with the bytes of UTF-8 of a prefix, which may be empty. */
export function beginsWith<O extends Operand>(operand: O, prefix: Uint8Array): Predicate<O> {
  if (prefix.length === 0) return whereKnown(operand, true)
  return all([comparison(operand, 'gt_eq', prefix), comparison(operand, 'lt', afterPrefix(prefix))])
}

function comparison<O extends Operand>(operand: O, comparison: Comparison, bytes: Uint8Array): Predicate<O> {
  const value: Scalar = { kind: 'bytes', value: bytes }
  return Object.freeze({ op: 'compare', operand, comparison, value })
}

function whereKnown<O extends Operand>(operand: O, value: boolean): Predicate<O> {
  return Object.freeze({ op: 'where_known', operand, value })
}
