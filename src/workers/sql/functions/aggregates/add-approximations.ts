import { ServiceError } from '../../../../plan/errors.ts'
import { appendFloat } from '../../../../wasm/duckdb/catalog/bind-arguments.ts'
import type { OverloadCopy } from '../../../../wasm/duckdb/catalog/copy-overloads.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import { isSimple, type Overload, type SimpleTypeName } from '../../../../wasm/duckdb/catalog/overload.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'

/** An overload of `approx_quantile` for values of a simple type and one share. */
interface Quantile {
  readonly of: Overload
  readonly type: SimpleTypeName
}

/**
 * Registers aggregates that DuckDB has with other arguments or types: `approx_distinct`, whose result is unsigned, `approx_median`, and
 * `approx_percentile_cont`, which may be given a number of centroids. DuckDB's digest has a hundred of them.
 */
export function addApproximations(duck: Duck, catalog: FunctionCatalog): void {
  const [distinct] = catalog.overloads('aggregate', 'approx_count_distinct')
  const [first, ...others] = catalog.overloads('aggregate', 'approx_quantile').flatMap(ofOneShare)
  if (distinct === undefined || first === undefined || others.some(({ of }) => of.bind !== first.of.bind))
    throw new ServiceError('internal', 'DuckDB has other approximations')
  catalog.register('approx_distinct', [{ of: distinct, returns: 'ubigint' }])

  const bindMedian = duck.addFunction(3, (context = 0, overload = 0, args = 0) => {
    appendFloat(duck, overload, args, 0.5)
    return duck.callPointer(first.of.bind, context, overload, args)
  })
  const median = ({ of, type }: Quantile): OverloadCopy => ({ of, parameters: [type], bind: bindMedian })
  catalog.register('approx_median', [median(first), ...others.map(median)])

  const bindCentroids = duck.addFunction(3, (context = 0, overload = 0, args = 0) => {
    duck.api.erase_argument(overload, args, 2n)
    return duck.callPointer(first.of.bind, context, overload, args)
  })
  const withCentroids = ({ of, type }: Quantile): OverloadCopy => ({
    of,
    parameters: [type, 'float', 'bigint'],
    bind: bindCentroids,
  })
  const without = others.map(({ of }): OverloadCopy => ({ of }))
  catalog.register('approx_percentile_cont', [
    { of: first.of },
    ...without,
    ...[first, ...others].map(withCentroids),
  ])
}

/** That of decimals is left out: it drops their digits after the point. So they are cast to DOUBLE. */
function ofOneShare(of: Overload): readonly Quantile[] {
  const [type, share] = of.parameters
  return type === undefined || share !== 'float' || !isSimple(type) ? [] : [{ of, type }]
}
