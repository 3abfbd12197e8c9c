import { isServiceError, ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import { areRowsOfColumns } from '../../../plan/format/file-format.ts'
import { listNames } from '../../../plan/nearest-name.ts'
import type { NamedDefinition } from '../../../plan/statement/definition.ts'
import {
  foldSqlName,
  type OpenScan,
  requestKey,
  type Source,
  type SourceRequest,
  sqlNames,
  type TableRequest,
} from '../../../plan/statement/statement.ts'
import type { Field } from '../../../plan/types/schema.ts'
import { run } from '../../../wasm/duckdb/database.ts'
import {
  type Binding,
  ROW_COLUMN,
  registerTableFunction,
} from '../../../wasm/duckdb/functions/table-function.ts'
import type { Duck } from '../../../wasm/duckdb/instance.ts'
import type { LogicalType } from '../../../wasm/duckdb/logical-type.ts'
import type { Value } from '../../../wasm/duckdb/value.ts'
import type { KnownFunctions } from '../called-functions.ts'
import { GRID_SCHEMA } from '../catalog-database.ts'
import type { Feed } from '../feed/feed.ts'
import { markedGroups } from './marked-columns.ts'
import { type BoundScan, markedRows, type ScanNames, type Unmade } from './scans.ts'
import { callOf, type ReadFunction, readSourceRequest, type SourceFunction } from './source-functions.ts'
import type { ValuesReading } from './values-functions.ts'

/** The state of a statement that its table functions need, which DuckDB calls while it binds or runs the statement. */
export interface Scanning extends ValuesReading {
  /** The text of the statement. */
  readonly sql: string
  /** The functions that it may call and DuckDB does not have. */
  readonly functions: readonly SourceFunction[]
  readonly duckFunctions: KnownFunctions
  readonly sources: readonly Source[]
  /** As in `SqlPrepareTask`. */
  readonly definitions: readonly NamedDefinition[]
  readonly absent: readonly string[]
  /** The definitions that DuckDB does not have, by their names in lower case. */
  readonly unmade: Map<string, Unmade>
  /** The number of definitions that were made for this statement. The others had been made for earlier ones. */
  fresh: number
  /** The scans that were bound, in this order. */
  readonly bound: BoundScan[]
  /** What DuckDB is asked while the statement is bound for the columns that it names. Null: it is bound for something else. */
  naming: Naming | null
  /** What the statement names and no source has, by key. Filled while it is bound. */
  readonly missing: Map<string, SourceRequest>
  /** What to read in each scan, by its number. Empty before the statement runs. */
  scans: readonly PlannedScan[]
  /** What a table function has thrown. DuckDB passes on its message alone. */
  failure: ServiceError | null
  openFeed(scan: number, planned: PlannedScan, columns: readonly (number | null)[]): Feed
}

/** The scans of a statement that is bound for the columns that it names (named-columns.ts), by their numbers. */
interface Naming {
  /** Those whose first column is bound behind all others. */
  readonly turned: ReadonlySet<number>
  /** Those of arrays, as they were bound. */
  readonly calls: Map<number, NamedCall>
}

/** A call that reads arrays, as it is bound for the columns that the statement names of it. */
export interface NamedCall {
  /** Its columns in order: their indexes in the source's schema, under their names in this call. */
  readonly columns: readonly { readonly name: string; readonly index: number }[]
  /** Whether names in its alias, as in `AS t(a, b)`, stand for the columns in their places. */
  readonly hasAliases: boolean
  readonly isTurned: boolean
}

/** What a scan reads: files of the source of this index. */
export interface PlannedScan {
  readonly index: number
  readonly open: OpenScan
}

/** The most columns of a source. DuckDB takes about a second to bind these, and its time grows with their square. */
const MAX_COLUMNS = 16_384

/** A call of a table function that DuckDB has bound. */
interface Bound {
  readonly statement: Scanning
  /** The number of the scan. */
  readonly number: number
  /** The index of its source. Null: the source is missing. */
  readonly index: number | null
}

/** `_rows(k)` reads the source of index k. */
const ROWS_FUNCTION = { macro: '_rows', scan: '_scan_rows', parameters: ['source'] }

/** `_table('a')`: what DuckDB binds in place of a table of the catalog. No statement may write it. */
export const TABLE_FUNCTION = { macro: '_table', scan: '_scan_table', parameters: ['name'] }

/** `_system('information_schema', 'tables')`: what the views of the service itself read. No statement may write it. */
export const SYSTEM_FUNCTION = { macro: '_system', scan: '_scan_system', parameters: ['schema', 'name'] }

/** The names of these functions, and of those for tables and sources, as users know them. */
export function scanNames(functions: readonly ReadFunction[]): ScanNames {
  return shownNames([...functions, TABLE_FUNCTION, SYSTEM_FUNCTION, ROWS_FUNCTION])
}

/** The names of functions as users know them, by the names that EXPLAIN prints. */
export function shownNames(functions: readonly SourceFunction[]): ScanNames {
  return new Map(functions.map(({ macro, scan }) => [scan.toUpperCase(), macro.toUpperCase()]))
}

/** A function that is registered on one connection exists on all. Macros over marked columns exist on `marking` only. */
export interface ScanConnections {
  readonly connection: number
  readonly marking: number
  readonly mark: number
}

/**
 * Registers the functions that read sources. A function cannot have the name of one of DuckDB's own, but a macro can, so
 * each is a macro over a function of another name. `present` returns the statement for which DuckDB is being called.
 */
export function registerScans(
  duck: Duck,
  { connection, marking, mark }: ScanConnections,
  functions: readonly ReadFunction[],
  formats: Formats,
  present: () => Scanning,
  inputType: (field: Field) => LogicalType,
): void {
  const register = (
    scan: string,
    macro: string,
    parameters: readonly string[],
    source: (statement: Scanning, values: readonly Value[]) => BoundScan | null,
    schema = 'main',
  ): void => {
    registerTableFunction<Bound, Feed>(duck, connection, {
      name: scan,
      parameters: parameters.map(() => ({ kind: 'any' })),
      bind: (values) => bind(present(), macro, (statement) => source(statement, values), inputType),
      init: ({ statement, number, index }, columns) => {
        const planned = statement.scans[number]
        if (planned === undefined || planned.index !== index)
          throw new ServiceError(
            'invalid_sql',
            `${macro}: what it reads must not change from one moment to the next.`,
          )
        return statement.openFeed(number, planned, columns)
      },
      next: (feed, chunk) => feed.next(chunk),
      endScan: (feed) => feed.end(),
      failed(error) {
        const failure = isServiceError(error)
          ? error
          : new ServiceError('internal', `${scan}: ${error}`, { cause: error })
        present().failure ??= failure
      },
    })
    const call = callOf({ macro, scan, parameters })
    const create = (what: string, query: string) =>
      `CREATE ${what}(${parameters.join(', ')}) AS TABLE (${query})`
    run(
      duck,
      connection,
      create(`MACRO memory.${schema}.${macro}`, `SELECT * EXCLUDE ("${ROW_COLUMN}") FROM ${call}`),
    )
    run(duck, marking, create(`TEMP MACRO ${macro}`, markedGroups(mark, call)))
  }

  run(duck, connection, `CREATE SCHEMA memory.${GRID_SCHEMA}`)
  for (const fn of functions)
    register(
      fn.scan,
      fn.macro,
      fn.parameters,
      (statement, values) => findSource(statement, readSourceRequest(fn, values, formats)),
      isGrid(fn) ? GRID_SCHEMA : undefined,
    )
  register(TABLE_FUNCTION.scan, TABLE_FUNCTION.macro, TABLE_FUNCTION.parameters, (statement, [value]) => {
    const name = String(value)
    const unmade = statement.unmade.get(foldSqlName(name))
    return unmade === undefined ? findSource(statement, tableRequest(name)) : miss(statement, unmade)
  })
  const { macro, scan, parameters } = SYSTEM_FUNCTION
  register(scan, macro, parameters, (statement, [schema, name]) =>
    findSource(statement, { kind: 'system', schema: String(schema), name: String(name) }),
  )
  register(ROWS_FUNCTION.scan, ROWS_FUNCTION.macro, ROWS_FUNCTION.parameters, ({ sources }, [value]) => {
    const index = Number(value)
    const source = sources[index]
    if (source === undefined) throw new ServiceError('invalid_sql', `_rows: there is no source ${value}.`)
    return { index, source }
  })
}

/** Whether a function reads files of arrays, also those of entries. */
export function isGrid({ row }: ReadFunction): boolean {
  return areRowsOfColumns(row)
}

/** Finds the source of a call. Null: it is missing now. */
export function findSource(statement: Scanning, request: SourceRequest): BoundScan | null {
  const key = requestKey(request)
  const index = statement.sources.findIndex((each) => each.request && requestKey(each.request) === key)
  const source = statement.sources[index]
  if (source !== undefined) return { index, source }
  statement.missing.set(key, request)
  return null
}

/** The request for the rows of a table by its name in the catalog. */
function tableRequest(name: string): TableRequest {
  return { kind: 'table', catalog: null, schema: null, name }
}

/** Asks for what a table or a view needs that could not be made. Throws its error if it needs nothing. */
function miss(statement: Scanning, { missing, missingValues, error }: Unmade): null {
  if (error !== null) throw error
  for (const [key, request] of missing) statement.missing.set(key, request)
  for (const [key, request] of missingValues) statement.missingValues.set(key, request)
  return null
}

/** Forgets what was bound, and that it failed. */
export function forgetBinding(statement: Scanning): void {
  statement.bound.splice(0)
  statement.missing.clear()
  statement.missingValues.clear()
  statement.failure = null
}

/** What a source reads, in words that a message can end with. */
function nameOf({ request }: Source): string {
  if (request?.kind === 'table') return `the table ${JSON.stringify(request.name)}`
  if (request?.kind === 'system') return `${request.schema}.${request.name}`
  return request === null ? 'what it reads' : listNames(request.paths)
}

/** The message for a source that SQL cannot read, because it has no columns. */
function withoutColumns(macro: string, source: Source): string {
  const { request } = source
  if (request?.kind === 'table')
    return `The table ${JSON.stringify(request.name)} has no columns: no file is in its location, or none was named yet. Files are read by read_parquet('…'), and FROM list_datasets() lists them.`
  if (request?.kind === 'system') return `${nameOf(source)} has no columns.`
  return `${macro}: ${nameOf(source)} has no columns; a text file has none if it is empty, and a Zarr store if its group has neither arrays nor attributes.`
}

/**
 * Binds a call. A missing source is bound too, with a column that no statement names, so that DuckDB goes on and all sources
 * of the statement are found.
 */
function bind(
  statement: Scanning,
  macro: string,
  sourceOf: (statement: Scanning) => BoundScan | null,
  inputType: (field: Field) => LogicalType,
): Binding<Bound> {
  const scan = sourceOf(statement)
  const number = statement.bound.length
  const bound = { statement, number, index: scan?.index ?? null }
  if (scan === null)
    return { columns: [{ name: `${ROW_COLUMN}?`, type: { kind: 'boolean' } }], rows: 0, bound }
  statement.bound.push(scan)
  const { schema } = scan.source
  const width = schema.fields.length
  if (width === 0) throw new ServiceError('invalid_sql', withoutColumns(macro, scan.source))
  if (width > MAX_COLUMNS)
    throw new ServiceError(
      'not_supported',
      `${macro}: ${nameOf(scan.source)} has ${width} columns, over the ${MAX_COLUMNS} that DuckDB takes.`,
    )
  const names = sqlNames(schema)
  const columns = schema.fields.map((field, index) => {
    const name = names[index] ?? ''
    if (name.includes('\0'))
      throw new ServiceError(
        'not_supported',
        `${macro}: the name of a column of ${nameOf(scan.source)} holds a zero byte (${JSON.stringify(name)}), which has no form in SQL. A JSON query reads it.`,
      )
    return { name, type: inputType(field) }
  })
  return { columns, rows: markedRows(scan.source, number), bound }
}
