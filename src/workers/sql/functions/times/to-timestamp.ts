import { ServiceError } from '../../../../plan/errors.ts'
import { castArguments } from '../../../../wasm/duckdb/catalog/cast-arguments.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'

/** Functions of any type of time. Those of texts are code of the service (`registered/to-timestamp.ts`). */
const NAMES = ['to_timestamp', '_time'] as const

/**
 * Gives functions overloads of times, which are times without a zone, in nanoseconds or coarser. A macro with an overload for each type would do
 * as well, but DuckDB cannot choose one for an aggregate: `to_timestamp(max(t))`. Throws `internal`.
 */
export function addToTimestamp(duck: Duck, catalog: FunctionCatalog): void {
  // Its result is its argument.
  const of = catalog.overloads('scalar', '+').find(({ parameters }) => parameters.join() === 'bigint')
  if (of === undefined) throw new ServiceError('internal', 'DuckDB has no +(BIGINT)')
  const bind = castArguments(duck, ['timestamp'])
  const bindNanoseconds = castArguments(duck, ['timestamp_ns'])
  for (const name of NAMES)
    catalog.register(name, [
      { of, parameters: ['date'], returns: 'timestamp', bind },
      ...(['timestamp', 'timestamp_s', 'timestamp_ms', 'timestamp_ns'] as const).map(
        (unit) => ({ of, parameters: [unit], returns: unit }) as const,
      ),
      { of, parameters: ['timestamp_tz'], returns: 'timestamp', bind },
      { of, parameters: ['timestamptz_ns'], returns: 'timestamp_ns', bind: bindNanoseconds },
    ])
}
