import type { CallableFunctions } from '../../query/bind/functions.ts'
import { isInternalFunction } from '../gate/forbidden.ts'

/** Scalar functions that are syntax in DuckDB, so that it does not list them. */
export const SYNTAX: ReadonlySet<string> = new Set(['coalesce', 'if', 'ifnull'])

/** Macros of DuckDB, listed as scalar functions, that aggregate rows or make several of one. */
const NOT_SCALAR: ReadonlySet<string> = new Set([
  'generate_subscripts',
  'geomean',
  'geometric_mean',
  'regexp_split_to_table',
  'unnest',
  'wavg',
  'weighted_avg',
])

/** What a request may call of the scalar functions that DuckDB lists. */
export function callableFunctions(
  listed: ReadonlySet<string>,
  takingIntegers: ReadonlySet<string>,
): CallableFunctions {
  const isCallable = (name: string): boolean =>
    SYNTAX.has(name) || (listed.has(name) && !NOT_SCALAR.has(name) && !isInternalFunction(name))
  return { isCallable, names: () => [...SYNTAX, ...listed].filter(isCallable), takingIntegers }
}
