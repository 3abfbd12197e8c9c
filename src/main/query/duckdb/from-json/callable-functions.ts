import { FUNCTIONS, MAKING_ROWS } from '../../../../plan/functions/functions.ts'
import { isInternalFunction } from '../../../sql/gate/forbidden.ts'
import type { CallableFunctions } from '../../bind/functions.ts'

const ROWS = [...FUNCTIONS.values()]

/** Scalar functions that are part of DuckDB's grammar, which its list of functions does not have. */
export const SYNTAX: ReadonlySet<string> = new Set(
  ROWS.filter(({ kind, form }) => kind === 'scalar' && form.kind === 'syntax').map(({ name }) => name),
)

const INTEGERS = ['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'UBIGINT', 'INTEGRAL']
const FLOATS = ['DOUBLE', 'FLOAT', 'NUMBER', 'ANY']

/** The functions of the table that take integers, and no other numbers. */
export const INTEGRAL_FUNCTIONS: ReadonlySet<string> = new Set(
  ROWS.filter(({ overloads }) => {
    const types = overloads.flatMap(({ parameters }) => parameters.map(({ type }) => type))
    return types.some((type) => INTEGERS.includes(type)) && !types.some((type) => FLOATS.includes(type))
  }).map(({ name }) => name),
)

/** The functions that a request may call: those of the table that make one value of a row, and the `listed` ones of DuckDB. */
export function callableFunctions(
  listed: ReadonlySet<string>,
  takingIntegers: ReadonlySet<string>,
): CallableFunctions {
  const isCallable = (name: string): boolean => SYNTAX.has(name) || (listed.has(name) && isScalar(name))
  return { isCallable, names: () => [...SYNTAX, ...listed].filter(isCallable), takingIntegers }
}

/** DuckDB lists macros as scalar functions whatever they call, such as an aggregate. */
function isScalar(name: string): boolean {
  const row = FUNCTIONS.get(name)
  return row === undefined ? !MAKING_ROWS.has(name) && !isInternalFunction(name) : row.kind === 'scalar'
}
