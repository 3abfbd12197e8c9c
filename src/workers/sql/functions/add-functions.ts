import { ServiceError } from '../../../plan/errors.ts'
import { FUNCTIONS } from '../../../plan/functions/functions.ts'
import type { Core } from '../../../wasm/core/core.ts'
import { castArguments } from '../../../wasm/duckdb/catalog/cast-arguments.ts'
import type { OverloadCopy } from '../../../wasm/duckdb/catalog/copy-overloads.ts'
import { type FunctionCatalog, openFunctionCatalog } from '../../../wasm/duckdb/catalog/function-catalog.ts'
import { nthValue } from '../../../wasm/duckdb/catalog/nth-value.ts'
import type { SimpleTypeName } from '../../../wasm/duckdb/catalog/overload.ts'
import { markTimeDifference } from '../../../wasm/duckdb/catalog/time-difference.ts'
import type { Database } from '../../../wasm/duckdb/database.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { createOutOfRange } from '../../../wasm/duckdb/linking/exception.ts'
import { addApproximations } from './aggregates/add-approximations.ts'
import { addUnsignedSums } from './aggregates/add-unsigned-sums.ts'
import { createMacros, type Macros } from './create-macros.ts'
import { watchDivisions } from './integer-divisions.ts'
import { registerFunctions } from './registered/register-functions.ts'
import { addDateTrunc } from './times/date-trunc.ts'
import { addNanosecondOverloads } from './times/nanosecond-overloads.ts'
import { addTimezone } from './times/timezone.ts'
import { addToTimestamp } from './times/to-timestamp.ts'
import { addZonedCasts, addZonedOverloads } from './times/zoned-overloads.ts'

/**
 * Adds the functions that DuckDB does not have itself, for all connections. Macros are made later. `core` gives the core of the thread.
 * Throws `internal`.
 */
export function addFunctions(database: Database, core: () => Core): Macros {
  const { duck, connections } = database
  const [connection = 0] = connections
  const catalog = openFunctionCatalog(database)
  addZonedOverloads(duck, catalog)
  addZonedCasts(catalog)
  addDateTrunc(duck, catalog)
  addTimezone(duck, catalog)
  addNanosecondOverloads(duck, catalog)
  addToTimestamp(duck, catalog)
  addUnsignedNegation(duck, catalog)
  addUnsignedSums(duck, catalog)
  addApproximations(duck, catalog)
  addNthValue(duck, catalog)
  // After the other overloads of `-`, whose registration copies these.
  markDifferences(duck, catalog)
  watchDivisions(duck, catalog)
  createAliases(catalog)
  registerFunctions(duck, connection, catalog, core)
  return createMacros(duck, connection)
}

/** Gives functions of DuckDB the other names that the table has for them. Throws `internal`. */
function createAliases(catalog: FunctionCatalog): void {
  for (const { name, kind, form } of FUNCTIONS.values())
    if (form.kind === 'alias') catalog.alias(name, kind === 'aggregate' ? 'aggregate' : 'scalar', form.of)
}

const OTHER_PLACES = 'nth_value takes the same n in all rows of a group'

/** Registers `nth_value` as an aggregate. With OVER, DuckDB has it. */
function addNthValue(duck: Duck, catalog: FunctionCatalog): void {
  const [list] = catalog.overloads('aggregate', 'list')
  if (list === undefined) throw new ServiceError('internal', 'DuckDB has no lists of values')
  catalog.register('nth_value', [nthValue(duck, list, createOutOfRange(duck, OTHER_PLACES))])
}

/** Makes differences of two times known by their types, as long as no function is computed of them. Throws `internal`. */
function markDifferences(duck: Duck, catalog: FunctionCatalog): void {
  for (const time of ['timestamp', 'timestamp_tz']) {
    const overload = catalog
      .overloads('scalar', '-')
      .find(({ parameters, returns }) => parameters.join() === `${time},${time}` && returns === 'interval')
    if (overload === undefined) throw new ServiceError('internal', `DuckDB has no difference of ${time}`)
    markTimeDifference(duck, overload)
  }
}

/**
 * Makes the negative of an unsigned integer a signed one. In DuckDB it stays unsigned, so that `-(5::UTINYINT)` is 251, and `-sum(n)` would
 * be as large.
 */
function addUnsignedNegation(duck: Duck, catalog: FunctionCatalog): void {
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
