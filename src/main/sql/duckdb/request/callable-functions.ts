import type { CallableFunctions } from '../../../query/bind/functions.ts'
import { isInternalFunction } from '../../gate/forbidden.ts'

/** Scalar functions that are part of DuckDB's grammar, which its list of functions does not have. */
export const SYNTAX: ReadonlySet<string> = new Set(['coalesce', 'if', 'ifnull'])

/** Macros that DuckDB lists as scalar functions, though they aggregate rows or make several rows of one. */
const NOT_SCALAR: ReadonlySet<string> = new Set([
  'generate_subscripts',
  'geomean',
  'geometric_mean',
  'regexp_split_to_table',
  'unnest',
  'wavg',
  'weighted_avg',
])

/** The functions that a request may call. `listed` are the scalar functions that DuckDB lists. */
export function callableFunctions(
  listed: ReadonlySet<string>,
  takingIntegers: ReadonlySet<string>,
): CallableFunctions {
  const isCallable = (name: string): boolean =>
    SYNTAX.has(name) || (listed.has(name) && !NOT_SCALAR.has(name) && !isInternalFunction(name))
  return { isCallable, names: () => [...SYNTAX, ...listed].filter(isCallable), takingIntegers }
}
