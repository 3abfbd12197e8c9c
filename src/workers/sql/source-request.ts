import { ServiceError } from '../../plan/errors.ts'
import { ARROW, csvFormat, type FileFormat, PARQUET } from '../../plan/formats.ts'
import { csvDelimiter } from '../../plan/source/csv-delimiter.ts'
import type { SourceRequest } from '../../plan/statement/statement.ts'
import type { Value } from '../../wasm/duckdb/value.ts'

/** A table function of the dialect: `macro` is what a statement calls, with defaults; `scan` what it stands for. */
export interface ReadFunction {
  readonly macro: string
  readonly scan: string
  /** Of the macro, with their defaults as SQL. */
  readonly parameters: readonly string[]
  format(name: string, options: readonly Value[]): FileFormat
}

/** The functions that read files (sql-and-admin.md §1.17). */
export const READ_FUNCTIONS: readonly ReadFunction[] = Object.freeze<ReadFunction[]>([
  { macro: 'read_parquet', scan: '_scan_parquet', parameters: ['paths'], format: () => PARQUET },
  { macro: 'read_arrow', scan: '_scan_arrow', parameters: ['paths'], format: () => ARROW },
  {
    macro: 'read_csv',
    scan: '_scan_csv',
    parameters: ['paths', "delimiter := ','", 'infer_records := 0'],
    format: (name, [delimiter, records]) =>
      csvFormat(readDelimiter(name, delimiter), readCount(name, records)),
  },
])

/** What a call asks for. Throws `invalid_sql`, naming the function. */
export function readSourceRequest(fn: ReadFunction, [paths, ...options]: readonly Value[]): SourceRequest {
  return { format: fn.format(fn.macro, options), paths: readPaths(fn.macro, paths) }
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

function readDelimiter(name: string, value: Value): string {
  if (typeof value !== 'string') throw wrong(name, 'its delimiter is a string')
  return csvDelimiter(value, (what) => {
    throw wrong(name, what)
  })
}

function readCount(name: string, value: Value): number {
  if (typeof value === 'bigint' && value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER))
    return Number(value)
  throw wrong(name, 'infer_records is a whole number of records')
}

function wrong(name: string, what: string): ServiceError {
  return new ServiceError('invalid_sql', `${name}: ${what}.`)
}
