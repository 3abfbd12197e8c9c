import { FUNCTIONS } from '../../plan/functions/functions.ts'
import { listUsages, usagesOf } from '../../plan/functions/usage.ts'
import { nearestName } from '../../plan/nearest-name.ts'
import type { NamedDefinition } from '../../plan/statement/definition.ts'
import { type CalledMacro, callersOf, type KnownFunctions, macrosCalled } from './called-functions.ts'
import { type DuckMessage, isAt } from './duck-message.ts'

/** An error about the call of a function. */
export interface WrongCall {
  /** What is wrong, in sentences. */
  readonly message: string
  /** Where the statement calls the function, in UTF-16 units. Undefined: not known. */
  readonly at: number | undefined
  /** The names of the functions, one of which does not take what it is given. */
  readonly refused: readonly string[]
}

/** The statement that calls it. */
interface CallingStatement {
  readonly sql: string
  readonly definitions: readonly NamedDefinition[]
  readonly duckFunctions: KnownFunctions
}

/**
 * What is wrong with the call of a function, by what the user has written: where a macro calls another function, DuckDB speaks of that
 * one, and of its place in the macro. Null: the error is about something else, or there is nothing better to say than DuckDB does.
 */
export function wrongCall(message: DuckMessage, statement: CallingStatement): WrongCall | null {
  const { what, at } = message
  const [, misplaced] = MISPLACED.exec(what) ?? []
  if (misplaced !== undefined) return notAggregate(misplaced, message, statement)
  if (what === 'Window function macros must be functions')
    return { message: 'OVER stands behind aggregates and window functions alone.', at, refused: [] }
  const [, macro, problem] = MACRO.exec(what) ?? []
  const call = callIn(what)
  const name = macro ?? call?.name
  if (name === undefined) return null
  const callers = isAt(name, at, statement.sql) ? [] : callersFor(name, statement)
  const itself = callers.find((each) => each.name === name.toLowerCase())
  if (callers.length > 0 && itself === undefined) return inMacros(callers, call?.text)
  const isAmbiguous = problem === 'has multiple' || what.startsWith('Could not choose')
  const refusal =
    call === null ? `${name} does not take these arguments` : `No function matches '${call.text}'`
  const row = FUNCTIONS.get(name.toLowerCase())
  const [type = ''] = row?.overloads[0]?.parameters.map((parameter) => parameter.type) ?? []
  const cast = `CAST(x AS ${CASTABLE.test(type) ? type : 'DOUBLE'})`
  // DuckDB chooses a macro by the types of its arguments, which it does not know of what is computed from several rows.
  const inside =
    macro === undefined ? '' : '. An aggregate is computed in a query inside that gives it a name'
  const ambiguity = `More than one ${name} takes these arguments; a type tells which, as in ${cast}${inside}`
  const usages = row === undefined ? candidatesIn(message) : usagesOf(row)
  return {
    // An operator has too many signatures to tell anything.
    message: `${isAmbiguous ? ambiguity : refusal}.${/^\W/.test(name) ? '' : ` It is ${usages}.`}`,
    at: itself === undefined ? at : itself.at,
    refused: [name],
  }
}

const MACRO = /^Macro (\w+)\(\) (does not support|has multiple)/

/** Types of the table of functions that do not stand for several. */
const CASTABLE = /^(?:DATE|TIME|TIMESTAMP|INTERVAL|VARCHAR|BLOB|BIGINT|INTEGER)$/

/** What has DISTINCT, FILTER, ORDER BY or OVER, and is no aggregate. */
const MISPLACED =
  /^(?:Function "(?=\w+" is a (?:Macro|Scalar) Function\.))?(\w+)(?:" is a \w+ Function\.| is not an aggregate function$)/

/** Macros that the statement calls, of which one calls something that does not take its arguments. */
function inMacros(callers: readonly CalledMacro[], inner: string | undefined): WrongCall {
  const names = callers.map(({ name }) => name)
  const isOne = names.length === 1
  // Functions of the service that only macros call begin with an underscore.
  const reason = inner === undefined || inner.startsWith('_') ? '' : `, as there is no ${inner}`
  const refusal = isOne ? 'does not take these arguments' : 'does not take its arguments'
  const rows = names.flatMap((name) => FUNCTIONS.get(name) ?? [])
  const usages =
    rows.length < names.length ? '' : ` ${isOne ? 'It is' : 'They are'} ${listUsages(rows.map(usagesOf))}.`
  return {
    message: `${names.join(' or ')} ${refusal}${reason}.${usages}`,
    at: isOne ? callers[0]?.at : undefined,
    refused: names,
  }
}

/** The end of a message about a function that does not exist. Empty: no name is near. */
export function nearestFunction(name: string, { names }: KnownFunctions): string {
  const near = nearestName(name, [...FUNCTIONS.keys(), ...names])
  return near === null ? '' : `Did you mean "${near}"?`
}

/** Which macros an error without a place may be in, because it is about a cast: DuckDB does not tell which. Empty: none. */
export function castsIn(what: string, statement: CallingStatement): string {
  const macros = /\bcast\b|^Could not convert/i.test(what) ? macrosCalledIn(statement) : []
  const rows = macros.flatMap(({ name }) => FUNCTIONS.get(name) ?? [])
  return rows.length === 0 ? '' : `This may be in ${listUsages(rows.map(usagesOf))}.`
}

/** The macros of the table of functions that a statement and the views that it reads call. */
export function macrosCalledIn({
  sql,
  definitions,
  duckFunctions,
}: CallingStatement): readonly CalledMacro[] {
  return macrosCalled(sql, definitions, duckFunctions).filter(
    ({ name }) => FUNCTIONS.get(name)?.form.kind === 'macro',
  )
}

/** The function and the types of its arguments in DuckDB's message. Null: it names no function. */
function callIn(what: string): { readonly name: string; readonly text: string } | null {
  const [, call] = /argument types '(.*)'/.exec(what) ?? /the function call "(.*)"\./.exec(what) ?? []
  if (call === undefined) return null
  const text = call.replaceAll('INTEGER_LITERAL', 'INTEGER').replaceAll('STRING_LITERAL', 'VARCHAR')
  const [, name] = /^"?(\w+|[^\w\s"(]+)"?\(/.exec(text) ?? []
  return name === undefined ? null : { name, text: text.replace(/^"(\w+)"/, '$1') }
}

function callersFor(
  name: string,
  { sql, definitions, duckFunctions }: CallingStatement,
): readonly CalledMacro[] {
  return callersOf(name, macrosCalled(sql, definitions, duckFunctions), duckFunctions)
}

function notAggregate(name: string, { what, at }: DuckMessage, { sql }: CallingStatement): WrongCall {
  const written = at === undefined ? name : (/^"?(\w+)/.exec(sql.slice(at, at + NAME))?.[1] ?? name)
  const message = what.endsWith('aggregate function')
    ? `${written} is no aggregate and no window function, so it takes no OVER.`
    : `${written} makes a value of one row; DISTINCT, FILTER and ORDER BY in a call are for aggregates.`
  return { message, at, refused: [] }
}

/** The most characters of a name that are looked at. */
const NAME = 200

/** The ways to call a function that DuckDB lists, without the types of results. */
function candidatesIn({ hints }: DuckMessage): string {
  const from = hints.findIndex((hint) => /^Candidate (?:functions|macros):$/.test(hint))
  return listUsages(hints.slice(from + 1).map((hint) => hint.replace(/ -> .*$/, '')))
}
