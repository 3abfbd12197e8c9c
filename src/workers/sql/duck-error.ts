import { alternatives } from '../../plan/alternatives.ts'
import { type ErrorCode, ServiceError } from '../../plan/errors.ts'
import { type SourceFunction, usage } from './binding/source-functions.ts'

/** Error codes by the kind that DuckDB writes before the colon. An error of any other kind is a mistake in the statement. */
const CODES: Readonly<Record<string, ErrorCode>> = Object.freeze({
  'Not implemented Error': 'not_supported',
  'INTERNAL Error': 'internal',
  'FATAL Error': 'internal',
})

/**
 * The `ServiceError` for an error text of DuckDB: its first line, without advice to install, load or set something, which no
 * statement may do here. After an error with the code `internal` DuckDB takes no statements any more. `functions` are those
 * that a statement may call and DuckDB does not have itself.
 */
export function duckError(text: string, functions: readonly SourceFunction[]): ServiceError {
  const lines = text.split('\n')
  const line = (lines[0] ?? '').replace(/ Use "SET [^"]*"[^.]*\.?/, '').trim()
  const [, extension] = /(?:in the|required extension) ['"]?(\w+)['"]?(?: extension|:)/.exec(text) ?? []
  if (extension !== undefined) return lacking(line, extension)
  const [, kind = '', what = line] = /^([\w ]+ Error): (.*)$/.exec(line) ?? []
  if (kind === 'Permission Error')
    return new ServiceError(
      'invalid_sql',
      `SQL reaches files by ${alternatives(functions.filter(isReader).map(({ macro }) => macro))} only.`,
    )
  if (kind === 'Out of Memory Error')
    return new ServiceError('memory_limit', `The statement takes more memory than it may use: ${what}`)
  const called = misused(what, functions)
  if (called !== undefined) return new ServiceError('invalid_sql', called)
  const candidates = lines.find((each) => each.startsWith('Candidate bindings:'))
  const hint = ZONED.test(line) ? `Without DuckDB's extension icu: ${UNZONED}` : candidates
  const message = hint === undefined ? line : `${line} ${hint}`
  return new ServiceError(CODES[kind] ?? 'invalid_sql', message)
}

function isReader(fn: SourceFunction): boolean {
  return 'row' in fn
}

/** The message for wrong arguments of one of `functions`. Undefined: the error is about something else. */
function misused(what: string, functions: readonly SourceFunction[]): string | undefined {
  if (what.startsWith('Unnamed parameters cannot come after'))
    return `Arguments are given by position first, then by name (${functions.filter(isReader).map(usage).join(', ')}).`
  const [, macro, scan] = /^Macro (\w+)\(\) does not|argument types '(\w+)\(/.exec(what) ?? []
  const fn = functions.find((each) => each.macro === macro || each.scan === scan)
  return fn && `It is ${usage(fn)}.`
}

/**
 * Errors about casts and functions of times with a zone. Those that the extension icu has exist for other types as well, so
 * DuckDB does not say that it lacks the extension.
 */
const ZONED = /(?:for cast|argument types) .*TIMESTAMP WITH TIME ZONE/

/** The advice to the user: without the extension icu, DuckDB has functions only for times without a zone. */
const UNZONED = 'Cast a time with a zone to TIMESTAMP, which is its time in UTC.'

function lacking(line: string, extension: string): ServiceError {
  const [, what] = /^Catalog Error: (.*?)(?: is not in the catalog)?, but it exists/.exec(line) ?? []
  const isAboutTime = extension === 'icu' && !what?.startsWith('Collation')
  const hint = isAboutTime ? ` ${UNZONED}` : ''
  const missing = what === undefined ? 'The statement' : what
  return new ServiceError(
    'not_supported',
    `${missing} needs DuckDB's extension ${extension}, which is not available.${hint}`,
  )
}
