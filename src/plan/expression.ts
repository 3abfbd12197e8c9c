import type { Scalar } from './types/scalar.ts'
import { type DataType, typeName, valueType } from './types/schema.ts'

/**
 * A value of each row, and what it is made of. The type is that of the values: whether a column holds them by a
 * dictionary is for the columns of a scan and the fields of its output to say. Made by the functions below, which freeze.
 */
export type Expression = ColumnExpression | ConstantExpression | CallExpression

/** A source column of a scan, by its name in the files. */
export interface ColumnExpression {
  readonly kind: 'column'
  readonly column: string
  readonly type: DataType
}

/** The same value in every row; null: a null. */
export interface ConstantExpression {
  readonly kind: 'constant'
  readonly value: Scalar | null
  readonly type: DataType
}

/** A function of DuckDB, which alone evaluates it; type null: DuckDB has not been asked for it. */
export interface CallExpression {
  readonly kind: 'call'
  readonly name: string
  readonly args: readonly Expression[]
  readonly type: DataType | null
}

/** One whose type is known, as is that of everything the core works on. */
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
): CallExpression {
  return Object.freeze({ kind: 'call', name, args: Object.freeze([...args]), type })
}

/** What is made of each kind of expression. */
export interface ExpressionVisitor<T> {
  column(expression: ColumnExpression): T
  constant(expression: ConstantExpression): T
  /** `visit` makes the same of an argument. */
  call(expression: CallExpression, visit: (arg: Expression) => T): T
}

/** Folds an expression: all that is made of expressions, whatever they are nested in, is made by a visitor. */
export function visitExpression<T>(expression: Expression, visitor: ExpressionVisitor<T>): T {
  switch (expression.kind) {
    case 'column':
      return visitor.column(expression)
    case 'constant':
      return visitor.constant(expression)
    case 'call':
      return visitor.call(expression, (arg) => visitExpression(arg, visitor))
  }
}

/** The source columns that expressions read, each once, in order of appearance. */
export function columnsOfExpressions(expressions: Iterable<Expression>): string[] {
  const names = new Set<string>()
  /** One call may be an argument of many. */
  const seen = new Set<CallExpression>()
  const visitor: ExpressionVisitor<void> = {
    column: ({ column }) => void names.add(column),
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
 * Equal for expressions of the same structure, and for no others. A scan reads a column in one type, so its name is enough;
 * the type of a call follows from its arguments.
 */
export function expressionKey(expression: Expression): string {
  return visitExpression(expression, KEY)
}

const KEY: ExpressionVisitor<string> = Object.freeze({
  column: ({ column }: ColumnExpression) => `column ${column}`,
  constant: ({ value, type }: ConstantExpression) => `constant ${scalarKey(value)} ${typeName(type)}`,
  // Lengths keep what names and texts hold from looking like the end of an argument.
  call: ({ name, args }: CallExpression, visit: (arg: Expression) => string) =>
    `call ${[name, ...args.map(visit)].map((part) => `${part.length}:${part}`).join(' ')}`,
})

function scalarKey(value: Scalar | null): string {
  if (value === null) return 'null'
  if (value.kind === 'bytes') return Buffer.from(value.value).toString('hex')
  return Object.is(value.value, -0) ? '-0' : String(value.value)
}

/** Whether two expressions have the same structure. */
export function sameExpression(a: Expression, b: Expression): boolean {
  return a === b || (a.kind === b.kind && expressionKey(a) === expressionKey(b))
}

/** The source column that an expression is; null: it is none. */
export function columnIn(expression: Expression): string | null {
  return expression.kind === 'column' ? expression.column : null
}

/** The same of what the core is to read. Throws a `TypeError`: it evaluates nothing else, which binding sees to. */
export function requireColumn(expression: Expression): string {
  if (expression.kind !== 'column') throw new TypeError(`the core evaluates no ${expression.kind} there`)
  return expression.column
}
