import { all, any, negation } from '../../../../plan/condition/combine.ts'
import {
  type Condition,
  FALSE,
  isNotNull,
  isNull,
  TRUE,
  within,
} from '../../../../plan/condition/condition.ts'
import { truthOf } from '../../../../plan/condition/truth.ts'
import { ServiceError } from '../../../../plan/errors.ts'
import type { TypedExpression } from '../../../../plan/expression.ts'
import { matchTestOf } from '../../../../plan/kernels/match-call.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { typeName } from '../../../../plan/types/schema.ts'
import type { Filter, WithinFilter } from '../../request/filters/filter.ts'
import { bindPattern } from './bind-pattern.ts'
import { bindComparison, bindList, bindRange } from './coerce.ts'

/** What a name in a filter means: the operand that is compared, and its name in messages. */
export interface Meaning {
  readonly name: string
  readonly operand: TypedExpression
}

/** Finds the meaning of a name in a filter. Throws `unknown_column`. `path` is the JSON path of the name. */
export type ResolveMeaning = (name: string, path: string) => Meaning

/** Binds filters, all of which a row must pass, to one condition. Throws `unknown_column` and `type_mismatch`, with the JSON path. */
export function bindFilters(filters: readonly Filter[], resolve: ResolveMeaning): Condition {
  return all(filters.map((filter) => bindFilter(filter, resolve, false)))
}

/** `isNegated`: the filter stands in an odd number of negations. */
function bindFilter(filter: Filter, resolve: ResolveMeaning, isNegated: boolean): Condition {
  switch (filter.kind) {
    case 'and':
      return all(filter.args.map((arg) => bindFilter(arg, resolve, isNegated)))
    case 'or':
      return any(filter.args.map((arg) => bindFilter(arg, resolve, isNegated)))
    case 'not':
      return negation(bindFilter(filter.arg, resolve, !isNegated))
    case 'within':
      return bindWithin(filter, resolve)
  }
  const meaning = resolve(filter.column, filter.path)
  const { name, operand } = meaning
  let bound: Condition
  switch (filter.kind) {
    case 'is_null':
      bound = isNull(operand)
      break
    case 'is_not_null':
      bound = isNotNull(operand)
      break
    case 'compare':
      bound = bindComparison(operand, filter.comparison, filter.value, name)
      break
    case 'between':
      bound = bindRange(operand, filter.low, filter.high, name)
      break
    case 'in':
      bound = bindList(operand, filter.values, name)
      break
    case 'match':
      bound = bindPattern(operand, filter, name)
  }
  return operand.kind === 'constant' ? fold(bound, operand.value, isNegated) : bound
}

function bindWithin(
  { longitude, latitude, geometry, path }: WithinFilter,
  resolve: ResolveMeaning,
): Condition {
  const x = coordinate(resolve(longitude, path), path)
  const y = coordinate(resolve(latitude, path), path)
  return within(x, y, geometry)
}

/** The operand that a coordinate's name means. Throws `not_supported` for a literal, `type_mismatch` unless it is a number. */
function coordinate({ name, operand }: Meaning, path: string): TypedExpression {
  const { type } = operand
  if (operand.kind === 'constant') {
    throw new ServiceError(
      'not_supported',
      `${path}: "${name}" is a literal; a geometry is compared with columns`,
    )
  }
  if (type.kind !== 'int' && type.kind !== 'float') {
    throw new ServiceError(
      'type_mismatch',
      `${path}: column "${name}" is ${typeName(type)}; a coordinate must be an integer or a float`,
    )
  }
  return operand
}

/**
 * Evaluates a condition on a constant; only DuckDB evaluates a pattern. The row of an unknown result does not pass, and does not pass
 * its negation either. So the result counts as false, and as true where it is negated.
 */
function fold(bound: Condition, value: Scalar | null, isNegated: boolean): Condition {
  if (value !== null && matchTestOf(bound) !== null) return bound
  return (truthOf(bound, value) ?? isNegated) ? TRUE : FALSE
}
