import { ServiceError } from '../../../plan/errors.ts'
import type { Formats } from '../../../plan/format/create-formats.ts'
import type { FormatRow } from '../../../plan/format/format-row.ts'
import { pathOptionsOf, requestOptions } from '../../../plan/format/path-options.ts'
import { readOptions } from '../../../plan/format/read-options.ts'
import { wholeNumber } from '../../../plan/format/whole-number.ts'
import {
  DATASETS_FUNCTION,
  EVERYTHING,
  SCHEMA_SUFFIX,
  STATISTICS_FUNCTION,
  VARIABLES_SUFFIX,
} from '../../../plan/statement/functions.ts'
import type { FilesRequest } from '../../../plan/statement/statement.ts'
import type { ValuesRequest } from '../../../plan/statement/values.ts'
import type { ExplainedCall } from '../../../wasm/duckdb/functions/explained-function.ts'
import type { Value } from '../../../wasm/duckdb/value.ts'

/**
 * A table function of the service. Statements call the macro, whose parameters have defaults; it calls the function `scan`.
 */
export interface SourceFunction {
  readonly macro: string
  readonly scan: string
  /** The parameters of the macro, with their defaults in SQL. */
  readonly parameters: readonly string[]
}

/** A function that reads files of a format. */
export interface ReadFunction extends SourceFunction {
  readonly row: FormatRow
}

/** A function whose rows main makes. */
export interface ValuesFunction extends SourceFunction {
  /** What a call with these arguments asks main for. Throws `invalid_sql`, which names the function. */
  requestOf(values: readonly Value[]): ValuesRequest
}

const PATHS = 'paths'

/** The functions that read files, one for each name that a format has in SQL. */
export function readFunctions({ functions }: Formats): readonly ReadFunction[] {
  return [...functions].map(([macro, row]) => ({
    macro,
    scan: `_scan_${macro}`,
    parameters: [PATHS, ...requestOptions(row).map(({ name, sqlDefault }) => `"${name}" := ${sqlDefault}`)],
    row,
  }))
}

/**
 * For each function that reads files, one that lists their columns, and of arrays one that lists variables; the one that lists datasets, and
 * that of statistics.
 */
export function valuesFunctions(formats: Formats): readonly ValuesFunction[] {
  const readers = readFunctions(formats)
  const ofArrays = readers.filter(({ row }) => row.layout === 'grid')
  return [
    ...readers.map((fn) => functionOf(fn, 'schema', SCHEMA_SUFFIX, formats)),
    ...ofArrays.map((fn) => functionOf(fn, 'variables', VARIABLES_SUFFIX, formats)),
    LIST_DATASETS,
    FILE_STATISTICS,
  ]
}

/** A function beside one that reads files, with the same arguments. */
function functionOf(
  fn: ReadFunction,
  kind: 'schema' | 'variables',
  suffix: string,
  formats: Formats,
): ValuesFunction {
  const macro = `${fn.macro}${suffix}`
  return {
    macro,
    scan: `_scan_${macro}`,
    parameters: fn.parameters,
    requestOf: (values) => ({ kind, files: readSourceRequest({ ...fn, macro }, values, formats) }),
  }
}

const LIST_DATASETS: ValuesFunction = Object.freeze({
  macro: DATASETS_FUNCTION,
  scan: `_scan_${DATASETS_FUNCTION}`,
  // `offset` and `limit` are words of the grammar, so they have to be quoted, as `decimal` among the options of files.
  parameters: [`pattern := '${EVERYTHING}'`, '"offset" := 0', '"limit" := NULL'],
  requestOf([pattern, offset, limit]: readonly Value[]): ValuesRequest {
    if (typeof pattern !== 'string') throw wrong(DATASETS_FUNCTION, 'its pattern is a string')
    const count = (value: Value, name: string): number =>
      wholeNumber(value) ?? refuse(DATASETS_FUNCTION, `its ${name} is a whole number of 0 or more`)
    return {
      kind: 'datasets',
      pattern,
      offset: count(offset, 'offset'),
      limit: limit === null ? null : count(limit, 'limit'),
    }
  },
})

const FILE_STATISTICS: ValuesFunction = Object.freeze({
  macro: STATISTICS_FUNCTION,
  scan: `_scan_${STATISTICS_FUNCTION}`,
  parameters: [PATHS],
  requestOf: ([paths]: readonly Value[]): ValuesRequest => ({
    kind: 'statistics',
    paths: readPaths(STATISTICS_FUNCTION, paths),
  }),
})

/** The files that a call with these arguments names. Throws `invalid_sql`, which names the function. */
export function readSourceRequest(
  fn: ReadFunction,
  [paths, ...given]: readonly Value[],
  formats: Formats,
): FilesRequest {
  const values = new Map(requestOptions(fn.row).map(({ name }, index) => [name, given[index]]))
  return filesRequest(fn, paths, values, formats)
}

/** The same of a call as it is written, in which options may be left out. */
export function calledSourceRequest(
  fn: ReadFunction,
  { positional: [first, ...others], named }: Pick<ExplainedCall, 'positional' | 'named'>,
  formats: Formats,
): FilesRequest {
  const names = requestOptions(fn.row).map(({ name }) => name)
  const values = new Map(named)
  for (const [index, value] of others.entries()) values.set(names[index] ?? '', value)
  return filesRequest(fn, first ?? named.get(PATHS), values, formats)
}

function filesRequest(
  { macro, row }: ReadFunction,
  paths: Value,
  values: ReadonlyMap<string, Value>,
  formats: Formats,
): FilesRequest {
  const options = readOptions(row, values, (what) => refuse(macro, what))
  return {
    kind: 'files',
    format: formats.withOptions(row, options),
    paths: readPaths(macro, paths),
    ...pathOptionsOf(options),
  }
}

/** The names of a function's parameters, without quotes. */
export function parameterNames({ parameters }: SourceFunction): readonly string[] {
  return parameters.map((parameter) => parameter.replace(/^"?(\w+).*$/, '$1'))
}

/** The call of the table function in the macro, with the parameters of the macro. */
export function callOf({ scan, parameters }: SourceFunction): string {
  return `${scan}(${parameters.map((parameter) => parameter.split(' ')[0]).join(', ')})`
}

/** How a function is called, for error messages. */
export function usage({ macro, parameters }: SourceFunction): string {
  const shown = parameters.map((parameter) => parameter.replace(/^"(\w+)"/, '$1').replace(' := ', ' = '))
  return `${macro}(${shown.join(', ')})`
}

function readPaths(name: string, value: Value): readonly string[] {
  const values = typeof value === 'string' ? [value] : value
  if (!Array.isArray(values)) throw wrong(name, 'its first argument is a path, or a list of paths')
  const paths = values.filter((each) => each !== null)
  if (paths.length === 0) throw wrong(name, 'its list of paths is empty')
  if (!paths.every((path) => typeof path === 'string')) throw wrong(name, 'paths are strings')
  return paths
}

function refuse(name: string, what: string): never {
  throw wrong(name, what)
}

function wrong(name: string, what: string): ServiceError {
  return new ServiceError('invalid_sql', `${name}: ${what}.`)
}
