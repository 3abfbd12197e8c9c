import { alternatives } from '../../plan/alternatives.ts'
import { type ErrorCode, ServiceError } from '../../plan/errors.ts'
import { optionMeant } from '../../plan/format/option-words.ts'
import { listNames, nearestName } from '../../plan/nearest-name.ts'
import { errorInView, type NamedDefinition } from '../../plan/statement/definition.ts'
import { type SourceFunction, usage } from './binding/source-functions.ts'
import { type KnownFunctions, NO_FUNCTIONS } from './called-functions.ts'
import { type AdvisedStatement, adviceOn, isFunction, replacesSuggestions } from './duck-advice.ts'
import { type DuckMessage, readMessage } from './duck-message.ts'
import { rewordValue } from './reword-value.ts'
import { isUnfinished } from './syntax-advice.ts'
import { memoryAdvice } from './too-large.ts'
import { castsIn, macrosCalledIn, nearestFunction, wrongCall } from './wrong-call.ts'

export interface FailedStatement extends AdvisedStatement {
  /** The functions that it may call and DuckDB does not have itself. */
  readonly functions: readonly SourceFunction[]
  /** The functions that DuckDB has. Absent: none are known. */
  readonly duckFunctions?: KnownFunctions
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
  const { sql, functions, definitions, duckFunctions = NO_FUNCTIONS } = statement
  const hasViews = definitions.length > 0
  const hasMacros = macrosCalledIn({ sql, definitions, duckFunctions }).length > 0
  const message = readMessage(text, { sql, prefix, hasViews, hasMacros })
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
    return new ServiceError(
      'memory_limit',
      `The statement takes more memory than it may use: ${/[.!?]$/.test(what) ? what : `${what}.`}${memoryAdvice(statement)}`,
    )
  const called = adviceOnArguments(what, statement)
  if (called !== undefined) return new ServiceError('invalid_sql', called, { at })
  const advice = adviceOn(message, statement)
  const calling = { sql, definitions, duckFunctions }
  const wrong = wrongCall(message, calling)
  if (wrong !== null) {
    const error = new ServiceError(
      'invalid_sql',
      sentences([`${kind}: ${wrong.message}`, advice ?? '']),
      wrong,
    )
    return inOneOf(definitions, message.inView, error)
  }
  const reworded = rewordValue(message)
  const plain = reworded ?? what.replace(/ Use "SET [^"]*"[^.]*\.?/, '')
  const parts = [
    kind === '' ? plain : `${kind}: ${plain}`,
    ...(reworded !== null || replacesSuggestions(message) ? [] : suggestions(message, duckFunctions)),
    advice ?? '',
    at === undefined ? castsIn(what, calling) : '',
  ]
  const error = new ServiceError(CODES[kind] ?? 'invalid_sql', sentences(parts), {
    at,
    column: columnIn(message),
  })
  return inOneOf(definitions, message.inView, error)
}

/** An error that is, or may be, in the query of a view. DuckDB does not tell of which. */
function inOneOf(
  definitions: readonly NamedDefinition[],
  inView: DuckMessage['inView'],
  error: ServiceError,
): ServiceError {
  const views = definitions.flatMap(({ name, query }) => (query === null ? [] : [name]))
  const [view, ...others] = views
  if (view === undefined || inView === 'no') return error
  if (others.length === 0 && inView === 'yes') return errorInView(view, error)
  const which = others.length === 0 ? `the view ${listNames(views)}` : `one of the views ${listNames(views)}`
  const message = `${sentences([error.message, `This ${inView === 'yes' ? 'is' : 'may be'} in ${which}.`])}`
  return new ServiceError(error.code, message, { cause: error })
}

/** What DuckDB says of a name that is no column, and an alias of the list in which it stands. */
const REFERENCED = /^Column "(.+)" referenced that exists in the SELECT clause/

/** The name that is no column. Undefined: the error is about something else. */
function columnIn({ subtype, name, what }: DuckMessage): string | undefined {
  if (subtype === 'COLUMN_NOT_FOUND') return name
  return [/does not have a column named "(.+)"$/, REFERENCED]
    .map((form) => form.exec(what)?.[1])
    .find(Boolean)
}

/** The most characters of a sentence in a message. DuckDB names values, which may be of any length. */
const MOST_CHARACTERS = 2000

/** Joins sentences, of which some have no full stop and some are empty. The middle of a very long one is left out. */
function sentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) =>
      part.length <= MOST_CHARACTERS
        ? part
        : `${part.slice(0, MOST_CHARACTERS / 2)} … ${part.slice(-MOST_CHARACTERS / 2)}`,
    )
    .reduce((text, part) => `${text}${/[.!?]$/.test(text) ? '' : '.'} ${part}`)
}

function isReader(fn: SourceFunction): boolean {
  return 'row' in fn
}

/** The message for wrong arguments of one of `functions`. Undefined: the error is about something else. */
function adviceOnArguments(what: string, { sql, functions }: FailedStatement): string | undefined {
  if (what.startsWith('Unnamed parameters cannot come after'))
    return `Arguments are given by position first, then by name (${functions.filter(isReader).map(usage).join(', ')}).`
  const [, macro, scan] = /^Macro (\w+)\(\) does not|argument types '(\w+)\(/.exec(what) ?? []
  const fn = functions.find((each) => each.macro === macro || each.scan === scan)
  return fn && `${unknownArgument(fn, sql)}It is ${usage(fn)}.`
}

/** The beginning of a message that names an argument which the function does not have. Empty: each has a known name, or none. */
function unknownArgument({ macro, parameters }: SourceFunction, sql: string): string {
  const parameterNames = parameters.flatMap((parameter) => /\w+/.exec(parameter) ?? [])
  const given = [...sql.matchAll(/\b(\w+)"?\s*(?::=|=>)/g)].map(([, name = '']) => name)
  const unknown = given.find((name) => !parameterNames.includes(name.toLowerCase()))
  if (unknown === undefined) return ''
  const near = optionMeant(unknown, parameterNames) ?? nearestName(unknown, parameterNames)
  return `${macro} has no ${unknown}${near === null ? '.' : `; did you mean ${near}?`} `
}

/** Suggestions of what no statement may use. */
const REFUSED =
  /\b(?:SET|INSTALL|LOAD)\b|"(?:_|current_setting|duckdb_|get(?:env|variable)|information_schema|pg_|pragma_|sqlite_)/

/** What DuckDB suggests, without statements that are refused here. */
function suggestions({ what, hints, name }: DuckMessage, duckFunctions: KnownFunctions): readonly string[] {
  if (isFunction(what)) return [nearestFunction(name, duckFunctions)].filter((hint) => !REFUSED.test(hint))
  return hints.filter((hint) => !REFUSED.test(hint))
}

function lacking({ kind, what, at }: DuckMessage, extension: string): ServiceError {
  const [, missing = 'The statement'] =
    kind === 'Catalog Error' ? (/^(.*?)(?: is not in the catalog)?, but it exists/.exec(what) ?? []) : []
  return new ServiceError(
    'not_supported',
    `${missing} needs DuckDB's extension ${extension}, which is not available.`,
    { at },
  )
}
