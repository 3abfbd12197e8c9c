/** The name of a table in a remote. */
export interface WrittenRemoteTable {
  /** '': the one in which the login is. */
  readonly schema: string
  readonly name: string
}

/** The schema of a name without one. */
const DEFAULT_SCHEMA = 'public'

/** One part of a name: in double quotes, in which two stand for one, or without any. */
const PART = '"(?:[^"]|"")+"|[^".]+'
const NAME = new RegExp(`^(?:(${PART})\\.)?(${PART})$`, 's')

/** Reads the name of a table, percent-encoded as a part of a URL. Null: it is no such name. */
export function readTableText(encoded: string): WrittenRemoteTable | null {
  const text = decodePart(encoded)
  return text === null ? null : readTableName(text)
}

/** Reads `table`, `schema.table` or `"a.b"."c"`. Null: it is no such name. */
export function readTableName(text: string, defaultSchema = DEFAULT_SCHEMA): WrittenRemoteTable | null {
  const [match, schema = defaultSchema, name] = NAME.exec(text) ?? []
  if (match === undefined || name === undefined) return null
  return Object.freeze({ schema: unquotePart(schema), name: unquotePart(name) })
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function unquotePart(part: string): string {
  return part.startsWith('"') ? part.slice(1, -1).replaceAll('""', '"') : part
}
