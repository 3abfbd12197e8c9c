import { FUNCTIONS } from '../../../plan/functions/functions.ts'
import type { FunctionCatalog } from '../../../wasm/duckdb/catalog/function-catalog.ts'

/** Gives functions of DuckDB the other names that the table has for them. Throws `internal`. */
export function createAliases(catalog: FunctionCatalog): void {
  for (const { name, kind, form } of FUNCTIONS.values())
    if (form.kind === 'alias') catalog.alias(name, kind === 'aggregate' ? 'aggregate' : 'scalar', form.of)
}
