import { ServiceError } from '../../../plan/errors.ts'
import type { TypedExpression } from '../../../plan/expression.ts'
import { compareScalars, holds } from '../../../plan/predicate/compare.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { typeName } from '../../../plan/types/schema.ts'
import type { Filter, WithinFilter } from '../request/filter.ts'
import { bindComparison, bindRange } from './coerce.ts'
import { all, any, FALSE, TRUE } from './combine.ts'

/** What a name in a filter means: the operand that is compared, and its name in messages. */
export interface Meaning {
  readonly name: string
  readonly operand: TypedExpression
}

/** Finds the meaning of a name in a filter. Throws `unknown_column`. `path` is the JSON path of the name. */
export type ResolveMeaning = (name: string, path: string) => Meaning

/** Binds filters, all of which a row must pass, to one predicate. Throws `unknown_column` and `type_mismatch`, with the JSON path. */
export function bindFilters(filters: readonly Filter[], resolve: ResolveMeaning): Predicate {
  return all(filters.map((filter) => bindFilter(filter, resolve)))
}

function bindFilter(filter: Filter, resolve: ResolveMeaning): Predicate {
  switch (filter.kind) {
    case 'and':
      return bindFilters(filter.args, resolve)
    case 'or':
      return any(filter.args.map((arg) => bindFilter(arg, resolve)))
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
  }
  return operand.kind === 'constant' ? fold(bound, operand.value) : bound
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
 * Evaluates a predicate whose operand is a constant. An unknown result counts as false: no filter of the JSON language negates
 * another, so both drop the row.
 */
function fold(leaf: Predicate, value: Scalar | null): Predicate {
  return isTrueOf(leaf, value) ? TRUE : FALSE
}

function isTrueOf(leaf: Predicate, value: Scalar | null): boolean {
  if (leaf.op === 'is_null') return value === null
  if (value === null) return false
  switch (leaf.op) {
    case 'compare':
      return holds(leaf.comparison, compareScalars(value, leaf.value))
    case 'between':
      return compareScalars(value, leaf.low) >= 0 && compareScalars(value, leaf.high) <= 0
    case 'where_known':
      return leaf.value
    default:
      return leaf.op === 'is_not_null'
  }
}
