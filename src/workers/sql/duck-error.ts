import { alternatives } from '../../plan/alternatives.ts'
import { type ErrorCode, ServiceError } from '../../plan/errors.ts'
import { optionMeant } from '../../plan/format/option-words.ts'
import { nearestName } from '../../plan/nearest-name.ts'
import { type SourceFunction, usage } from './binding/source-functions.ts'
import { type AdvisedStatement, adviceOn, replacesSuggestions } from './duck-advice.ts'
import { type DuckMessage, readMessage } from './duck-message.ts'
import { isUnfinished } from './syntax-advice.ts'

export interface FailedStatement extends AdvisedStatement {
  /** The functions that it may call and DuckDB does not have itself. */
  readonly functions: readonly SourceFunction[]
}

/** Error codes by the kind that DuckDB writes before the colon. An error of any other kind is a mistake in the statement. */
const CODES: Readonly<Record<string, ErrorCode>> = Object.freeze({
  'Not implemented Error': 'not_supported',
  'INTERNAL Error': 'internal',
  'FATAL Error': 'internal',
})

/**
 * The `ServiceError` for an error text of DuckDB: what is wrong, what DuckDB suggests, and what to write instead where that is known,
 * without advice to install, load or set something, which no statement may do here. After an error with the code `internal`
 * DuckDB takes no statements any more. `prefix` is the text that it was given before the statement.
 */
export function duckError(text: string, statement: FailedStatement, prefix = ''): ServiceError {
  const { functions } = statement
  const message = readMessage(text, statement.sql, prefix)
  const { kind, what } = message
  const at = isUnfinished(what) ? statement.sql.trimEnd().length : message.at
  const [, extension] = /(?:in the|required extension) ['"]?(\w+)['"]?(?: extension|:)/.exec(text) ?? []
  if (extension !== undefined) return lacking(message, extension)
  if (kind === 'Permission Error')
    return new ServiceError(
      'invalid_sql',
      `SQL reaches files by ${alternatives(functions.filter(isReader).map(({ macro }) => macro))} only.`,
    )
  if (kind === 'Out of Memory Error')
    return new ServiceError('memory_limit', `The statement takes more memory than it may use: ${what}`)
  const called = misused(what, statement)
  if (called !== undefined) return new ServiceError('invalid_sql', called, { at })
  const plain = what.replace(/ Use "SET [^"]*"[^.]*\.?/, '')
  const parts = [
    kind === '' ? plain : `${kind}: ${plain}`,
    ...(replacesSuggestions(message) ? [] : suggestions(message)),
    adviceOn(message, statement) ?? '',
  ].filter((part) => part !== '')
  return new ServiceError(CODES[kind] ?? 'invalid_sql', sentences(parts), { at, column: columnIn(message) })
}

/** The name that is no column. Undefined: the error is about something else. */
function columnIn({ subtype, name, what }: DuckMessage): string | undefined {
  if (subtype === 'COLUMN_NOT_FOUND') return name
  return /does not have a column named "(.+)"$/.exec(what)?.[1]
}

/** Joins sentences, of which some have no full stop. */
function sentences(parts: readonly string[]): string {
  return parts.reduce((text, part) => `${text}${/[.!?]$/.test(text) ? '' : '.'} ${part}`)
}

function isReader(fn: SourceFunction): boolean {
  return 'row' in fn
}

/** The message for wrong arguments of one of `functions`. Undefined: the error is about something else. */
function misused(what: string, { sql, functions }: FailedStatement): string | undefined {
  if (what.startsWith('Unnamed parameters cannot come after'))
    return `Arguments are given by position first, then by name (${functions.filter(isReader).map(usage).join(', ')}).`
  const [, macro, scan] = /^Macro (\w+)\(\) does not|argument types '(\w+)\(/.exec(what) ?? []
  const fn = functions.find((each) => each.macro === macro || each.scan === scan)
  return fn && `${unknownArgument(fn, sql)}It is ${usage(fn)}.`
}

/** The beginning of a message that names an argument which the function does not have. Empty: each has a known name, or none. */
function unknownArgument({ macro, parameters }: SourceFunction, sql: string): string {
  const known = parameters.flatMap((parameter) => /\w+/.exec(parameter) ?? [])
  const given = [...sql.matchAll(/\b(\w+)"?\s*(?::=|=>)/g)].map(([, name = '']) => name)
  const unknown = given.find((name) => !known.includes(name.toLowerCase()))
  if (unknown === undefined) return ''
  const near = optionMeant(unknown, known) ?? nearestName(unknown, known)
  return `${macro} has no ${unknown}${near === null ? '.' : `; did you mean ${near}?`} `
}

/** The most signatures of functions that a message lists. */
const MOST_SIGNATURES = 4

/** Suggestions of what no statement may use. */
const REFUSED =
  /\b(?:SET|INSTALL|LOAD)\b|"(?:_|current_setting|duckdb_|get(?:env|variable)|information_schema|pg_|pragma_|sqlite_)/

/** What DuckDB suggests, without statements that are refused here. */
function suggestions({ what, hints }: DuckMessage): readonly string[] {
  if (ZONED.test(what)) return [`Without DuckDB's extension icu: ${UNZONED}`]
  const list = hints.indexOf('Candidate functions:')
  const lines = (list < 0 ? hints : hints.slice(0, list)).filter((hint) => !REFUSED.test(hint))
  // An operator has too many signatures to tell anything.
  if (list < 0 || /types '\W/.test(what)) return lines
  const signatures = hints.slice(list + 1)
  const rest = signatures.length - MOST_SIGNATURES
  const shown = signatures.slice(0, MOST_SIGNATURES).join(', ')
  return [...lines, `Candidate functions: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`]
}

/**
 * Errors about casts and functions of times with a zone. Those that the extension icu has exist for other types as well, so
 * DuckDB does not say that it lacks the extension.
 */
const ZONED = /(?:for cast|argument types) .*TIMESTAMP WITH TIME ZONE/

/** The advice to the user: without the extension icu, DuckDB has functions only for times without a zone. */
const UNZONED = 'Cast a time with a zone to TIMESTAMP, which is its time in UTC.'

function lacking({ kind, what, at }: DuckMessage, extension: string): ServiceError {
  const [, missing = 'The statement'] =
    kind === 'Catalog Error' ? (/^(.*?)(?: is not in the catalog)?, but it exists/.exec(what) ?? []) : []
  const isAboutTime = extension === 'icu' && !missing.startsWith('Collation')
  const hint = isAboutTime ? ` ${UNZONED}` : ''
  return new ServiceError(
    'not_supported',
    `${missing} needs DuckDB's extension ${extension}, which is not available.${hint}`,
    { at },
  )
}
