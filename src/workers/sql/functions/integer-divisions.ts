import { ServiceError } from '../../../plan/errors.ts'
import { memoize } from '../../../plan/memoize.ts'
import type { OverloadCopy } from '../../../wasm/duckdb/catalog/copy-overloads.ts'
import type { FunctionCatalog } from '../../../wasm/duckdb/catalog/function-catalog.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'

/** How many divisions of integers a DuckDB has bound so far; 0 if nothing counts them. */
const countOf = memoize((_duck: Duck) => ({ bound: 0 }))

/**
 * Counts the divisions of integers that are bound. A plan does not tell them: it prints the names of columns in place of their expressions,
 * and no types. `/` is bound as `//` here.
 */
export function watchDivisions(duck: Duck, catalog: FunctionCatalog): void {
  const integers = catalog
    .overloads('scalar', '//')
    .filter(({ returns }) => returns !== 'float' && returns !== 'double')
  const [first, ...others] = integers
  if (first === undefined || integers.some(({ bind }) => bind !== 0))
    throw new ServiceError('internal', 'DuckDB divides integers in another way')
  const count = countOf(duck)
  const bind = duck.addFunction(3, () => {
    count.bound++
    return 0
  })
  const withCounter = (of: OverloadCopy['of']): OverloadCopy => ({ of, bind })
  catalog.register('//', [withCounter(first), ...others.map(withCounter)])
}

/** How many divisions of integers were bound so far; 0 if nothing counts them. */
export function boundDivisions(duck: Duck): number {
  return countOf(duck).bound
}
