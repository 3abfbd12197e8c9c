import { ServiceError } from '../../../plan/errors.ts'
import type { TypedExpression } from '../../../plan/expression.ts'
import { compareScalars, holds } from '../../../plan/predicate/compare.ts'
import type { Predicate } from '../../../plan/predicate/predicate.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import { typeName } from '../../../plan/types/schema.ts'
import type { Filter, WithinFilter } from '../request/filter.ts'
import { bindComparison, bindRange } from './coerce.ts'
import { all, any, FALSE, TRUE } from './combine.ts'

/** What a name in a filter stands for: what is compared, and how messages call it. */
export interface Meaning {
  readonly name: string
  readonly operand: TypedExpression
}

/** Throws `unknown_column`; `path` is where the request has the name. */
export type Resolve = (name: string, path: string) => Meaning

/** Throws `unknown_column` and `type_mismatch`, with the JSON path. */
export function bindFilters(filters: readonly Filter[], resolve: Resolve): Predicate {
  return all(filters.map((filter) => bindFilter(filter, resolve)))
}

function bindFilter(filter: Filter, resolve: Resolve): Predicate {
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

function bindWithin({ longitude, latitude, geometry, path }: WithinFilter, resolve: Resolve): Predicate {
  const x = coordinate(resolve(longitude, path), path)
  const y = coordinate(resolve(latitude, path), path)
  return Object.freeze({ op: 'within', longitude: x, latitude: y, geometry })
}

/** What the name stands for, if it is no literal and gives integers or floats. */
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

/** A bound leaf over an operand that has one value. What is unknown is false: nothing in the language negates it. */
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
