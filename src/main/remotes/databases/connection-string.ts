import { readDatabaseHost, readPort, readSslMode } from './database-options.ts'

/** The parameters of libpq that are read, with the keys that secrets have for them. */
const KEYS: Readonly<Record<string, string>> = Object.freeze({
  host: 'host',
  port: 'port',
  user: 'user',
  password: 'password',
  dbname: 'database',
  sslmode: 'sslmode',
})

/**
 * Reads a connection string of libpq (PostgreSQL, "Connection Strings"): `host=… user=…`, or a URL whose user and password are
 * percent-encoded. Its values have the keys of a secret. `refuse` gets nothing of it, since it may have a password.
 */
export function readConnectionString(
  text: string,
  refuse: (what: string) => never,
): Readonly<Record<string, string>> {
  const pairs = /^[a-z]+:\/\//i.test(text) ? pairsOfUrl(text) : pairsOfWords(text)
  if (pairs === null)
    return refuse(
      '"connection_string" is none, such as host=db.example.org user=reader password=… dbname=sea',
    )
  const values = new Map<string, string>()
  for (const [word, value] of pairs) {
    const key = Object.hasOwn(KEYS, word) ? KEYS[word] : undefined
    if (key === undefined)
      return refuse(`"connection_string" has another parameter than ${Object.keys(KEYS).join(', ')}`)
    if (values.has(key)) return refuse(`"connection_string" gives "${word}" twice`)
    if (value !== '') values.set(key, value)
  }
  const refuseValue = (what: string): never => refuse(`"connection_string": ${what}`)
  readDatabaseHost(values.get('host'), refuseValue)
  readPort(values.get('port'), refuseValue)
  readSslMode(values.get('sslmode'), refuseValue)
  return Object.freeze(Object.fromEntries(values))
}

type Pairs = readonly (readonly [string, string])[]

/** One parameter: a value in single quotes, in which a backslash stands before a quote, or one without blanks. */
const WORD = /\s*([a-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s'\\]|\\.)*))(?=\s|$)/isuy

function pairsOfWords(text: string): Pairs | null {
  const pairs: [string, string][] = []
  WORD.lastIndex = 0
  for (let at = 0; at < text.trimEnd().length; at = WORD.lastIndex) {
    WORD.lastIndex = at
    const [match, key, quoted, plain = ''] = WORD.exec(text) ?? []
    if (match === undefined || key === undefined) return null
    pairs.push([key.toLowerCase(), (quoted ?? plain).replaceAll(/\\(.)/gsu, '$1')])
  }
  return pairs
}

function pairsOfUrl(text: string): Pairs | null {
  const [match, user = '', password = '', host = '', port = '', dbname = '', query = ''] =
    /^postgres(?:ql)?:\/\/(?:([^:@/?#\s]*)(?::([^@/?#\s]*))?@)?(\[[0-9a-f:.]+\]|[^:/?#@\s[\]]*)(?::(\d{1,5}))?(?:\/([^/?#@\s]*))?(?:\?([^#\s]*))?$/i.exec(
      text,
    ) ?? []
  if (match === undefined) return null
  try {
    const parts = Object.entries({ user, password, host, port, dbname })
      .filter(([, value]) => value !== '')
      .map(([key, value]) => [key, decodeURIComponent(value)] as const)
    return [...parts, ...new URLSearchParams(query)]
  } catch {
    return null
  }
}
