import type { Comparison, Geometry } from '../../../../plan/predicate/predicate.ts'
import type { SourceRequest } from '../../../../plan/statement/statement.ts'
import type { AggregateKind } from '../../../../plan/task/finish.ts'

/** A `SELECT` of the simple shape, as it is written. `at` is a position in the text, in UTF-16 units, for messages. */
export interface Select {
  readonly isDistinct: boolean
  readonly items: readonly Item[]
  readonly from: From
  readonly where: Condition | null
  /** Null: there is no GROUP BY. */
  readonly groupBy: GroupBy | null
  readonly having: Condition | null
  readonly orderBy: readonly OrderItem[]
  readonly limit: number | null
  readonly offset: number
}

/** Files, a table, or another `SELECT` in brackets, with an alias or without. */
export type From = FromSources | FromSelect

export interface FromSources {
  readonly kind: 'sources'
  /** In order. Several of them are files of one format, and come from queries that differ in nothing else, with `UNION ALL` between. */
  readonly sources: readonly SourceRequest[]
  readonly at: number
  readonly alias: string | null
}

export interface FromSelect {
  readonly kind: 'select'
  readonly select: Select
  /** The view whose query it is: then positions in it are those of the view's text. Null: it is written in brackets. */
  readonly view: string | null
  readonly at: number
  readonly alias: string | null
}

export type Item = Star | ValueItem

interface Star {
  readonly kind: 'star'
  readonly table: string | null
  readonly at: number
}

interface ValueItem {
  readonly kind: 'value'
  readonly value: Value
  /** Null: it has no alias. */
  readonly alias: string | null
}

/** A column or an aggregate, in the select list, in a condition or in ORDER BY. */
export type Value = ColumnName | AggregateCall

export interface ColumnName {
  readonly kind: 'column'
  /** The name before the dot. Null: there is no dot. */
  readonly table: string | null
  readonly name: string
  readonly at: number
}

export interface AggregateCall {
  readonly kind: 'aggregate'
  /** The name by which it is called, in lower case. */
  readonly name: string
  readonly aggregate: AggregateKind | 'count_rows'
  /** Null: it is an aggregate of rows. */
  readonly argument: ColumnName | null
  /** DuckDB's name for its column if there is no alias. */
  readonly label: string
  readonly at: number
}

export type GroupBy =
  | { readonly kind: 'all'; readonly at: number }
  | { readonly kind: 'values'; readonly values: readonly (ColumnName | Ordinal)[] }

/** The number of an item of the select list, from 1. */
export interface Ordinal {
  readonly kind: 'ordinal'
  readonly number: number
  readonly at: number
}

export interface OrderItem {
  readonly value: Value | Ordinal
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
}

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly args: readonly Condition[] }
  | { readonly kind: 'not'; readonly arg: Condition }
  | { readonly kind: 'constant'; readonly value: boolean }
  /** A boolean column that is a condition by itself. */
  | { readonly kind: 'flag'; readonly value: Value }
  | { readonly kind: 'is_null'; readonly value: Value }
  | {
      readonly kind: 'compare'
      readonly value: Value
      readonly comparison: Comparison
      readonly literal: Literal
    }
  | { readonly kind: 'between'; readonly value: Value; readonly low: Literal; readonly high: Literal }
  | { readonly kind: 'in'; readonly value: Value; readonly literals: readonly Literal[] }
  /** The point of two values lies in a geometry. */
  | {
      readonly kind: 'within'
      readonly geometry: Geometry
      readonly longitude: Value
      readonly latitude: Value
      readonly at: number
    }

/** A constant and the form in which it is written, by which DuckDB chooses its type. */
export interface Literal {
  readonly form: 'integer' | 'decimal' | 'double' | 'string' | 'boolean' | 'date' | 'time' | 'timestamp'
  /** Its text: without quotes, and with the sign of a number. */
  readonly text: string
  readonly at: number
}
