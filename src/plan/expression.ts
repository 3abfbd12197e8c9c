import type { Geometry } from './geometry/geometry.ts'
import { memoize } from './memoize.ts'
import type { Scalar } from './types/scalar.ts'
import { type DataType, typeName, valueType } from './types/schema.ts'

/**
 * An expression over the rows of a scan, or over those of a table of groups. Its type is that of its values: whether they are stored in a dictionary follows from the
 * columns of the scan and by the fields of its output. The functions below make frozen expressions.
 */
export type Expression = ColumnExpression | GroupExpression | ConstantExpression | CallExpression

/** A source column of a scan, by its name in the files. */
export interface ColumnExpression {
  readonly kind: 'column'
  readonly column: string
  readonly type: DataType
}

/** A column of a table of groups, by its index: the keys come first, and then the aggregates. */
export interface GroupExpression {
  readonly kind: 'group'
  readonly index: number
  readonly type: DataType
}

/** A constant. Null is the null value. */
export interface ConstantExpression {
  readonly kind: 'constant'
  readonly value: Scalar | null
  readonly type: DataType
  /** The number of the subquery whose value it is, from 1. In a plan that is not run the value is null. Absent: it is a constant of its own. */
  readonly subquery?: number
}

/**
 * A call of a function, an operator or another form (`src/plan/kernels`). The type is null if DuckDB evaluates it, and has not told it
 * yet.
 */
export interface CallExpression {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expression[]
  readonly type: DataType | null
  /** Where it is written, if its rows may fail. Absent: that is not known, or they do not. It is no part of what expressions are equal by. */
  readonly place?: CallPlace
  /** What points are tested against, of `within` alone. */
  readonly geometry?: Geometry
}

/** A position in the text of the statement, in UTF-16 units, a path of a JSON request, or a view whose query has the call. */
export type CallPlace = { readonly at: number } | { readonly path: string } | { readonly view: string }

/** An expression whose type is known, as the core needs it. */
export type TypedExpression = Expression & { readonly type: DataType }

export function columnExpression(column: string, type: DataType): ColumnExpression {
  return Object.freeze({ kind: 'column', column, type: valueType(type) })
}

export function constantExpression(value: Scalar | null, type: DataType): ConstantExpression {
  return Object.freeze({ kind: 'constant', value, type })
}

export function callExpression(
  name: string,
  args: readonly Expression[],
  type: DataType | null = null,
  place?: CallPlace,
): CallExpression {
  const call = { kind: 'call', name, args: Object.freeze([...args]), type } as const
  return Object.freeze(place === undefined ? call : { ...call, place: Object.freeze(place) })
}

/** The same expression with a place, if it is a call without one. */
export function withPlace(expression: TypedExpression, place: CallPlace | undefined): TypedExpression {
  if (expression.kind !== 'call' || expression.place !== undefined || place === undefined) return expression
  return Object.freeze({ ...expression, place })
}

/** A function for each kind of expression. */
export interface ExpressionVisitor<T> {
  column(expression: ColumnExpression): T
  group(expression: GroupExpression): T
  constant(expression: ConstantExpression): T
  /** `visit` applies the same visitor to an argument. */
  call(expression: CallExpression, visit: (arg: Expression) => T): T
}

/** Applies a visitor to an expression. The visitor decides which arguments of a call are visited. */
export function visitExpression<T>(expression: Expression, visitor: ExpressionVisitor<T>): T {
  switch (expression.kind) {
    case 'column':
      return visitor.column(expression)
    case 'group':
      return visitor.group(expression)
    case 'constant':
      return visitor.constant(expression)
    case 'call':
      return visitor.call(expression, (arg) => visitExpression(arg, visitor))
  }
}

/** The same expression over other columns. `other` gives what stands in place of a column, of files or of groups. */
export function withColumns(expression: TypedExpression, other: OtherColumn): TypedExpression
export function withColumns(expression: Expression, other: OtherColumn): Expression
export function withColumns(expression: Expression, other: OtherColumn): Expression {
  if (expression.kind === 'column' || expression.kind === 'group') return other(expression)
  return expression.kind === 'call' ? withArguments(expression, (arg) => withColumns(arg, other)) : expression
}

