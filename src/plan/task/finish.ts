import type { Condition } from '../condition/condition.ts'
import type { TypedExpression } from '../expression.ts'
import { type DataType, typeName, valueType } from '../types/schema.ts'

/**
 * What is computed from the rows of a scan, in this order: groups and HAVING, or the first rows of each group; the sort, offset and
 * limit of the plan, and the output columns or the number of rows. Expressions over rows are evaluated once, in the scan's projection. After that sort keys, group keys,
 * arguments and outputs are indexes of columns: of that projection, or if there is a grouping of its keys, then its
 * aggregates, and then what is computed from these.
 */
export interface Finish {
  readonly grouping: Grouping | null
  /** Absent: all rows are kept, or there is a grouping. */
  readonly firsts?: FirstRows
  /** The most significant key first. Rows with equal keys stay in file order, and groups in the order of their first rows. */
  readonly order: readonly SortKey[]
  /** The indexes of the output columns. None if the plan counts. */
  readonly output: readonly number[]
  /** Whether the answer is one row with one column, the number of rows. */
  readonly isCounted: boolean
  /** The query around this one, over its output. Absent: the output is that of the plan. There is one over groups and over first rows alone. */
  readonly outer?: OuterQuery
}

/** A query over the output of another one. In all of its expressions a column of groups is an output column of that one, by its index. */
export interface OuterQuery {
  /** How many rows of the inner query there are, after as many others: those of its own LIMIT and OFFSET. */
  readonly offset: number
  readonly limit: number
  /** A filter of its rows. */
  readonly filter: Condition | null
  /** What `finish` is over, in place of the projection of a scan. */
  readonly columns: readonly TypedExpression[]
  /** With the sort, and behind it offset and limit, of the plan unless there is another query around it. */
  readonly finish: Finish
}

/**
 * Keeps the first rows of each combination of keys, as they are, of those that are equal in the order the first ones in file order. All indexes
 * are in the scan's projection.
 */
export interface FirstRows {
  /** Nulls are equal to each other, NaNs are, and −0.0 equals 0.0. None: all rows are one group. */
  readonly keys: readonly number[]
  readonly order: readonly SortKey[]
  /** The most rows of each group, at least 1. */
  readonly most: number
  /** Whether the number of each row in its group, from 1 on, is a further column behind those of the projection. */
  readonly isNumbered: boolean
}

/** Gives one row for each combination of keys that occurs. Without keys it gives one row, even if there are no rows. */
export interface Grouping {
  /** Indexes in the scan's projection. Nulls are equal to each other, NaNs are, and −0.0 equals 0.0. */
  readonly keys: readonly number[]
  readonly aggregates: readonly Aggregate[]
  /** A filter of the groups. */
  readonly having: Condition | null
  /**
   * What is computed from keys and aggregates, for the groups that pass. The indexes of these columns follow those of the aggregates.
   * Absent: nothing is.
   */
  readonly computed?: readonly TypedExpression[]
}

/** `argument` and `by` are indexes in the scan's projection. */
export type Aggregate =
  /** All rows of a group. */
  | { readonly kind: 'count_rows' }
  | { readonly kind: AggregateKind; readonly argument: number }
  | QuantileAggregate
  /** The argument in the row whose key is greatest or least. Of equal keys the first in file order counts, and no row in which either is null. */
  | { readonly kind: 'arg_max' | 'arg_min'; readonly argument: number; readonly by: number }

/** The value at a place among those of a group: one of them, or between two of them (`quantile_cont`). */
export interface QuantileAggregate {
  readonly kind: 'quantile_cont' | 'quantile_disc'
  readonly argument: number
  readonly share: Share
  /** Whether equal values count once. */
  readonly isDistinct: boolean
}

/** The decimal `digits` · 10^−`scale`, from 0 to 1, of at most nine digits behind the point. DuckDB computes with it exactly. */
export interface Share {
  readonly digits: number
  readonly scale: number
}

/** The share of a median. */
export const HALF: Share = Object.freeze({ digits: 5, scale: 1 })

/**
 * Aggregates ignore nulls, except `first`, which is the value of the first row in file order. NaN is the greatest value. Sums and
 * variances of floats are computed in 64 bits and in a fixed order.
 */
export type AggregateKind =
  | 'count'
  | 'count_distinct'
  | 'sum'
  | 'min'
  | 'max'
  | 'avg'
  | 'stddev_samp'
  | 'stddev_pop'
  | 'var_samp'
  | 'var_pop'
  | 'first'

export interface SortKey {
  readonly column: number
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
}

/** What the outermost query does at the end. */
export function outermost(finish: Finish): Finish {
  return finish.outer === undefined ? finish : outermost(finish.outer.finish)
}

/** The same with another end of the outermost query. */
export function withOutermost(finish: Finish, other: (outermost: Finish) => Finish): Finish {
  const { outer } = finish
  if (outer === undefined) return Object.freeze(other(finish))
  return Object.freeze({
    ...finish,
    outer: Object.freeze({ ...outer, finish: withOutermost(outer.finish, other) }),
  })
}

