import { ServiceError } from '../../../plan/errors.ts'
import { didYouMean } from '../request/names.ts'
import type { FunctionEntry } from '../request/select.ts'
import { at } from '../request/shape.ts'

/** What the entries of a request may call: scalar functions of DuckDB, by their exact names in lower case. */
export interface CallableFunctions {
  isCallable(name: string): boolean
  /** All of them, for what is said of a name that is none. */
  names(): readonly string[]
  /** Those that take no floats, so that whole numbers among their arguments are integers. */
  readonly takingIntegers: ReadonlySet<string>
}

/** The core calls none. */
export const NO_FUNCTIONS: CallableFunctions = Object.freeze({
  isCallable: () => false,
  names: () => [],
  takingIntegers: new Set<string>(),
})

/**
 * The function that an entry calls. Throws `invalid_query` that names what is none: unknown, an aggregate, a table function, or
 * not for queries.
 */
export function functionOf({ name, path }: FunctionEntry, functions: CallableFunctions): string {
  if (functions.isCallable(name)) return name
  throw new ServiceError(
    'invalid_query',
    `${at(path, 'function')}: there is no scalar function "${name}"${didYouMean(name, functions.names())}`,
  )
}
