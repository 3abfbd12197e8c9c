import type { Geometry } from '../../../../plan/predicate/predicate.ts'
import type { SourceRequest } from '../../../../plan/statement/statement.ts'
import type { AggregateKind } from '../../../../plan/task/finish.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { Literal } from '../../bind/expressions/literal.ts'

/** A `SELECT` of the simple shape, as it is written. `at` is a position in the text, in UTF-16 units, for messages. */
export interface Select {
  readonly isDistinct: boolean
  readonly items: readonly Item[]
  readonly from: From
  readonly where: SqlExpression | null
  /** Null: there is no GROUP BY. */
  readonly groupBy: GroupBy | null
  readonly having: SqlExpression | null
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
  readonly value: SqlExpression
  /** Null: it has no alias. */
  readonly alias: string | null
}

/** An expression in the select list, in a condition, in GROUP BY or in ORDER BY, as it is written. */
export type SqlExpression = Value | Literal | Call | Within

/** A column or an aggregate: what an expression computes from. */
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
  readonly argument: SqlExpression | null
  /** What is written between the brackets of an aggregate of rows, as DuckDB names it. */
  readonly rows: string
  /** The condition of the rows that count. Absent: all do. */
  readonly filter?: SqlExpression
  readonly at: number
}

/**
 * An operator or a function with its arguments. Operators have the names that the table of functions has for them: `+`, `and`, `not`,
 * `~~` (LIKE), `!~~`, `extract`, `is_null`, `is_not_null`, `between`, `in`, `not_in`, `case` (a condition and its value in turn, then the value of the others), `cast`, `try_cast`.
 * A division of whatever sign is `//`.
 */
export interface Call {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly SqlExpression[]
  readonly at: number
  /** Whether it is written in a form of its own, as `trim(LEADING FROM x)`, of which DuckDB prints the schema of the function. Absent: it is not. */
  readonly hasForm?: true
  /** The type of a cast, and its name as DuckDB prints it. Absent: it is none. */
  readonly to?: CastType
}

export interface CastType {
  readonly type: DataType
  readonly name: string
}

/** Whether the point of two values lies in a geometry. */
export interface Within {
  readonly kind: 'within'
  readonly geometry: Geometry
  readonly longitude: SqlExpression
  readonly latitude: SqlExpression
  readonly at: number
}

export type GroupBy =
  | { readonly kind: 'all'; readonly at: number }
  | { readonly kind: 'values'; readonly values: readonly (SqlExpression | Ordinal)[] }

/** The number of an item of the select list, from 1. */
export interface Ordinal {
  readonly kind: 'ordinal'
  readonly number: number
  readonly at: number
}

export interface OrderItem {
  readonly value: SqlExpression | Ordinal
  readonly isDescending: boolean
  readonly areNullsFirst: boolean
}
