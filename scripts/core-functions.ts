import { orDeclined } from '../src/main/query/bind/declined.ts'
import { bindCall, FUNCTIONS_BY_VALUES } from '../src/main/query/bind/expressions/bind-call.ts'
import type { Literal } from '../src/main/query/bind/expressions/literal.ts'
import type { Argument } from '../src/main/query/bind/expressions/literal-constant.ts'
import { columnExpression } from '../src/plan/expression.ts'
import { BOOLEAN, DATE, DOUBLE, INTEGER, TIMESTAMPS, VARCHAR } from '../src/plan/kernels/kernel-types.ts'

const literal = (form: Literal['form'], text: string): Literal => ({ kind: 'literal', form, text, at: 0 })

/** An argument of each kind. */
const ARGUMENTS: readonly Argument[] = [
  ...[BOOLEAN, INTEGER, DOUBLE, VARCHAR, DATE, ...TIMESTAMPS].map((type, index) =>
    columnExpression(`c${index}`, type),
  ),
  literal('integer', '1'),
  literal('string', 'month'),
  literal('string', '%Y'),
  literal('string', 'UTC'),
  literal('interval', '1 day'),
]

/** The functions that the core evaluates for some arguments, by what they are of. Operators are not among them. */
export function coreFunctions(): ReadonlyMap<string, readonly string[]> {
  const names = [...FUNCTIONS_BY_VALUES].map(([values, family]) => {
    const evaluated = family.map(([name]) => name).filter((name) => /^[a-z]/.test(name) && isEvaluated(name))
    return [values, evaluated.toSorted()] as const
  })
  return new Map(names)
}

function isEvaluated(name: string): boolean {
  return listsOfArguments(3).some((args) => 'done' in orDeclined(() => bindCall(name, args, null)))
}

function listsOfArguments(most: number): readonly (readonly Argument[])[] {
  if (most === 0) return [[]]
  const shorter = listsOfArguments(most - 1)
  const longest = shorter.filter(({ length }) => length === most - 1)
  return [...shorter, ...longest.flatMap((args) => ARGUMENTS.map((arg) => [...args, arg]))]
}

/** The page about SQL with the rows that are made of the functions of the core. */
export function sqlPage(page: string): string {
  const written = [...coreFunctions()].reduce((text, [values, names]) => {
    const row = `| functions of ${values} | ${names.map((name) => `\`${name}\``).join(', ')} |`
    return text.replace(new RegExp(`^\\| functions of ${values} \\|.*$`, 'm'), row)
  }, page)
  for (const values of coreFunctions().keys())
    if (!written.includes(`\n| functions of ${values} |`))
      throw new RangeError(`the page has no row of functions of ${values}`)
  return written
}
