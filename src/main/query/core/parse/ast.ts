import type { ConstantExpression } from '../../../../plan/expression.ts'
import type { Geometry } from '../../../../plan/geometry/geometry.ts'
import type { SourceRequest } from '../../../../plan/statement/statement.ts'
import type { Aggregate, Share } from '../../../../plan/task/finish.ts'
import type { DataType } from '../../../../plan/types/schema.ts'
import type { Literal } from '../../bind/expressions/literal.ts'

/** A `SELECT` of the simple shape, as it is written. `at` is a position in the text, in UTF-16 units, for messages. */
export interface Select {
  readonly isDistinct: boolean
  /** Which rows of each group are left. Absent: all are. */
  readonly firsts?: FirstsOfSelect
  readonly items: readonly Item[]
  readonly from: From
  readonly where: SqlExpression | null
  /** Null: there is no GROUP BY. */
  readonly groupBy: GroupBy | null
  readonly having: SqlExpression | null
  readonly orderBy: readonly OrderItem[]
  readonly limit: number | null
  readonly offset: number
  /** LIMIT and OFFSET as DuckDB prints them, with a blank before each. */
  readonly writtenLimits: string
}

/** Files, a table, or another `SELECT` in brackets, with an alias or without. */
export type From = FromSources | FromSelect

export interface FromSources {
  readonly kind: 'sources'
  /** In order. Several of them are files of one format, and come from queries that differ in nothing else, with `UNION ALL` between. */
  readonly sources: readonly SourceRequest[]
  readonly at: number
  readonly alias: string | null
  /** The only source and its alias as DuckDB prints them. Null: that is not certain. */
  readonly written: string | null
}

export interface FromSelect {
  readonly kind: 'select'
  readonly select: Select
  /** The view whose query it is: then positions in it are those of the view's text. Null: it is written in brackets. */
  readonly view: string | null
  readonly at: number
  readonly alias: string | null
}

export type Item = Star | ValueItem | NumberItem

/** Which first rows of each group a `SELECT` has. */
export type FirstsOfSelect =
  /** The first one, in the order of the `SELECT`. */
  | { readonly kind: 'distinct_on'; readonly on: readonly (SqlExpression | Ordinal)[]; readonly at: number }
  /** The rows that are numbered so. Null: the query around it says how many. */
  | { readonly kind: 'row_number'; readonly window: RowNumber; readonly most: number | null }

/** `row_number() OVER (…)`. */
export interface RowNumber {
  readonly partitionBy: readonly SqlExpression[]
  readonly orderBy: readonly OrderItem[]
  readonly at: number
}

/** The number of each row in its group. */
interface NumberItem {
  readonly kind: 'row_number'
  readonly window: RowNumber
  readonly alias: string
  readonly at: number
}

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
export type SqlExpression = Value | Literal | Call | Within | Subquery

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
  readonly aggregate: Aggregate['kind'] | 'median'
  /** Null: it is an aggregate of rows. */
  readonly argument: SqlExpression | null
  /** What is written between the brackets of an aggregate of rows, as DuckDB names it. */
  readonly rows: string
  /** The key of `arg_max` and `arg_min`. Absent: there is none. */
  readonly by?: SqlExpression
  /** That of a quantile, and how it is written. Absent: there is none. */
  readonly share?: { readonly value: Share; readonly literal: Literal }
  /** Whether equal values count once. Absent: they do not, or the aggregate is `count_distinct`. */
  readonly isDistinct?: boolean
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

/** A query in brackets in place of a value: that of its only row and column, or null if it has no row. */
export interface Subquery {
  readonly kind: 'subquery'
  /** As it is written, with the names of views. */
  readonly select: Select
  readonly at: number
  /** Its value. Absent: it has not been run, and nothing stands for it. */
  readonly value?: ConstantExpression
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
  /** The words behind the value as DuckDB prints them, with a blank before each. */
  readonly written: string
}
