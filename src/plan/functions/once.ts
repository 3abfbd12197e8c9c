/**
 * The parameters and the body of a macro that names its parameters more than once. DuckDB puts each argument in place of each
 * mention of a parameter, so that nested calls would grow by a power of two, and `random()` would differ from one mention to the
 * next. Here each argument stands once, in a list of one struct, and the body reads the fields of it. `body` takes an expression
 * for each parameter. It must not name a parameter itself, because a lambda of an argument might have one of the same name.
 */
export function once(
  parameters: readonly string[],
  body: (...values: string[]) => string,
): readonly [parameters: string, body: string] {
  const fields = parameters.map((name) => `'${name}': ${name}`).join(', ')
  const values = parameters.map((name) => `_args['${name}']`)
  return [parameters.join(', '), `list_transform([{${fields}}], lambda _args: ${body(...values)})[1]`]
}
