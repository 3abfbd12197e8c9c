import { alternatives } from '../../plan/alternatives.ts'
import { type ErrorCode, ServiceError } from '../../plan/errors.ts'
import { likelyDelimiter } from '../../plan/format/likely-delimiter.ts'
import type { Source } from '../../plan/statement/statement.ts'
import { type SourceFunction, usage } from './binding/source-functions.ts'
import { type DuckMessage, readMessage } from './duck-message.ts'

/** The statement that an error is about. */
export interface FailedStatement {
  /** As DuckDB was given it. */
  readonly sql: string
  /** The functions that it may call and DuckDB does not have itself. */
  readonly functions: readonly SourceFunction[]
  readonly sources: readonly Source[]
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
  const { kind, what, at } = message
  const [, extension] = /(?:in the|required extension) ['"]?(\w+)['"]?(?: extension|:)/.exec(text) ?? []
  if (extension !== undefined) return lacking(message, extension)
  if (kind === 'Permission Error')
    return new ServiceError(
      'invalid_sql',
      `SQL reaches files by ${alternatives(functions.filter(isReader).map(({ macro }) => macro))} only.`,
    )
  if (kind === 'Out of Memory Error')
    return new ServiceError('memory_limit', `The statement takes more memory than it may use: ${what}`)
  const called = misused(what, functions)
  if (called !== undefined) return new ServiceError('invalid_sql', called)
  const plain = what.replace(/ Use "SET [^"]*"[^.]*\.?/, '')
  const parts = [
    kind === '' ? plain : `${kind}: ${plain}`,
    ...suggestions(message),
    ...advice(message, statement),
  ]
  return new ServiceError(CODES[kind] ?? 'invalid_sql', sentences(parts), { at })
}

/** Joins sentences, of which some have no full stop. */
function sentences(parts: readonly string[]): string {
  return parts.reduce((text, part) => `${text}${/[.!?]$/.test(text) ? '' : '.'} ${part}`)
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

/** The most signatures of functions that a message lists. */
const MOST_SIGNATURES = 4

/** What DuckDB suggests, without statements that are refused here. */
function suggestions({ what, hints }: DuckMessage): readonly string[] {
  if (ZONED.test(what)) return [`Without DuckDB's extension icu: ${UNZONED}`]
  const list = hints.indexOf('Candidate functions:')
  const lines = (list < 0 ? hints : hints.slice(0, list)).filter(
    (hint) => !/\b(?:SET|INSTALL|LOAD)\b/.test(hint),
  )
  if (list < 0) return lines
  const signatures = hints.slice(list + 1)
  const rest = signatures.length - MOST_SIGNATURES
  const shown = signatures.slice(0, MOST_SIGNATURES).join(', ')
  return [...lines, `Candidate functions: ${shown}${rest > 0 ? ` and ${rest} more` : ''}`]
}

/** What to write instead, of which DuckDB knows nothing. */
function advice(
  { what, subtype, name, at }: DuckMessage,
  { sql, sources }: FailedStatement,
): readonly string[] {
  if (subtype !== 'COLUMN_NOT_FOUND') return []
  if (what.endsWith('FROM clause is missing')) return [`Files are named as in FROM read_parquet('…').`]
  const quote = at === undefined ? '' : sql.charAt(at)
  if (quote === '"') return [`Double quotes are for names; text is written '${name.replaceAll("'", "''")}'.`]
  if (/[“”‘’]/.test(quote)) return [`Text is in straight single quotes: '${name.slice(1, -1)}'.`]
  for (const { schema } of sources) {
    const delimiter = likelyDelimiter(schema.fields.map((field) => field.name))
    if (delimiter !== null)
      return [
        `The file has one column, so it has another delimiter: write delimiter := '${delimiter}' after its path.`,
      ]
  }
  return []
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
