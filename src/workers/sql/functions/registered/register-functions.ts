import type { Core } from '../../../../wasm/core/core.ts'
import type { FunctionCatalog } from '../../../../wasm/duckdb/catalog/function-catalog.ts'
import { openRegexes } from '../../../../wasm/duckdb/functions/regex.ts'
import {
  registerScalarFunction,
  type ScalarFunction,
} from '../../../../wasm/duckdb/functions/scalar-function.ts'
import type { Duck } from '../../../../wasm/duckdb/instance.ts'
import { ARROW_TYPE } from './arrow-type.ts'
import { BINARY_FUNCTIONS } from './binary.ts'
import { CF_DATE } from './cf-date.ts'
import { COALESCE_LABEL } from './coalesce-label.ts'
import { regularExpressions } from './regular-expressions.ts'
import { TEXT_FUNCTIONS } from './text.ts'
import { KNOWN_ZONE, TIME_FORMATS } from './time-formats.ts'
import { TIMES_OF_TEXTS } from './to-timestamp.ts'
import { GEOJSON_AS_WKT, withinPoint } from './within-point.ts'

/**
 * Registers the functions that are code of the service, for all connections: under new names, or as overloads of functions that
 * DuckDB has. Throws `internal`.
 */
export function registerFunctions(
  duck: Duck,
  connection: number,
  catalog: FunctionCatalog,
  core: () => Core,
): void {
  const functions = [
    ...regularExpressions(openRegexes(duck)),
    ...TEXT_FUNCTIONS,
    ...BINARY_FUNCTIONS,
    COALESCE_LABEL,
    ARROW_TYPE,
    ...TIME_FORMATS,
    KNOWN_ZONE,
    ...TIMES_OF_TEXTS,
    CF_DATE,
    GEOJSON_AS_WKT,
    withinPoint(core),
  ]
  for (const scalar of functions)
    if (catalog.overloads('scalar', scalar.name).length === 0)
      registerScalarFunction(duck, connection, scalar)
    else addOverloads(duck, connection, catalog, scalar)
  // DuckDB has it of BLOB and BIT alone.
  copyOverloads(catalog, 'octet_length', 'strlen')
}

/** The C API takes no function of a name that DuckDB has, so it gets one of another name, which is copied. */
function addOverloads(
  duck: Duck,
  connection: number,
  catalog: FunctionCatalog,
  scalar: ScalarFunction,
): void {
  const name = `_${scalar.name}`
  registerScalarFunction(duck, connection, { ...scalar, name })
  copyOverloads(catalog, scalar.name, name)
}

function copyOverloads(catalog: FunctionCatalog, name: string, of: string): void {
  const [first, ...others] = catalog.overloads('scalar', of).map((overload) => ({ of: overload }))
  if (first !== undefined) catalog.register(name, [first, ...others])
}
