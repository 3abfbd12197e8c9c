import { ServiceError } from '../../../plan/errors.ts'
import { arrowTypeName } from '../../../plan/functions/arrow-type-name.ts'
import { systemRelation } from '../../../plan/statement/system-relations.ts'
import type { FunctionSignature } from '../../../plan/task/task.ts'
import { printDefinition } from '../../catalog/definition.ts'
import { columnRows, tableRow } from '../../catalog/information-schema.ts'
import { fullNameOf } from '../../catalog/written-name.ts'
import { writeText } from '../../query/duckdb/from-json/write.ts'
import { printTableName } from '../../sql/grammar/names.ts'
import type { ShowColumns, ShowCreateTable, ShowFunctions, ShowTables } from '../../sql/grammar/node.ts'
import type { WriteQuery } from '../context.ts'
import { columnsOfRows, describedColumns, tableOfName } from '../write/described-columns.ts'
import { type WrittenColumn, writeRows } from '../write/write-rows.ts'

/** SHOW TABLES: the tables and views that the caller may read; to the super-user also those of the service itself. */
export const showTables: WriteQuery<ShowTables> = async (_, context) => {
  const { catalog, queries, caller, signal } = context
  if (caller.isSuperUser)
    return 'SELECT * FROM information_schema.tables ORDER BY table_catalog, table_schema, table_name'
  const tables = await queries.readableOf(catalog.snapshot().all(caller), caller, signal)
  // Lists of texts, since DuckDB takes a second for two thousand rows of VALUES.
  const columns = TABLES_COLUMNS.map((name, index) => {
    const texts = tables.map((table) => writeText(String(tableRow(catalog.name, table)[index])))
    return `unnest([${texts.join(', ')}]::VARCHAR[]) AS ${name}`
  })
  return `SELECT ${columns.join(', ')} ORDER BY ALL`
}

const TABLES_COLUMNS = ['table_catalog', 'table_schema', 'table_name', 'table_type'] as const

const COLUMNS_COLUMNS: readonly WrittenColumn[] = (
  systemRelation('information_schema', 'columns')?.columns.fields ?? []
).map(({ name, type }) => ({ name, type: type.kind === 'int' ? 'UBIGINT' : 'VARCHAR' }))

/** SHOW COLUMNS: the columns of a table, as `information_schema.columns` has them. */
export const showColumns: WriteQuery<ShowColumns> = async ({ name }, context) => {
  const of = { kind: 'name', name } as const
  const table = tableOfName(name, context)
  if (table === null) {
    // A query says what other callers may be told: the same of what is not there and of what they may not read.
    if (!context.caller.isSuperUser) await columnsOfRows(of, context)
    throw unknownTable(name)
  }
  const columns = await describedColumns(of, context)
  const { catalog, ...names } = fullNameOf(table, context.catalog.name)
  return writeRows(COLUMNS_COLUMNS, columnRows(catalog, { ...table, ...names, columns }))
}

const CREATE_COLUMNS = [
  { name: 'table_catalog', type: 'VARCHAR' },
  { name: 'table_schema', type: 'VARCHAR' },
  { name: 'table_name', type: 'VARCHAR' },
  { name: 'definition', type: 'VARCHAR' },
] as const

/** SHOW CREATE TABLE: the statement that creates a table or a view again. Null for the tables of the service itself, and of others. */
export const showCreateTable: WriteQuery<ShowCreateTable> = async ({ name }, context) => {
  const table = tableOfName(name, context)
  if (table === null) throw unknownTable(name)
  const definition = table.definition && printDefinition(table.definition)
  const full = fullNameOf(table, context.catalog.name)
  return writeRows(CREATE_COLUMNS, [[full.catalog, full.schema, full.name, definition]])
}

export function unknownTable(name: ShowColumns['name']): ServiceError {
  return new ServiceError(
    'unknown_table',
    `There is no table ${printTableName(name)}; SHOW TABLES lists them.`,
  )
}

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

/**
 * Whether a text is like a pattern of SQL, without an escape: `%` stands for any characters, `_` for one. Takes at most the product of
 * both lengths: only the last `%` is ever tried again, since an earlier one could take no more than what lies before it.
 */
export function isLike(text: string, pattern: string): boolean {
  const [characters, signs] = [[...text], [...pattern]]
  let [at, next] = [0, 0]
  /** Where the pattern goes on behind the last `%`, and where the text does then. */
  let again: { readonly next: number; at: number } | null = null
  while (at < characters.length) {
    if (signs[next] === '%') again = { next: ++next, at }
    else if (signs[next] === '_' || signs[next] === characters[at]) {
      at++
      next++
    } else if (again === null) return false
    else {
      at = ++again.at
      next = again.next
    }
  }
  return signs.slice(next).every((sign) => sign === '%')
}
