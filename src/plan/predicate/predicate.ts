import { columnsOfExpressions, expressionKey, type TypedExpression } from '../expression.ts'
import type { Scalar } from '../types/scalar.ts'

export type Comparison = 'eq' | 'neq' | 'gt' | 'gt_eq' | 'lt' | 'lt_eq'

/**
 * A bound filter. Operands are expressions over the source columns of the scan. Constants have the physical form of the operand's
 * type. The logic is three-valued: a comparison with null is unknown, `and`, `or` and `not` follow SQL, and a row passes if the
 * whole is true. Floats have a total order, in which NaN is the greatest and equal to itself, and −0.0 equals 0.0.
 */
export type Predicate<O extends Operand = TypedExpression> =
  | { readonly op: 'and'; readonly args: readonly Predicate<O>[] }
  | { readonly op: 'or'; readonly args: readonly Predicate<O>[] }
  | { readonly op: 'not'; readonly arg: Predicate<O> }
  | {
      readonly op: 'compare'
      readonly operand: O
      readonly comparison: Comparison
      readonly value: Scalar
    }
  /** Both bounds are included. */
  | { readonly op: 'between'; readonly operand: O; readonly low: Scalar; readonly high: Scalar }
  /** The values are ascending, without duplicates. */
  | { readonly op: 'in'; readonly operand: O; readonly values: readonly Scalar[] }
  | { readonly op: 'is_null'; readonly operand: O }
  | { readonly op: 'is_not_null'; readonly operand: O }
  /** `value` where the operand is not null, and unknown where it is: a comparison that the type decides (`int8 < 300`). */
  | { readonly op: 'where_known'; readonly operand: O; readonly value: boolean }
  | {
      readonly op: 'within'
      readonly longitude: O
      readonly latitude: O
      readonly geometry: Geometry
    }
  | { readonly op: 'constant'; readonly value: boolean }

/** An operand of a predicate: an expression over rows of a scan, or over those of a table of groups. */
export type Operand = TypedExpression

/** A planar geometry in the form of the point test. Coordinates are x (longitude) and y (latitude). */
export type Geometry = {
  /** The rings of each polygon, the exterior one first. A ring is closed: x0, y0, x1, y1, …. */
  readonly polygons: readonly (readonly Float64Array[])[]
  /** Lines as x0, y0, x1, y1, …. */
  readonly lines: readonly Float64Array[]
  /** All points as x0, y0, x1, y1, …. */
  readonly points: Float64Array
  /** The bounding box minX, minY, maxX, maxY. Points have to be strictly inside (docs/reference/json-language.md). */
  readonly box: readonly [number, number, number, number]
}

/** The value of a predicate for a row in which all columns are null. Null: unknown. */
export function truthOfNulls(predicate: Predicate): boolean | null {
  switch (predicate.op) {
    case 'constant':
      return predicate.value
    case 'is_null':
      return true
    case 'is_not_null':
    case 'within':
      return false
    case 'not': {
      const truth = truthOfNulls(predicate.arg)
      return truth === null ? null : !truth
    }
    case 'and':
    case 'or': {
      const decides = predicate.op === 'or'
      const truths = predicate.args.map(truthOfNulls)
      if (truths.includes(decides)) return decides
      return truths.includes(null) ? null : !decides
    }
    default:
      return null
  }
}

/** A key that is equal for operands of the same structure, and for no others. */
export function operandKey(operand: Operand): string {
  return expressionKey(operand)
}

/** The operands of a predicate, in order of appearance. */
export function operandsOf<O extends Operand>(predicate: Predicate<O>): readonly O[] {
  switch (predicate.op) {
    case 'and':
    case 'or':
      return predicate.args.flatMap(operandsOf)
    case 'not':
      return operandsOf(predicate.arg)
    case 'within':
      return [predicate.longitude, predicate.latitude]
    case 'constant':
      return []
    default:
      return [predicate.operand]
  }
}

/** The same predicate over other operands. */
export function withOperands<O extends Operand>(
  predicate: Predicate<O>,
  other: (operand: O) => O,
): Predicate<O> {
  switch (predicate.op) {
    case 'and':
    case 'or':
      return { ...predicate, args: predicate.args.map((arg) => withOperands(arg, other)) }
    case 'not':
      return { ...predicate, arg: withOperands(predicate.arg, other) }
    case 'within':
      return { ...predicate, longitude: other(predicate.longitude), latitude: other(predicate.latitude) }
    case 'constant':
      return predicate
    default:
      return { ...predicate, operand: other(predicate.operand) }
  }
}

/** The source columns a predicate reads, each once, in order of appearance. */
export function columnsOf(predicate: Predicate): string[] {
  return columnsOfExpressions(operandsOf(predicate))
}
