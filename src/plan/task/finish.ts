import type { GroupColumn, Predicate } from '../predicate/predicate.ts'
import { type DataType, typeName, valueType } from '../types/schema.ts'

/**
 * What is made of the rows of a scan, in this order: groups, those of them that pass, an order, a stretch of it (the plan's
 * offset and limit), and columns of that, or the number of its rows. Expressions are evaluated once, in the scan's
 * projection. From there on sort keys, group keys, arguments and outputs are places in the table so far: that projection, or
 * with a grouping its keys and then its aggregates.
 */
export interface Finish {
  readonly grouping: Grouping | null
  /** The most significant first; rows that are equal in all of them stay in file order, groups in that of their first rows. */
  readonly order: readonly SortKey[]
  /** Places of the columns that go out; of a plan that counts, none. */
  readonly output: readonly number[]
  /** The answer is one row with one column, the number of rows. */
  readonly isCounted: boolean
}

/** One row for each combination of keys that occurs; without keys one row, also of no rows. */
export interface Grouping {
  /** Places in the scan's projection. Nulls are equal to each other, so are NaNs, and −0.0 and 0.0. */
  readonly keys: readonly number[]
  readonly aggregates: readonly Aggregate[]
  /** Of the groups. */
  readonly having: Predicate<GroupColumn> | null
}

export type Aggregate =
  /** All rows of a group. */
  | { readonly kind: 'count_rows' }
  /** `argument` is a place in the scan's projection. */
  | { readonly kind: AggregateKind; readonly argument: number }

/**
 * Nulls do not count, but for `first`, the value of the first row in file order. NaN is the greatest value. Sums of floats
 * and variances are made in 64 bits, in a fixed order.
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

/** Rows as the scan gives them: its whole projection, in file order. */
export function allRows(columns: number): Finish {
  return Object.freeze({
    grouping: null,
    order: Object.freeze([]),
    output: Object.freeze(Array.from({ length: columns }, (_, place) => place)),
    isCounted: false,
  })
}

/** Whether the rows of each unit go out as they are, so that nothing is left to do when all are there. */
export function isRows({ grouping, order, isCounted }: Finish): boolean {
  return grouping === null && order.length === 0 && !isCounted
}

/** Of counts. */
export const INT64: DataType = Object.freeze({ kind: 'int', bits: 64, signed: true })
const FLOAT64: DataType = Object.freeze({ kind: 'float', bits: 64 })

/** The types of a table of groups: keys, then aggregates. `types` are those of the scan's projection. */
export function groupTypes({ keys, aggregates }: Grouping, types: readonly DataType[]): readonly DataType[] {
  const typeAt = (place: number): DataType => {
    const type = types[place]
    if (type === undefined) throw new RangeError(`column ${place} of ${types.length}`)
    return valueType(type)
  }
  return [
    ...keys.map(typeAt),
    ...aggregates.map((aggregate) => {
      if (aggregate.kind === 'count_rows') return INT64
      const type = typeAt(aggregate.argument)
      const made = aggregateType(aggregate.kind, type)
      if (made === null) throw new TypeError(`${aggregate.kind} of ${typeName(type)}`)
      return made
    }),
  ]
}

/** The type of an aggregate of values of a type, as DuckDB's leave the service; null: there is no such aggregate. */
export function aggregateType(kind: AggregateKind, type: DataType): DataType | null {
  const isNumber = type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal'
  switch (kind) {
    case 'count':
    case 'count_distinct':
      return INT64
    case 'sum':
      if (type.kind === 'int') return INT64
      if (type.kind === 'float') return FLOAT64
      return type.kind === 'decimal' && type.bits < 256 ? { ...type, bits: 128, precision: 38 } : null
    case 'avg':
    case 'stddev_samp':
    case 'stddev_pop':
    case 'var_samp':
    case 'var_pop':
      return isNumber ? FLOAT64 : null
    case 'min':
    case 'max':
    case 'first':
      return type
  }
}
