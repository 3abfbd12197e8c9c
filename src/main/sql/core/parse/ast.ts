import type { Comparison } from '../../../../plan/predicate/predicate.ts'
import type { SourceRequest } from '../../../../plan/statement/statement.ts'
import type { AggregateKind } from '../../../../plan/task/finish.ts'

/** A `SELECT` of the simple shape, as it is written. `at` is a place in the text, for what is said of it. */
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

/** Files, a table, or another `SELECT` in brackets, and the name that it has here. */
export type From = FromSources | FromSelect

export interface FromSources {
  readonly kind: 'sources'
  /** In order: several are files of one format, those of queries with `UNION ALL` between them that are the same but for these. */
  readonly sources: readonly SourceRequest[]
  readonly alias: string | null
}

export interface FromSelect {
  readonly kind: 'select'
  readonly select: Select
  readonly at: number
  readonly alias: string | null
}

export type Item = Star | ValueItem

export interface Star {
  readonly kind: 'star'
  readonly table: string | null
  readonly at: number
}

export interface ValueItem {
  readonly kind: 'value'
  readonly value: Value
  /** Null: none is given. */
  readonly alias: string | null
}

/** What an item, a condition or an order is about. */
export type Value = ColumnName | AggregateCall

export interface ColumnName {
  readonly kind: 'column'
  /** What stands before the dot; null: nothing. */
  readonly table: string | null
  readonly name: string
  readonly at: number
}

export interface AggregateCall {
  readonly kind: 'aggregate'
  /** In lower case, as it is called. */
  readonly name: string
  readonly aggregate: AggregateKind | 'count_rows'
  /** Null: of rows. */
  readonly argument: ColumnName | null
  /** What DuckDB calls the column, where there is no alias. */
  readonly label: string
  readonly at: number
}

export type GroupBy =
  | { readonly kind: 'all'; readonly at: number }
  | { readonly kind: 'values'; readonly values: readonly (ColumnName | Ordinal)[] }

/** The place of an item in the list, from 1. */
export interface Ordinal {
  readonly kind: 'ordinal'
  readonly place: number
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
  /** A column of truth values. */
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

/** A constant, by how it is written: DuckDB gives each form a type of its own. */
export interface Literal {
  readonly form: 'integer' | 'decimal' | 'double' | 'string' | 'boolean' | 'date' | 'time' | 'timestamp'
  /** Without quotes; a number with its sign. */
  readonly text: string
  readonly at: number
}
