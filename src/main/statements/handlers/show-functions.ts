import type { FunctionSignature } from '../../../plan/task/task.ts'
import { writeText } from '../../query/duckdb/from-json/write.ts'
import type { ShowFunctions } from '../../sql/grammar/node.ts'
import type { WriteQuery } from '../context.ts'
import { arrowTypeName } from '../write/arrow-type-name.ts'
import { isLike } from '../write/like.ts'

/**
 * Separators of rows, of their values and of the items of lists. All signatures are one text in the query, since DuckDB takes a second
 * for two thousand rows of VALUES.
 */
const [ROW, VALUE, ITEM] = ['\x1e', '\x1f', '\x1d'] as const

/** SHOW FUNCTIONS: the functions of SQL, a row for each of their signatures. */
export const showFunctions: WriteQuery<ShowFunctions> = async ({ pattern }, { queries, signal }) => {
  const signatures = await queries.functions(signal)
  const rows = signatures.filter(({ name }) => pattern === null || isLike(name, pattern)).map(valuesOf)
  // The text of no rows would be split to one empty row.
  const where = rows.length === 0 ? ' WHERE false' : ''
  return `SELECT v[1] AS function_name, v[2] AS return_type, string_split(v[3], '${ITEM}') AS parameters,
    string_split(v[4], '${ITEM}') AS parameter_types, v[5] AS function_type, nullif(v[6], '') AS description,
    nullif(v[7], '') AS syntax_example
    FROM (SELECT string_split(unnest(string_split(${writeText(rows.join(ROW))}, '${ROW}')), '${VALUE}') AS v)${where}`
}

function valuesOf(signature: FunctionSignature): string {
  const { name, kind, returns, parameters, parameterTypes, description, example } = signature
  return [
    name,
    arrowTypeName(returns),
    parameters.join(ITEM),
    parameterTypes.map(arrowTypeName).join(ITEM),
    kind.toUpperCase(),
    description,
    example,
  ].join(VALUE)
}
