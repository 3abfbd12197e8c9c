/**
 * The place in the text of a view from which its query stands, in bytes. Statements are given to DuckDB from 0 on, so that the place of
 * an error says which of the two has it, unless the statement is longer than this. So many blanks take DuckDB no time to speak of,
 * 65 536 take 2 ms.
 */
export const VIEW_TEXT_FROM = 4096

/**
 * The place in the text that makes a macro of the service from which it stands, in bytes, for the same reason. Statements may be longer,
 * but most are not. So many blanks add a thirtieth to the time that it takes to make one.
 */
export const MACRO_TEXT_FROM = 1024

/** What DuckDB says of an error. */
export interface DuckMessage {
  /** Such as `Binder Error`. Empty: it says none. */
  readonly kind: string
  /** What is wrong: the first line. */
  readonly what: string
  /** What it suggests instead: the other lines. */
  readonly hints: readonly string[]
  /** A kind of its own for some errors, such as `COLUMN_NOT_FOUND`. Empty: it says none. */
  readonly subtype: string
  /** The name that the error is about. Empty: it says none. */
  readonly name: string
  /** Where it is in the statement, in UTF-16 units. Undefined: it does not say, or that place may be one in a view or in a macro. */
  readonly at: number | undefined
  /** Whether its place is one in a view. */
  readonly inView: 'yes' | 'no' | 'maybe'
}

/** The members that are used of what DuckDB writes, because `errors_as_json` is set. All are texts. */
interface Written {
  readonly exception_type?: string
  readonly exception_message?: string
  readonly error_subtype?: string
  readonly name?: string
  /** Bytes of UTF-8 before the place, in decimal digits. */
  readonly position?: string
}

/** The text that DuckDB was given. Errors name places in it. */
export interface GivenText {
  readonly sql: string
  /** What came in front of the statement. */
  readonly prefix: string
  /** Whether the statement may read views. */
  readonly hasViews: boolean
  /** Whether it calls macros of the service, or may read views that do. */
  readonly hasMacros: boolean
}

/** Reads an error of DuckDB about a statement: it is JSON, behind its kind if it comes from the parser, or else plain text. */
export function readMessage(text: string, { sql, prefix, hasViews, hasMacros }: GivenText): DuckMessage {
  const { exception_type, exception_message = text, error_subtype = '', name = '', position } = parse(text)
  const [line = '', ...hints] = exception_message.split('\n').map((each) => each.trim())
  const [, kind = '', what = line] = /^([\w ]+ Error): (.*)$/.exec(line) ?? []
  const mayBeInView = hasViews && Number(position) >= VIEW_TEXT_FROM
  const at = mayBeInView ? undefined : unitsBefore(prefix + sql, position, prefix.length)
  const mayBeInMacro = hasMacros && Number(position) >= MACRO_TEXT_FROM && !isAt(name, at, sql)
  return {
    kind: exception_type === undefined ? kind : `${exception_type} Error`,
    what,
    hints: hints.filter((hint) => hint !== ''),
    subtype: error_subtype,
    name,
    at: mayBeInMacro ? undefined : at,
    inView: !mayBeInView ? 'no' : Number(position) < Buffer.byteLength(prefix + sql) ? 'maybe' : 'yes',
  }
}

/** Whether a name stands at a place of a statement, in quotes or without. False: it is empty, or there is no place. */
export function isAt(name: string, at: number | undefined, sql: string): boolean {
  if (name === '' || at === undefined) return false
  const text = sql.slice(at, at + name.length + 1).toLowerCase()
  return text.startsWith(name.toLowerCase(), text.startsWith('"') ? 1 : 0)
}

function parse(text: string): Written {
  const [, json = ''] = /^(?:[\w ]+: )?(\{.*\})\s*$/s.exec(text) ?? []
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}

/** A position in bytes as one in UTF-16 units, counted from `start`. Undefined: there is none. */
function unitsBefore(text: string, position: string | undefined, start: number): number | undefined {
  if (position === undefined) return undefined
  const bytes = Buffer.from(text)
  const before = Number(position)
  const at = before < bytes.length ? bytes.toString('utf8', 0, before).length - start : -1
  return at < 0 ? undefined : at
}