type OtherColumn = (column: ColumnExpression | GroupExpression) => TypedExpression

/** The same call of other arguments. */
function withArguments<C extends CallExpression>(call: C, other: (arg: Expression) => Expression): C {
  return Object.freeze({ ...call, args: Object.freeze(call.args.map(other)) })
}

/** How large an expression is, as a tree. */
interface Size {
  /** Columns, constants and calls, each as often as it occurs. */
  readonly parts: number
  /** The most calls around each other. */
  readonly depth: number
}

const LEAF: Size = Object.freeze({ parts: 1, depth: 0 })

/** The size of an expression. Nothing is gone through twice: the same object may be an argument of several calls, and these of others. */
export function sizeOf(expression: Expression): Size {
  return expression.kind === 'call' ? sizeOfCall(expression) : LEAF
}

const sizeOfCall = memoize(({ args }: CallExpression): Size => {
  const sizes = args.map(sizeOf)
  return {
    parts: sizes.reduce((sum, { parts }) => sum + parts, 1),
    depth: sizes.reduce((most, { depth }) => Math.max(most, depth), 0) + 1,
  }
})

/** The indexes of the columns of groups that an expression reads. */
export function groupsOfExpression(expression: Expression): readonly number[] {
  switch (expression.kind) {
    case 'group':
      return [expression.index]
    case 'call':
      return expression.args.flatMap(groupsOfExpression)
    default:
      return []
  }
}

/** The source columns that an expression reads, each once, in order of appearance. */
export function columnsOf(expression: Expression): string[] {
  return columnsOfExpressions([expression])
}

/** The source columns that expressions read, each once, in order of appearance. */
export function columnsOfExpressions(expressions: Iterable<Expression>): string[] {
  const names = new Set<string>()
  /** Calls that were visited: the same object may be an argument of several others. */
  const seen = new Set<CallExpression>()
  const visitor: ExpressionVisitor<void> = {
    column: ({ column }) => void names.add(column),
    group() {},
    constant() {},
    call(call, visit) {
      if (seen.has(call)) return
      seen.add(call)
      for (const arg of call.args) visit(arg)
    },
  }
  for (const expression of expressions) visitExpression(expression, visitor)
  return [...names]
}

/**
 * A key that is equal for expressions of the same structure, and for no others. It has no types of columns: a scan reads a column in
 * one type.
 */
export function expressionKey(expression: Expression): string {
  return visitExpression(expression, KEY)
}

const KEY: ExpressionVisitor<string> = Object.freeze({
  column: ({ column }: ColumnExpression) => `column ${column}`,
  group: ({ index }: GroupExpression) => `group ${index}`,
  constant: ({ value, type, subquery }: ConstantExpression) =>
    `constant ${scalarKey(value)} ${typeName(type)}${subquery === undefined ? '' : ` of ${subquery}`}`,
  // Each part has its length before it, so that no two calls have the same key.
  call({ name, args, type, geometry }: CallExpression, visit: (arg: Expression) => string) {
    const parts = [name, type === null ? '' : typeName(type), ...args.map(visit)]
    if (geometry !== undefined) parts.push(geometryKey(geometry))
    return `call ${parts.map((part) => `${part.length}:${part}`).join(' ')}`
  },
})

/** The coordinates of a geometry, part by part. */
const geometryKey = memoize(({ polygons, lines, points }: Geometry): string =>
  [...polygons.map((rings) => rings.join('/')), ...lines, points].join(';'),
)

function scalarKey(value: Scalar | null): string {
  if (value === null) return 'null'
  if (value.kind === 'bytes') return Buffer.from(value.value).toString('hex')
  return Object.is(value.value, -0) ? '-0' : String(value.value)
}

/** Whether the type of an expression is known. */
export function isTyped(expression: Expression): expression is TypedExpression {
  return expression.type !== null
}

/** The name of the column that an expression is. Null: it is something else. */
export function columnNameOf(expression: Expression): string | null {
  return expression.kind === 'column' ? expression.column : null
}
