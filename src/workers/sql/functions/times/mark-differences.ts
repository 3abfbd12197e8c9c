import { ServiceError } from '../../../../plan/errors.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import { markTimeDifference } from '../../../../wasm/duckdb/catalog/time-difference.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'

/** Makes differences of two times known by their types, as long as no function is computed of them. Throws `internal`. */
export function markDifferences(duck: Duck, catalog: FunctionCatalog): void {
  for (const time of ['timestamp', 'timestamp_tz']) {
    const overload = catalog
      .overloads('scalar', '-')
      .find(({ parameters, returns }) => parameters.join() === `${time},${time}` && returns === 'interval')
    if (overload === undefined) throw new ServiceError('internal', `DuckDB has no difference of ${time}`)
    markTimeDifference(duck, overload)
  }
}
