import { type ErrorCode, ServiceError } from '../../plan/errors.ts'

/** Kinds of error by the words before DuckDB's colon; every other one is a mistake in the statement. */
const CODES: Readonly<Record<string, ErrorCode>> = Object.freeze({
  'Out of Memory Error': 'memory_limit',
  'Not implemented Error': 'not_supported',
  'INTERNAL Error': 'internal',
  'FATAL Error': 'internal',
})

/** After one of these DuckDB takes no statement any more. */
const FATAL = /^(?:INTERNAL|FATAL) Error/

/**
 * An error of DuckDB's as one of ours: its first line, without the advice to install, load or set what no statement may
 * install, load or set here.
 */
export function duckError(text: string): ServiceError {
  const lines = text.split('\n')
  const [line = ''] = lines
  const [, extension] = /(?:in|requires) the "?(\w+)"? extension/i.exec(text) ?? []
  if (extension !== undefined)
    return new ServiceError(
      'not_supported',
      `${beforeAdvice(line)}: DuckDB's extension ${extension} is not available.`,
    )
  const [, kind = ''] = /^([\w ]+ Error): /.exec(line) ?? []
  if (kind === 'Permission Error')
    return new ServiceError('invalid_sql', 'SQL reaches files by read_parquet, read_csv and read_arrow only.')
  if (kind === 'Out of Memory Error')
    return new ServiceError(
      'memory_limit',
      `The statement takes more memory than it may use: ${line.slice(kind.length + 2)}`,
    )
  const candidates = lines.find((each) => each.startsWith('Candidate bindings:'))
  return new ServiceError(
    CODES[kind] ?? 'invalid_sql',
    candidates === undefined ? line : `${line} ${candidates}`,
  )
}

export function isFatal(text: string): boolean {
  return FATAL.test(text)
}

function beforeAdvice(line: string): string {
  return line
    .replace(/^\w[\w ]* Error: /, '')
    .replace(/(?: is not in the catalog)?, but it exists in the.*$/, '')
}
