import { ServiceError } from '../../plan/errors.ts'
import type { Formats } from '../../plan/format/create-formats.ts'
import type { FormatRow } from '../../plan/format/format-row.ts'
import type { SourceRequest } from '../../plan/statement/statement.ts'
import type { Value } from '../../wasm/duckdb/value.ts'

/** A table function of the dialect: `macro` is what a statement calls, with defaults; `scan` what it stands for. */
export interface ReadFunction {
  readonly macro: string
  readonly scan: string
  /** Of the macro, with their defaults as SQL. */
  readonly parameters: readonly string[]
  readonly row: FormatRow
}

/** The functions that read files, one for each name that a format has in SQL. */
export function readFunctions({ functions }: Formats): readonly ReadFunction[] {
  return [...functions].map(([macro, row]) => ({
    macro,
    scan: macro.replace(/^read_/, '_scan_'),
    parameters: ['paths', ...row.options.map(({ name, sqlDefault }) => `${name} := ${sqlDefault}`)],
    row,
  }))
}

/** What a call asks for. Throws `invalid_sql`, naming the function. */
export function readSourceRequest(
  { macro, row }: ReadFunction,
  [paths, ...given]: readonly Value[],
  formats: Formats,
): SourceRequest {
  const options = row.options.map(({ name, read }, index) => [
    name,
    read(given[index], (what) => {
      throw wrong(macro, what)
    }),
  ])
  return { format: formats.withOptions(row, Object.fromEntries(options)), paths: readPaths(macro, paths) }
}

/** How a function is called, for messages. */
export function usage({ macro, parameters }: ReadFunction): string {
  return `${macro}(${parameters.join(', ')})`
}

function readPaths(name: string, value: Value): readonly string[] {
  const values = typeof value === 'string' ? [value] : value
  if (!Array.isArray(values)) throw wrong(name, 'its first argument is a path, or a list of paths')
  const paths = values.filter((each) => each !== null)
  if (paths.length === 0) throw wrong(name, 'its list of paths is empty')
  if (!paths.every((path) => typeof path === 'string')) throw wrong(name, 'paths are strings')
  return paths
}

function wrong(name: string, what: string): ServiceError {
  return new ServiceError('invalid_sql', `${name}: ${what}.`)
}
