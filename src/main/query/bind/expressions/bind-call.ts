import type { TypedExpression } from '../../../../plan/expression.ts'
import { uniqueMap } from '../../../../plan/unique-map.ts'
import { decline } from '../declined.ts'
import { OF_CHOICES } from './families/choices.ts'
import { OF_NUMBERS } from './families/numbers.ts'
import { OF_TEXTS } from './families/texts.ts'
import { OF_TIMES } from './families/times.ts'
import type { Argument } from './literal-constant.ts'
import type { BindFunction } from './make-call.ts'

/**
 * A call whose arguments are cast to the types of the overload that DuckDB chooses. Declines calls that the core does not evaluate,
 * or of which the overload is not certain. `at` is the position in the statement.
 */
export function bindCall(name: string, args: readonly Argument[], at: number | null): TypedExpression {
  const bindFunction = FUNCTIONS.get(name)
  return bindFunction === undefined ? decline(`the function ${name}`, at) : bindFunction(name, args, at)
}

/** The functions that the core evaluates, by their names in statements and in JSON. */
const FUNCTIONS: ReadonlyMap<string, BindFunction> = uniqueMap([
  ...OF_NUMBERS,
  ...OF_CHOICES,
  ...OF_TIMES,
  ...OF_TEXTS,
])
