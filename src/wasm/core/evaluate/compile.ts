import type { Expression, TypedExpression } from '../../../plan/expression.ts'
import type { Scalar } from '../../../plan/types/scalar.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import { asStored } from './decimals.ts'
import { EMITTED } from './emit.ts'
import { createEmitter, type Emitter } from './emitter.ts'
import { kindOf } from './kinds.ts'
import { createProgramWriter, type Rows, type Value, type WrittenProgram } from './program.ts'

/**
 * Writes a program whose outputs are expressions over columns, whose types are given in their order. `fold` gives the value of an
 * expression that has no columns, undefined if it has none. Without columns nothing is folded. Throws `TypeError` for a call that the core does not evaluate.
 */
export function compile(
  expressions: readonly TypedExpression[],
  columns: ReadonlyMap<string, DataType>,
  fold: (expression: TypedExpression) => Scalar | null | undefined,
): WrittenProgram {
  const names = [...columns.keys()]
  const program = createProgramWriter([...columns.values()].map(kindOf))
  const seen = new Map<Expression, (readonly [rows: Rows, value: Value])[]>()

  const evaluate = (expression: Expression, emitter: Emitter): Value => {
    switch (expression.kind) {
      case 'column': {
        const index = names.indexOf(expression.column)
        if (index < 0) throw new TypeError(`column ${expression.column} is not given`)
        return index
      }
      case 'group':
        throw new TypeError('a column of groups without a name')
      case 'constant':
        return emitter.constant(kindOf(expression.type), expression.value)
      case 'call': {
        const emit = EMITTED.get(expression.name)
        if (emit === undefined || expression.type === null)
          throw new TypeError(`the core evaluates no ${expression.name}`)
        const to = kindOf(expression.type)
        if (columns.size > 0 && isConstant(expression)) {
          const value = fold(expression as TypedExpression)
          if (value !== undefined) return emitter.constant(to, value)
        }
        const { place } = expression
        return emit(
          place === undefined ? emitter : emitter.within(place),
          expression.args.map((arg) => (of: Emitter) => visit(arg, of)),
          to,
          expression.args.map(({ type }) => type),
          expression.type,
        )
      }
    }
  }

  /** The value of an expression, or the one that it has for these rows or for more. */
  const visit = (expression: Expression, emitter: Emitter): Value => {
    const values = seen.get(expression) ?? []
    for (let rows: Rows | null = emitter.rows; rows !== null; rows = rows.parent) {
      const of = rows
      const entry = values.find(([each]) => each === of)
      if (entry !== undefined) return entry[1]
    }
    const value = evaluate(expression, emitter)
    values.push([emitter.rows, value])
    seen.set(expression, values)
    return value
  }

  const constants = new Map<Expression, boolean>()
  const isConstant = (expression: Expression): boolean => {
    if (expression.kind !== 'call') return expression.kind === 'constant'
    const is = constants.get(expression) ?? expression.args.every(isConstant)
    constants.set(expression, is)
    return is
  }

  const emitter = createEmitter(program, program.all)
  return program.write(
    expressions.map((expression) => asStored(emitter, visit(expression, emitter), expression.type)),
  )
}
