import type {
  DuckForm,
  Example,
  FunctionKind,
  FunctionRow,
  MacroOverload,
  Nulls,
  Overload,
} from './function-row.ts'

/** What a family writes of a function. What it leaves out is usual: built in, scalar, constant, a null of an argument gives null. */
export interface WrittenFunction {
  readonly name: string
  /** Such as `x DOUBLE, digits INTEGER -> DOUBLE`, or ` -> DOUBLE` without parameters. The last parameter may end with `...`, so that it may be given often. */
  readonly overloads: readonly string[]
  readonly description: string
  /** Calls and their results in turn. */
  readonly examples: readonly (readonly [call: string, result: string | null])[]
  readonly kind?: FunctionKind
  readonly nulls?: Nulls
  readonly isConstant?: boolean
  readonly form?: DuckForm
}

/** A frozen row of the table of functions. Throws a RangeError if an overload is not written as it must be. */
export function row(written: WrittenFunction): FunctionRow {
  const examples = written.examples.map(([call, result]): Example => Object.freeze({ call, result }))
  return Object.freeze({
    name: written.name,
    kind: written.kind ?? 'scalar',
    sameAs: null,
    overloads: Object.freeze(written.overloads.map(overloadOf)),
    nulls: written.nulls ?? (written.kind === 'aggregate' ? 'are left out' : 'give null'),
    isConstant: written.isConstant ?? true,
    form: written.form ?? BUILT_IN,
    description: written.description,
    examples: Object.freeze(examples),
  })
}

/** A row of a function that computes from a group of rows. */
export function aggregate(written: Omit<WrittenFunction, 'kind'>): FunctionRow {
  return row({ ...written, kind: 'aggregate' })
}

/** Makes rows of functions that are alike but for their names. Each has one example. */
export function alike(shared: Pick<WrittenFunction, 'overloads' | 'kind'>) {
  return (name: string, description: string, call: string, result: string): FunctionRow =>
    row({ ...shared, name, description, examples: [[call, result]] })
}

/** A row, and copies of it under the other names that the same function has. */
export function withNames(row: FunctionRow, ...others: readonly string[]): readonly FunctionRow[] {
  const name = new RegExp(`\\b${row.name}\\b`, 'g')
  const copies = others.map((other) => {
    const examples = row.examples.map(
      ({ call, result }): Example => Object.freeze({ call: call.replace(name, other), result }),
    )
    const description = `The same as \`${row.name}\`.`
    return Object.freeze({
      ...row,
      name: other,
      sameAs: row.name,
      description,
      examples: Object.freeze(examples),
    })
  })
  return [row, ...copies]
}

const BUILT_IN: DuckForm = Object.freeze({ kind: 'built in' })

/** Part of DuckDB's grammar. */
export const SYNTAX: DuckForm = Object.freeze({ kind: 'syntax' })

/** DuckDB has it, and the engine adds overloads. */
export const OVERLOAD: DuckForm = Object.freeze({ kind: 'overload' })

/** Registered by the engine. */
export const REGISTERED: DuckForm = Object.freeze({ kind: 'registered' })

/** Another name of a function of DuckDB. */
export function alias(of: string): DuckForm {
  return Object.freeze({ kind: 'alias', of })
}

/** A macro. Each overload is its parameters and its body. */
export function macro(...overloads: readonly (readonly [parameters: string, body: string])[]): DuckForm {
  const frozenOverloads = overloads.map(
    ([parameters, body]): MacroOverload => Object.freeze({ parameters, body }),
  )
  return Object.freeze({ kind: 'macro', overloads: Object.freeze(frozenOverloads) })
}

const ARROW = ' -> '
const REST = '...'

function overloadOf(text: string): Overload {
  const at = text.lastIndexOf(ARROW)
  if (at < 0) throw new RangeError(`"${text}" has no result`)
  const list = text.slice(0, at)
  const isVariadic = list.endsWith(REST)
  const parameters = (isVariadic ? list.slice(0, -REST.length) : list)
    .split(', ')
    .filter((each) => each !== '')
    .map((each) => {
      const space = each.indexOf(' ')
      if (space < 1) throw new RangeError(`"${each}" of "${text}" has no type`)
      return Object.freeze({ name: each.slice(0, space), type: each.slice(space + 1) })
    })
  return Object.freeze({
    parameters: Object.freeze(parameters),
    isVariadic,
    returns: text.slice(at + ARROW.length),
  })
}

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
