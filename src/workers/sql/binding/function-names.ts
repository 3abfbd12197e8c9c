import { FUNCTIONS } from '../../../plan/functions/functions.ts'
import type { FunctionSignature } from '../../../plan/task/task.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import { isFailure, queryTexts } from '../../../wasm/duckdb/statement.ts'
import type { KnownFunctions } from '../called-functions.ts'
import { duckError } from '../duck-error.ts'

/** Each name once. That of a function whose values change from one call to another is said so. */
const LISTED = `
  SELECT lower(function_name) AS name, bool_or(function_type IN ('scalar', 'macro'))::VARCHAR,
    bool_or(function_type IN ('scalar', 'macro', 'aggregate'))::VARCHAR,
    coalesce(bool_or(stability != 'CONSISTENT'), false)::VARCHAR, coalesce(string_agg(macro_definition, ' '), ''),
    bool_or(function_type = 'macro')::VARCHAR
  FROM duckdb_functions() GROUP BY name ORDER BY name`

/** What separates the parameters of a function: no name of a parameter or a type has it. */
const SEPARATOR = '\x1f'

/** The parameters of macros have no types. Macros of the schema `pg_catalog` are for programs that think that DuckDB is PostgreSQL. */
const SIGNATURES = `
  SELECT lower(function_name), function_type, coalesce(return_type, ''), coalesce(len(parameters), 0)::VARCHAR,
    coalesce(array_to_string(parameters, '${SEPARATOR}'), ''),
    coalesce(array_to_string(list_transform(parameter_types, lambda each: coalesce(each, '')), '${SEPARATOR}'), ''),
    coalesce(description, ''), coalesce(examples[1], '')
  FROM duckdb_functions()
  WHERE function_type IN ('scalar', 'aggregate', 'macro') AND schema_name != 'pg_catalog'
    AND function_name SIMILAR TO '[A-Za-z][A-Za-z0-9_]*'
  ORDER BY ALL`

/** The functions that DuckDB has, by their names in lower case, without operators and names that begin with an underscore. */
export interface ListedFunctions extends KnownFunctions {
  /** Scalar functions, and macros that are none of tables. */
  readonly scalars: readonly string[]
  /**
   * Functions whose values change from one call to another, and macros that call one. Of the service's own macros the table of
   * functions says it. It also has those of which DuckDB does not say it: `age` of one argument counts as consistent there, and words of
   * the grammar such as `localtime` are no functions.
   */
  readonly inconstant: readonly string[]
}

/**
 * Lists DuckDB's functions, and the macros of the table, of which some are made later. It takes 20 ms: DuckDB makes the list with all
 * of its columns each time.
 */
export function listFunctions(duck: Duck, connection: number): ListedFunctions {
  const rows = textsOf(duck, connection, LISTED).map(
    ([name = '', isScalar, isCallable, isInconstant, body = '', isMacro]) => ({
      name,
      isNamed: /^[a-z]\w*$/.test(name),
      isScalar: isScalar === 'true',
      isCallable: isCallable === 'true',
      isInconstant: isInconstant === 'true',
      isMacro: isMacro === 'true',
      body,
    }),
  )
  const callable = rows.filter(({ isCallable, isNamed }) => isCallable && isNamed)
  const changing = ['current', ...namesOf(rows.filter(({ isInconstant }) => isInconstant))]
  const isChanging = (body: string): boolean => changing.some((name) => body.toLowerCase().includes(name))
  const serviceFunctions = [...FUNCTIONS.values()]
  const ownMacros = serviceFunctions.flatMap(({ name, form }) =>
    form.kind === 'macro' ? [[name, form.overloads.map(({ body }) => body).join(' ')] as const] : [],
  )
  const ownNames = ownMacros.map(([name]) => name)
  const inconstant = rows.filter(
    ({ name, isInconstant, body }) => (isInconstant || isChanging(body)) && !ownNames.includes(name),
  )
  const listed = callable.filter(({ isMacro }) => isMacro).map(({ name, body }) => [name, body] as const)
  return {
    names: [...new Set([...namesOf(callable), ...ownNames])],
    scalars: [...new Set([...namesOf(callable.filter(({ isScalar }) => isScalar)), ...ownNames])],
    macros: new Map([...listed, ...ownMacros]),
    inconstant: [
      ...namesOf(inconstant),
      ...namesOf(serviceFunctions.filter(({ isConstant }) => !isConstant)),
    ],
  }
}

/** The signatures of scalar functions, aggregates and macros, by their names and parameters. */
export function functionSignatures(duck: Duck, connection: number): readonly FunctionSignature[] {
  return textsOf(duck, connection, SIGNATURES).map(
    ([
      name = '',
      kind = '',
      returns = '',
      count,
      names = '',
      types = '',
      description = '',
      example = '',
    ]) => ({
      name,
      kind,
      returns,
      parameters: count === '0' ? [] : names.split(SEPARATOR),
      parameterTypes: count === '0' ? [] : types.split(SEPARATOR),
      description,
      example,
    }),
  )
}

function namesOf(functions: readonly { readonly name: string }[]): readonly string[] {
  return functions.map(({ name }) => name)
}

function textsOf(duck: Duck, connection: number, query: string): readonly string[][] {
  const texts = queryTexts(duck, connection, query)
  if (isFailure(texts))
    throw duckError(texts.failure, { sql: query, functions: [], sources: [], definitions: [] })
  return texts
}
