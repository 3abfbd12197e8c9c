import type { TypedExpression } from '../../../../plan/expression.ts'
import { decline } from '../../bind/declined.ts'
import { bindCall } from '../../bind/expressions/bind-call.ts'
import { conditionAsValue } from '../../bind/expressions/condition-as-value.ts'
import { bindCase } from '../../bind/expressions/forms.ts'
import { type Argument, literalAs, typeOfLiteral } from '../../bind/expressions/literal-constant.ts'
import { bindCast } from '../../bind/expressions/make-call.ts'
import type { Call, SqlExpression } from '../parse/ast.ts'
import { bindCondition } from './bind-condition.ts'

/**
 * Says what a part of an expression is: of a column or an aggregate always, and of a call if it is a column of what the expression is
 * evaluated over, such as a key of groups. Null: it is computed from its arguments.
 */
export type Resolve = (part: SqlExpression) => TypedExpression | null

/** Binds an expression to one that the core evaluates. Declines what it does not evaluate as DuckDB does. */
export function bindExpression(expression: SqlExpression, resolve: Resolve): TypedExpression {
  const resolved = resolve(expression)
  if (resolved !== null) return resolved
  switch (expression.kind) {
    case 'column':
    case 'aggregate':
      throw new TypeError(`${expression.kind} ${expression.name} is not resolved`)
    case 'literal':
      return literalAs(
        expression,
        typeOfLiteral(expression) ?? decline(`the literal ${expression.text.slice(0, 40)}`, expression.at),
      )
    case 'subquery':
      return expression.value ?? decline('a subquery', expression.at)
    case 'within':
      return conditionAsValue(
        bindCondition(expression, (part) => bindExpression(part, resolve)),
        expression.at,
      )
    case 'call':
      return bindWritten(expression, resolve)
  }
}

/** Calls that are conditions. */
const CONDITIONS: ReadonlySet<string> = new Set([
  ...['and', 'or', 'not', '=', '<>', '<', '<=', '>', '>=', 'between', 'in', 'not_in'],
  ...['is_null', 'is_not_null', 'is_distinct_from', 'is_not_distinct_from'],
])

function bindWritten(call: Call, resolve: Resolve): TypedExpression {
  const { name, args, at, to } = call
  const bind = (part: SqlExpression): TypedExpression => bindExpression(part, resolve)
  if (CONDITIONS.has(name)) return conditionAsValue(bindCondition(call, bind), at)
  const bound = args.map((arg): Argument => (arg.kind === 'literal' ? arg : bind(arg)))
  const [first] = bound
  if (to !== undefined && first !== undefined)
    return bindCast(first, to.type, at, name === 'try_cast' ? 'try_cast' : 'cast')
  if (name === 'case') return bindCase(bound, at)
  return bindCall(name === 'extract' ? 'date_part' : name, bound, at)
}
