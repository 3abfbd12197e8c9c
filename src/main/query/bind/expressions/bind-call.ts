import type { TypedExpression } from '../../../../plan/expression.ts'
import { uniqueMap } from '../../../../plan/unique-map.ts'
import { decline } from '../declined.ts'
import { OF_CHOICES } from './families/choices.ts'
import { OF_NUMBERS } from './families/numbers.ts'
import { OF_TEXTS } from './families/texts.ts'
import { OF_TIMES } from './families/times.ts'
import type { Argument } from './literal-constant.ts'
import type { BindFunction, FunctionFamily } from './make-call.ts'

/**
 * A call whose arguments are cast to the types of the overload that DuckDB chooses. Declines calls that the core does not evaluate,
 * or of which the overload is not certain. `at` is the position in the statement.
 */
export function bindCall(name: string, args: readonly Argument[], at: number | null): TypedExpression {
  const bindFunction = FUNCTIONS.get(name)
  return bindFunction === undefined ? decline(`the function ${name}`, at) : bindFunction(name, args, at)
}

/** Functions by the values that they are of, and by their names in statements and in JSON. */
export const FUNCTIONS_BY_VALUES: ReadonlyMap<string, FunctionFamily> = new Map([
  ['numbers', OF_NUMBERS],
  ['any values', OF_CHOICES],
  ['times', OF_TIMES],
  ['text', OF_TEXTS],
])

const FUNCTIONS: ReadonlyMap<string, BindFunction> = uniqueMap([...FUNCTIONS_BY_VALUES.values()].flat())
