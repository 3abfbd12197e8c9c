import { ServiceError } from '../../../plan/errors.ts'
import { quoteWord } from '../../sql/duckdb/write.ts'
import { isInternalFunction } from '../../sql/gate/forbidden.ts'
import { didYouMean } from '../request/names.ts'
import type { FunctionEntry, SelectEntry } from '../request/select.ts'
import { at } from '../request/shape.ts'
import { projectValue } from './columns.ts'

/** Scalar functions that are syntax in DuckDB, so that it does not list them. */
const SYNTAX = new Set(['coalesce', 'if', 'ifnull'])

/** Macros of DuckDB, listed as scalar functions, that aggregate rows or make several of one. */
const NOT_SCALAR = new Set([
  'generate_subscripts',
  'geomean',
  'geometric_mean',
  'regexp_split_to_table',
  'unnest',
  'wavg',
  'weighted_avg',
])

export interface CallableFunctions {
  /** Names of the scalar functions that DuckDB lists. */
  readonly names: ReadonlySet<string>
  /** Those that take no floats, so that whole numbers among their arguments are integers. */
  readonly takingIntegers: ReadonlySet<string>
}

/**
 * A call of a scalar function by its exact name in lower case. Throws `invalid_query` that names what is none: unknown, an
 * aggregate, a table function, or not for queries.
 */
export function writeCall(
  { name, path }: FunctionEntry,
  args: readonly string[],
  { names }: CallableFunctions,
): string {
  if (SYNTAX.has(name)) return `${name}(${args.join(', ')})`
  if (names.has(name) && isCallable(name)) return `${quoteWord(name)}(${args.join(', ')})`
  throw new ServiceError(
    'invalid_query',
    `${at(path, 'function')}: there is no scalar function "${name}"${didYouMean(name, [...names].filter(isCallable))}`,
  )
}

function isCallable(name: string): boolean {
  return !NOT_SCALAR.has(name) && !isInternalFunction(name)
}

/** The argument at this place, if it is a whole number and the function takes integers; else null. */
export function writeWhole(
  { name, args }: FunctionEntry,
  index: number,
  { takingIntegers }: CallableFunctions,
): string | null {
  const arg = args[index]
  if (!takingIntegers.has(name) || arg?.kind !== 'value' || !Number.isSafeInteger(arg.value)) return null
  return String(arg.value)
}

/** An entry as the reference's engine prints it, where it stands for the alias that is missing: `abs(tmp.latitude)`. */
export function printEntry(entry: SelectEntry): string {
  switch (entry.kind) {
    case 'column':
      return `tmp.${entry.column}`
    case 'value':
      return projectValue({ ...entry, alias: null }).field.name
    case 'function':
      return `${entry.name}(${entry.args.map(printEntry).join(',')})`
  }
}