/** The expressions over a table of groups. */
export function expressionsOverGroups({ computed = [], having }: Grouping): readonly TypedExpression[] {
  return [...computed, ...(having === null ? [] : [having])]
}

/** The expressions of a query over the output of the one inside of it. */
export function expressionsOfOuter({ filter, columns }: OuterQuery): readonly TypedExpression[] {
  return [...(filter === null ? [] : [filter]), ...columns]
}

/** The same query with other expressions over that output. */
export function withOuterExpressions(
  outer: OuterQuery,
  other: (expression: TypedExpression) => TypedExpression,
): OuterQuery {
  const { filter, columns } = outer
  return { ...outer, filter: filter && other(filter), columns: columns.map(other) }
}

/** All expressions of the queries around one, and those over its groups. */
export function expressionsOfFinish({ grouping, outer }: Finish): readonly TypedExpression[] {
  return [
    ...(grouping === null ? [] : expressionsOverGroups(grouping)),
    ...(outer === undefined ? [] : [...expressionsOfOuter(outer), ...expressionsOfFinish(outer.finish)]),
  ]
}

/** Outputs the rows of a scan in file order, with its whole projection. */
export function allRows(columns: number): Finish {
  return Object.freeze({
    grouping: null,
    order: Object.freeze([]),
    output: Object.freeze(Array.from({ length: columns }, (_, place) => place)),
    isCounted: false,
  })
}

/** Whether the rows of each unit are output as they are. Then units need not wait for others. */
export function isRows({ grouping, firsts, order, isCounted }: Finish): boolean {
  return grouping === null && firsts === undefined && order.length === 0 && !isCounted
}

/** The indexes of the columns by which the first rows of each group are found, each once. */
export function columnsOfFirsts({ keys, order }: FirstRows): readonly number[] {
  return [...new Set([...keys, ...order.map(({ column }) => column)])]
}

/** The type of counts. */
export const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })
const UINT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: false })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/** The types of the columns of a table of groups: keys, then aggregates. `types` are those of the scan's projection. */
export function groupTypes({ keys, aggregates }: Grouping, types: readonly DataType[]): readonly DataType[] {
  const typeAt = (index: number): DataType => {
    const type = types[index]
    if (type === undefined) throw new RangeError(`column ${index} of ${types.length}`)
    return valueType(type)
  }
  return [
    ...keys.map(typeAt),
    ...aggregates.map((aggregate) => {
      if (aggregate.kind === 'count_rows') return INT64
      const type = typeAt(aggregate.argument)
      const resultType = aggregateType(aggregate.kind, type)
      if (resultType === null) throw new TypeError(`${aggregate.kind} of ${typeName(type)}`)
      return resultType
    }),
  ]
}

/** The indexes of the columns that an aggregate is made of. */
export function argumentsOf(aggregate: Aggregate): readonly number[] {
  if (aggregate.kind === 'count_rows') return []
  return 'by' in aggregate ? [aggregate.argument, aggregate.by] : [aggregate.argument]
}

/** An aggregate of other columns. */
export function withArguments(aggregate: Aggregate, placeOf: (index: number) => number): Aggregate {
  if (aggregate.kind === 'count_rows') return aggregate
  const argument = placeOf(aggregate.argument)
  return 'by' in aggregate
    ? { ...aggregate, argument, by: placeOf(aggregate.by) }
    : { ...aggregate, argument }
}

/** The type of an aggregate over values of a type, as in answers of DuckDB. Null: the core has no such aggregate. */
export function aggregateType(
  kind: Exclude<Aggregate['kind'], 'count_rows'>,
  type: DataType,
): DataType | null {
  const isNumber = type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal'
  switch (kind) {
    case 'count':
    case 'count_distinct':
      return INT64
    case 'sum':
      if (type.kind === 'int') return type.signed ? INT64 : UINT64
      if (type.kind === 'float') return FLOAT64
      return type.kind === 'decimal' && type.bits < 256 ? { ...type, bits: 128, precision: 38 } : null
    case 'avg':
    case 'stddev_samp':
    case 'stddev_pop':
    case 'var_samp':
    case 'var_pop':
      return isNumber ? FLOAT64 : null
    case 'quantile_cont':
      return continuousType(type)
    case 'quantile_disc':
      return isNumber || ['bool', 'date', 'time', 'timestamp'].includes(type.kind) ? type : null
    case 'min':
    case 'max':
    case 'first':
    case 'arg_max':
    case 'arg_min':
      return type
  }
}

/** The most digits of decimals between which DuckDB interpolates in 64 bits. */
const INTERPOLATED_DIGITS = 18

/** The type of what lies between two values of a type. Null: DuckDB has none, or one whose values the core does not compute. */
function continuousType(type: DataType): DataType | null {
  switch (type.kind) {
    case 'int':
      return FLOAT64
    case 'float':
      return type
    case 'decimal':
      return type.precision <= INTERPOLATED_DIGITS ? type : null
    case 'date':
      return type.unit === 'day' ? { kind: 'timestamp', unit: 'microsecond', zone: null } : null
    case 'time':
      return type.unit === 'microsecond' ? type : null
    case 'timestamp':
      return type.unit === 'microsecond' || type.zone === null ? type : null
    default:
      return null
  }
}
