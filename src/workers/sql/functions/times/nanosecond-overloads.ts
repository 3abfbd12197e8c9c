import { ServiceError } from '../../../../plan/errors.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import type { Overload, TypeName } from '../../../../wasm/duckdb/catalog/overload.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'
import { addToNanoseconds } from './add-to-nanoseconds.ts'

/*
 * Functions that know nanoseconds. All others get a time with a zone in nanoseconds as one in microseconds, rounded down
 * (casts/nanosecond-casts.ts).
 */

/** Functions with an overload for nanoseconds without a zone, which does the same with one. */
const LIKE_WITHOUT_ZONE = Object.freeze(['date_trunc', 'datetrunc', 'epoch_ns', 'nanosecond', 'strftime'])

/** Gives functions overloads for times with a zone in nanoseconds. To be called when those for times without a zone are there. Throws `internal`. */
export function addNanosecondOverloads(duck: Duck, catalog: FunctionCatalog): void {
  for (const name of LIKE_WITHOUT_ZONE) {
    const overloads = catalog
      .overloads('scalar', name)
      .filter(({ parameters }) => parameters.includes('timestamp_ns'))
    const [first, ...others] = overloads.map((of) => ({
      of,
      parameters: of.parameters.map(withZone),
      returns: withZone(of.returns),
    }))
    if (first === undefined) throw new ServiceError('internal', `DuckDB has no ${name} of nanoseconds`)
    catalog.register(name, [first, ...others])
  }
  const find = (name: string, ...types: readonly TypeName[]): Overload => {
    const match = catalog
      .overloads('scalar', name)
      .find(({ parameters }) => parameters.join() === types.join())
    if (match === undefined) throw new ServiceError('internal', `DuckDB has no ${name} of ${types.join()}`)
    return match
  }
  const copy = (of: Overload, code: number) => ({
    of,
    parameters: of.parameters.map((type) => (type === 'timestamp' ? 'timestamptz_ns' : type)),
    returns: 'timestamptz_ns' as const,
    code,
  })
  catalog.register('+', [
    copy(find('+', 'timestamp', 'interval'), addToNanoseconds(duck, { time: 0, interval: 1, sign: 1 })),
    copy(find('+', 'interval', 'timestamp'), addToNanoseconds(duck, { time: 1, interval: 0, sign: 1 })),
  ])
  catalog.register('-', [
    copy(find('-', 'timestamp', 'interval'), addToNanoseconds(duck, { time: 0, interval: 1, sign: -1 })),
  ])
}

function withZone(type: TypeName): TypeName {
  return type === 'timestamp_ns' ? 'timestamptz_ns' : type
}
