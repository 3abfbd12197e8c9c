import { printIdentifier } from '../../../text/keywords.ts'
import type { Attach, Detach } from '../../node.ts'
import type { ParsedStatement } from '../../query-text.ts'
import type { StatementReader } from '../../statement-reader.ts'
import { MASK, printText } from '../../texts.ts'
import { parseOptions, printOptions } from '../options.ts'

const CATALOG = 'the name of a catalog'

/** Options whose values are no secrets. */
export const SHOWN_KEYS: ReadonlySet<string> = new Set(['secret', 'tls', 'persistent', 'sslmode'])

/** Parses what follows ATTACH. Other values than those of `SHOWN_KEYS` are not a part of the node. */
export function parseAttach({ reader, onHidden }: ParsedStatement): Attach {
  const token = reader.peek()
  const url = reader.expectText('an address in single quotes')
  // It is printed and logged.
  if (/[@?#]/.test(url))
    reader.reject(token, 'an address has no user, no password and no query; give a login WITH its options')
  reader.expectWords('AS')
  const name = reader.expectName(CATALOG)
  const options = reader.takeWords('WITH') ? parseOptions(reader) : []
  const masked = options.map(({ key, value }) => {
    if (SHOWN_KEYS.has(key)) return Object.freeze({ key, value })
    onHidden(value)
    return Object.freeze({ key, value: MASK })
  })
  return Object.freeze({ kind: 'attach', url, name, options: Object.freeze(masked) })
}

/** Parses what follows DETACH. */
export function parseDetach(reader: StatementReader): Detach {
  return Object.freeze({ kind: 'detach', name: reader.expectName(CATALOG) })
}

export function printAttach({ url, name, options }: Attach): string {
  const words = options.length === 0 ? '' : ` WITH ${printOptions(options)}`
  return `ATTACH ${printText(url)} AS ${printIdentifier(name)}${words}`
}

export function printDetach({ name }: Detach): string {
  return `DETACH ${printIdentifier(name)}`
}
