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

/** The names of scalar functions and macros in lower case, without those that begin with an underscore or are operators. */
export function callableFunctions(duck: Duck, connection: number): readonly string[] {
  return namesOf(duck, connection, CALLABLE)
}

/** The names, in lower case, of functions whose values change from one call to another, and of macros that call one. */
export function inconstantFunctions(duck: Duck, connection: number): readonly string[] {
  return namesOf(duck, connection, INCONSTANT)
}

function namesOf(duck: Duck, connection: number, query: string): readonly string[] {
  const names = queryTexts(duck, connection, query)
  if (isFailure(names)) throw duckError(names.failure, { sql: query, functions: [], sources: [] })
  return names.flat().toSorted()
}
