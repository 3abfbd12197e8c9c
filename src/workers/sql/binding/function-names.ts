import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { isFailure, queryTexts } from '../../../wasm/duckdb/statement.ts'
import { duckError } from '../duck-error.ts'

const CALLABLE = `
  SELECT DISTINCT lower(function_name) FROM duckdb_functions()
  WHERE function_type IN ('scalar', 'macro') AND function_name SIMILAR TO '[A-Za-z][A-Za-z0-9_]*'`

const INCONSTANT = `
  WITH names AS (SELECT DISTINCT function_name AS name FROM duckdb_functions() WHERE stability != 'CONSISTENT')
  SELECT lower(name) FROM names UNION SELECT lower(function_name) FROM duckdb_functions(), names
  WHERE macro_definition ILIKE concat('%', name, '%') OR macro_definition ILIKE '%current%'`

/** Scalar functions and macros, lower case, without those that DuckDB keeps for itself. */
export function callableFunctions(duck: Duck, connection: number): readonly string[] {
  return namesOf(duck, connection, CALLABLE)
}

/** Functions whose value is not always the same, lower case, and macros that call one. */
export function inconstantFunctions(duck: Duck, connection: number): readonly string[] {
  return namesOf(duck, connection, INCONSTANT)
}

function namesOf(duck: Duck, connection: number, query: string): readonly string[] {
  const names = queryTexts(duck, connection, query)
  if (isFailure(names)) throw duckError(names.failure, [])
  return names.flat().toSorted()
}
