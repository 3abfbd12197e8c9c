import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { distinctSqlNames, foldSqlName, type Source, sqlNames } from '../../../plan/statement/statement.ts'
import type { Field } from '../../../plan/types/schema.ts'
import {
  type ExplainedCall,
  type ExplainedTable,
  registerExplainedFunction,
} from '../../../wasm/duckdb/functions/explained-function.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import type { LogicalType } from '../../../wasm/duckdb/logical-type.ts'
import { findSource, isGrid, type Scanning, TABLE_FUNCTION } from './scan-functions.ts'
import type { BoundScan } from './scans.ts'
import { calledSourceRequest, parameterNames, type ReadFunction } from './source-functions.ts'

/*
 * Functions that stand for files and tables of arrays while a statement is explained for the columns that it names. The macros of the
 * same names, which other connections find first, are queries of all columns.
 */

/** What stands in place of a table of arrays then. No statement may write it. */
export const NAMED_TABLE = '_named_table'

/** How EXPLAIN shows the scan of this number. */
export function shownAs(number: number): string {
  return `#${number}`
}

/** Registers them for all connections. `present` returns the statement for which DuckDB is being called. */
export function registerGridCalls(
  duck: Duck,
  connection: number,
  functions: readonly ReadFunction[],
  formats: Formats,
  present: () => Scanning,
  inputType: (field: Field) => LogicalType,
): void {
  const register = (
    name: string,
    parameters: readonly string[],
    find: (statement: Scanning, call: ExplainedCall) => BoundScan | null,
  ): void =>
    registerExplainedFunction(duck, connection, {
      name,
      parameters,
      bind(call) {
        const statement = present()
        const scan = find(statement, call)
        if (scan === null || statement.naming === null)
          throw new ServiceError('internal', `${name} is bound to what the statement had not read before`)
        return bind(statement, scan, call, inputType)
      },
      failed(error) {
        present().failure ??= isServiceError(error)
          ? error
          : new ServiceError('internal', `${name}: ${error}`, { cause: error })
      },
    })
  for (const fn of functions.filter(isGrid))
    register(fn.macro, parameterNames(fn), (statement, call) =>
      findSource(statement, calledSourceRequest(fn, call, formats)),
    )
  register(NAMED_TABLE, TABLE_FUNCTION.parameters, ({ sources }, { positional: [name] }) =>
    findTable(sources, foldSqlName(String(name))),
  )
}

/** The source of a table by its name in lower case, which the statement may write in another case than its definition. */
function findTable(sources: readonly Source[], name: string): BoundScan | null {
  const index = sources.findIndex(
    ({ request }) => request?.kind === 'table' && foldSqlName(request.name) === name,
  )
  const source = sources[index]
  return source === undefined ? null : { index, source }
}

function bind(
  { bound, naming }: Scanning,
  scan: BoundScan,
  { aliases }: ExplainedCall,
  inputType: (field: Field) => LogicalType,
): ExplainedTable {
  const number = bound.length
  bound.push(scan)
  const { schema } = scan.source
  const isTurned = naming?.turned.has(number) ?? false
  const indexes = schema.fields.map((_, index) => index)
  const ordered = isTurned ? [...indexes.slice(1), 0] : indexes
  const schemaNames = sqlNames(schema)
  // DuckDB puts the aliases in place of the first names. Behind the macro, the others are made distinct from them.
  const names = distinctSqlNames(ordered.map((index, place) => aliases[place] ?? schemaNames[index] ?? ''))
  const columns = ordered.map((index, place) => ({ name: names[place] ?? '', index }))
  naming?.calls.set(number, { columns, hasAliases: aliases.length > 0, isTurned })
  return {
    columns: columns.flatMap(({ name, index }) => {
      const field = schema.fields[index]
      return field === undefined ? [] : [{ name, type: inputType(field) }]
    }),
    shownAs: shownAs(number),
  }
}
