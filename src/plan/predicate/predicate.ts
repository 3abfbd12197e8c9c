import type { Scalar } from '../types/scalar.ts'
import type { DataType } from '../types/schema.ts'

export type Comparison = 'eq' | 'neq' | 'gt' | 'gt_eq' | 'lt' | 'lt_eq'

/**
 * A bound filter: columns are source columns of the scan, constants are in the column's own physical form.
 * Three-valued: a comparison with a null is unknown, `and`/`or`/`not` follow SQL, a row passes when the whole is
 * true. Floats compare in total order with NaN the greatest and equal to itself; −0.0 equals 0.0.
 */
export type Predicate =
  | { readonly op: 'and'; readonly args: readonly Predicate[] }
  | { readonly op: 'or'; readonly args: readonly Predicate[] }
  | { readonly op: 'not'; readonly arg: Predicate }
  | {
      readonly op: 'compare'
      readonly column: string
      readonly type: DataType
      readonly comparison: Comparison
      readonly value: Scalar
    }
  /** Both bounds inclusive. */
  | {
      readonly op: 'between'
      readonly column: string
      readonly type: DataType
      readonly low: Scalar
      readonly high: Scalar
    }
  /** Values ascend, each once. */
  | {
      readonly op: 'in'
      readonly column: string
      readonly type: DataType
      readonly values: readonly Scalar[]
    }
  | { readonly op: 'is_null'; readonly column: string }
  | { readonly op: 'is_not_null'; readonly column: string }
  /** `value` where the column is not null, unknown where it is: a comparison whose outcome the type decides
   * (`int8 < 300`). */
  | { readonly op: 'where_known'; readonly column: string; readonly value: boolean }
  | {
      readonly op: 'within'
      readonly longitude: string
      readonly latitude: string
      readonly geometry: Geometry
    }
  | { readonly op: 'constant'; readonly value: boolean }

/** A planar geometry, reduced to what the point test needs. Coordinates are x (longitude), y (latitude). */
export type Geometry = {
  /** Each polygon is its rings, exterior first; a ring is x0, y0, x1, y1, … and closed. */
  readonly polygons: readonly (readonly Float64Array[])[]
  /** Each line is x0, y0, x1, y1, …. */
  readonly lines: readonly Float64Array[]
  /** x0, y0, x1, y1, …. */
  readonly points: Float64Array
  /** minX, minY, maxX, maxY: a point must lie strictly inside (formats.md §8.1). */
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

/** The source columns a predicate reads, each once, in order of appearance. */
export function columnsOf(predicate: Predicate): string[] {
  const names = new Set<string>()
  const visit = (node: Predicate): void => {
    switch (node.op) {
      case 'and':
      case 'or':
        for (const arg of node.args) visit(arg)
        break
      case 'not':
        visit(node.arg)
        break
      case 'within':
        names.add(node.longitude)
        names.add(node.latitude)
        break
      case 'constant':
        break
      default:
        names.add(node.column)
    }
  }
  visit(predicate)
  return [...names]
}
