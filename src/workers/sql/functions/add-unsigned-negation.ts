import { ServiceError } from '../../../plan/errors.ts'
import { castArguments } from '../../../wasm/duckdb/catalog/cast-arguments.ts'
import type { OverloadCopy } from '../../../wasm/duckdb/catalog/copy-overloads.ts'
import type { FunctionCatalog } from '../../../wasm/duckdb/catalog/function-catalog.ts'
import type { SimpleTypeName } from '../../../wasm/duckdb/catalog/overload.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'

/**
 * Makes the negative of an unsigned integer a signed one. In DuckDB it stays unsigned, so that `-(5::UTINYINT)` is 251, and `-sum(n)` would
 * be as large.
 */
export function addUnsignedNegation(duck: Duck, catalog: FunctionCatalog): void {
  const overloads = catalog.overloads('scalar', '-')
  const copy = (unsigned: SimpleTypeName, signed: SimpleTypeName): OverloadCopy => {
    const of = overloads.find(({ parameters }) => parameters.join() === signed)
    if (of === undefined) throw new ServiceError('internal', `DuckDB has no negative of ${signed}`)
    return { of, parameters: [unsigned], returns: signed, bind: castArguments(duck, [signed]) }
  }
  catalog.register('-', [
    copy('utinyint', 'smallint'),
    copy('usmallint', 'integer'),
    copy('uinteger', 'bigint'),
    copy('ubigint', 'hugeint'),
  ])
}
