import { ServiceError } from '../../../../plan/errors.ts'
import { type AggregatePointers, addAggregateCode } from '../../../../wasm/duckdb/catalog/aggregate-code.ts'
import { castArguments } from '../../../../wasm/duckdb/catalog/cast-arguments.ts'
import type { OverloadCopy } from '../../../../wasm/duckdb/catalog/copy-overloads.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import type { SimpleTypeName } from '../../../../wasm/duckdb/catalog/overload.ts'
import { finalizeUnsignedSum } from '../../../../wasm/duckdb/catalog/unsigned-sum.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'
import { createOutOfRange } from '../../../../wasm/duckdb/linking/exception.ts'

const TOO_LARGE =
  'a sum of integers does not fit into UInt64: write sum(x::DECIMAL(38, 0)), which is exact, or sum(x::DOUBLE)'

/**
 * Gives `sum` overloads for unsigned integers, whose results are UBIGINT and not HUGEINT. They are those of signed types that hold the same
 * values, to which DuckDB casts the argument. The sum of the narrowest has 64 bits in DuckDB, and those of the others 128.
 */
export function addUnsignedSums(duck: Duck, catalog: FunctionCatalog): void {
  const { narrow, wide } = finalizeUnsignedSum(duck, createOutOfRange(duck, TOO_LARGE))
  const ofNarrow = addAggregateCode(duck, { finalize: narrow })
  const ofWide = addAggregateCode(duck, { finalize: wide })
  const overloads = catalog.overloads('aggregate', 'sum')
  const copy = (
    parameter: SimpleTypeName,
    signed: SimpleTypeName,
    aggregate: AggregatePointers,
  ): OverloadCopy => {
    const of = overloads.find(({ parameters }) => parameters.join() === signed)
    if (of === undefined) throw new ServiceError('internal', `DuckDB has no sum of ${signed}`)
    const bind = castArguments(duck, [signed])
    // Where DuckDB knows the range of the argument, it would replace the sum by a faster one with other states.
    return { of, parameters: [parameter], returns: 'ubigint', bind, aggregate, isKept: true }
  }
  catalog.register('sum', [
    copy('utinyint', 'smallint', ofNarrow),
    copy('usmallint', 'integer', ofWide),
    copy('uinteger', 'bigint', ofWide),
    copy('ubigint', 'hugeint', ofWide),
  ])
}
