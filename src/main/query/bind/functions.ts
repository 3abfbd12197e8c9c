import { ServiceError } from '../../../plan/errors.ts'
import { didYouMean } from '../../../plan/nearest-name.ts'
import { at } from '../../json/shape.ts'
import type { FunctionEntry } from '../request/select.ts'
import { adviceOnAggregate } from './aggregates.ts'

/** The functions that a request may call: scalar functions of DuckDB, by their exact names in lower case. */
export interface CallableFunctions {
  isCallable(name: string): boolean
  /** The names of all of them, from which an error message suggests one. */
  names(): readonly string[]
  /** The functions that do not accept floats. Whole numbers among their arguments are bound as integers. */
  readonly takingIntegers: ReadonlySet<string>
}

/** Any function, for requests that the core may run: it declines those that it does not evaluate, and DuckDB says which there are. */
export const CORE_FUNCTIONS: CallableFunctions = Object.freeze({
  isCallable: () => true,
  names: () => [],
  takingIntegers: new Set(['round', 'trunc']),
})

/**
 * The name of the function that an entry calls. Throws `invalid_query` if there is no such function, and for aggregates, table
 * functions and functions that queries may not call.
 */
export function functionOf({ name, args, path }: FunctionEntry, functions: CallableFunctions): string {
  if (functions.isCallable(name)) return name
  const [first] = args
  const aggregate = adviceOnAggregate(name, first?.kind === 'column' ? first.column : '…')
  const what =
    aggregate ??
    `there is no scalar function "${name}"${didYouMean(name, functions.names()) || '; the names are those of DuckDB, in lower case'}`
  throw new ServiceError('invalid_query', `${at(path, 'function')}: ${what}`)
}
