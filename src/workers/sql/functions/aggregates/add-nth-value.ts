import { ServiceError } from '../../../../plan/errors.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import { nthValue } from '../../../../wasm/duckdb/catalog/nth-value.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'
import { createOutOfRange } from '../../../../wasm/duckdb/linking/exception.ts'

const OTHER_PLACES = 'nth_value takes the same n in all rows of a group'

/** Registers `nth_value` as an aggregate. With OVER, DuckDB has it. */
export function addNthValue(duck: Duck, catalog: FunctionCatalog): void {
  const [list] = catalog.overloads('aggregate', 'list')
  if (list === undefined) throw new ServiceError('internal', 'DuckDB has no lists of values')
  catalog.register('nth_value', [nthValue(duck, list, createOutOfRange(duck, OTHER_PLACES))])
}
