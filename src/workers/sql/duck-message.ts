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
  /** Where it is in the statement, in UTF-16 units. Undefined: it does not say. */
  readonly at: number | undefined
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

/**
 * Reads an error of DuckDB about a statement: it is JSON, behind its kind if it comes from the parser, or else plain text.
 * `prefix` is what DuckDB was given in front of the statement.
 */
export function readMessage(text: string, sql: string, prefix: string): DuckMessage {
  const { exception_type, exception_message = text, error_subtype = '', name = '', position } = parsed(text)
  const [line = '', ...hints] = exception_message.split('\n').map((each) => each.trim())
  const [, kind = '', what = line] = /^([\w ]+ Error): (.*)$/.exec(line) ?? []
  return {
    kind: exception_type === undefined ? kind : `${exception_type} Error`,
    what,
    hints: hints.filter((hint) => hint !== ''),
    subtype: error_subtype,
    name,
    at: unitsBefore(prefix + sql, position, prefix.length),
  }
}

function parsed(text: string): Written {
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
