import { columnsOfExpressions, expressionKey, type TypedExpression } from '../expression.ts'
import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'

export type Comparison = 'eq' | 'neq' | 'gt' | 'gt_eq' | 'lt' | 'lt_eq'

/**
 * A bound filter. Operands are expressions over the source columns of the scan, constants are in the physical form of the
 * operand's type.
 * Three-valued: a comparison with a null is unknown, `and`/`or`/`not` follow SQL, a row passes when the whole is
 * true. Floats compare in total order with NaN the greatest and equal to itself; −0.0 equals 0.0.
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
  /** Both bounds inclusive. */
  | { readonly op: 'between'; readonly operand: O; readonly low: Scalar; readonly high: Scalar }
  /** Values ascend, each once. */
  | { readonly op: 'in'; readonly operand: O; readonly values: readonly Scalar[] }
  | { readonly op: 'is_null'; readonly operand: O }
  | { readonly op: 'is_not_null'; readonly operand: O }
  /** `value` where the operand is not null, unknown where it is: a comparison whose outcome the type decides
   * (`int8 < 300`). */
  | { readonly op: 'where_known'; readonly operand: O; readonly value: boolean }
  | {
      readonly op: 'within'
      readonly longitude: O
      readonly latitude: O
      readonly geometry: Geometry
    }
  | { readonly op: 'constant'; readonly value: boolean }

/** What predicates compare: expressions over rows of a scan, or columns of a table of groups. */
export type Operand = TypedExpression | GroupColumn

/** A column of a table of groups, by its place: keys, then aggregates. */
export interface GroupColumn {
  readonly kind: 'group'
  readonly place: number
  readonly type: DataType
}

/** A planar geometry, reduced to what the point test needs. Coordinates are x (longitude), y (latitude). */
export type Geometry = {
  /** Each polygon is its rings, exterior first; a ring is x0, y0, x1, y1, … and closed. */
  readonly polygons: readonly (readonly Float64Array[])[]
  /** Each line is x0, y0, x1, y1, …. */
  readonly lines: readonly Float64Array[]
  /** x0, y0, x1, y1, …. */
  readonly points: Float64Array
  /** minX, minY, maxX, maxY: a point must lie strictly inside (docs/reference/json-language.md). */
  readonly box: readonly [number, number, number, number]
}

/** What a predicate says of a row of nulls; null: unknown. */
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
  return operand.kind === 'group' ? `group ${operand.place}` : expressionKey(operand)
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

/** The source columns a predicate reads, each once, in order of appearance. */
export function columnsOf(predicate: Predicate): string[] {
  return columnsOfExpressions(operandsOf(predicate))
}
