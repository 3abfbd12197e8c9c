import { ServiceError } from '../../../../plan/errors.ts'
import type { TypedExpression } from '../../../../plan/expression.ts'
import { matchTestOf } from '../../../../plan/kernels/match-call.ts'
import { compareScalars, holds } from '../../../../plan/predicate/compare.ts'
import type { Predicate } from '../../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../../plan/types/scalar.ts'
import { typeName } from '../../../../plan/types/schema.ts'
import type { Filter, WithinFilter } from '../../request/filters/filter.ts'
import { bindPattern } from './bind-pattern.ts'
import { bindComparison, bindList, bindRange } from './coerce.ts'
import { all, any, FALSE, negation, TRUE } from './combine.ts'

/** What a name in a filter means: the operand that is compared, and its name in messages. */
export interface Meaning {
  readonly name: string
  readonly operand: TypedExpression
}

/** Finds the meaning of a name in a filter. Throws `unknown_column`. `path` is the JSON path of the name. */
export type ResolveMeaning = (name: string, path: string) => Meaning

/** Binds filters, all of which a row must pass, to one predicate. Throws `unknown_column` and `type_mismatch`, with the JSON path. */
export function bindFilters(filters: readonly Filter[], resolve: ResolveMeaning): Predicate {
  return all(filters.map((filter) => bindFilter(filter, resolve, false)))
}

/** `isNegated`: the filter stands in an odd number of negations. */
function bindFilter(filter: Filter, resolve: ResolveMeaning, isNegated: boolean): Predicate {
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
  let bound: Predicate
  switch (filter.kind) {
    case 'is_null':
    case 'is_not_null':
      bound = Object.freeze({ op: filter.kind, operand })
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
): Predicate {
  const x = coordinate(resolve(longitude, path), path)
  const y = coordinate(resolve(latitude, path), path)
  return Object.freeze({ op: 'within', longitude: x, latitude: y, geometry })
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
 * Evaluates a predicate whose operand is a constant; only DuckDB evaluates a pattern. The row of an unknown result does not pass, and
 * does not pass its negation either. So the result counts as false, and as true where it is negated.
 */
function fold(bound: Predicate, value: Scalar | null, isNegated: boolean): Predicate {
  if (value !== null && bound.op === 'compare' && matchTestOf(bound.operand) !== null) return bound
  return (truthOf(bound, value) ?? isNegated) ? TRUE : FALSE
}

/** The value of a predicate for a row in which its operand is `value`. Null: unknown. */
function truthOf(predicate: Predicate, value: Scalar | null): boolean | null {
  switch (predicate.op) {
    case 'constant':
      return predicate.value
    case 'is_null':
      return value === null
    case 'is_not_null':
      return value !== null
  }
  if (value === null) return null
  switch (predicate.op) {
    case 'and':
      return predicate.args.every((arg) => truthOf(arg, value))
    case 'compare':
      return holds(predicate.comparison, compareScalars(value, predicate.value))
    case 'between':
      return compareScalars(value, predicate.low) >= 0 && compareScalars(value, predicate.high) <= 0
    case 'in':
      return predicate.values.some((each) => compareScalars(value, each) === 0)
    case 'where_known':
      return predicate.value
    default:
      throw new TypeError(`a condition "${predicate.op}" on a constant`)
  }
}
