import type { Core } from '../../../wasm/core/core.ts'
import { openFunctionCatalog } from '../../../wasm/duckdb/catalog/function-catalog.ts'
import type { Database } from '../../../wasm/duckdb/database.ts'
import { addUnsignedNegation } from './add-unsigned-negation.ts'
import { addApproximations } from './aggregates/add-approximations.ts'
import { addNthValue } from './aggregates/add-nth-value.ts'
import { addUnsignedSums } from './aggregates/add-unsigned-sums.ts'
import { createAliases } from './create-aliases.ts'
import { createMacros, type Macros } from './create-macros.ts'
import { watchDivisions } from './integer-divisions.ts'
import { registerFunctions } from './registered/register-functions.ts'
import { addDateTrunc } from './times/date-trunc.ts'
import { markDifferences } from './times/mark-differences.ts'
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
