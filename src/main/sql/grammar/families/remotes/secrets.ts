import { printIdentifier } from '../../../text/keywords.ts'
import type { CreateSecret, DropSecret, StatementOption } from '../../node.ts'
import type { ParsedStatement } from '../../query-text.ts'
import type { StatementReader } from '../../statement-reader.ts'
import { MASK, printText } from '../../texts.ts'

const SECRET = 'the name of a secret'

/**
 * Parses what follows `CREATE SECRET`, or the same with PERSISTENT or TEMPORARY. The values are not a part of the node. Without IF NOT
 * EXISTS it replaces one of its name, so that OR REPLACE changes nothing.
 */
export function parseCreateSecret(
  { reader, onHidden }: ParsedStatement,
  isPersistent: boolean,
  isReplacing: boolean,
): CreateSecret {
  const token = reader.peek()
  const keepsExisting = reader.takeWords('IF', 'NOT', 'EXISTS')
  if (keepsExisting && isReplacing)
    reader.reject(token, 'a statement has OR REPLACE or IF NOT EXISTS, not both')
  const name = reader.expectName(SECRET)
  const parts: Parts = { type: null, scope: null, options: [], keys: new Set() }
  reader.expectSign('(')
  do parsePart(reader, parts, onHidden)
  while (reader.takeSign(','))
  const { type, scope, options } = parts
  const end = reader.peek()
  reader.expectSign(')')
  if (type === null) return reader.reject(end, 'TYPE is missing, such as TYPE service')
  const frozen = Object.freeze(options)
  return Object.freeze({
    kind: 'create_secret',
    name,
    isPersistent,
    keepsExisting,
    type,
    scope,
    options: frozen,
  })
}

interface Parts {
  type: string | null
  scope: string | null
  readonly options: StatementOption[]
  readonly keys: Set<string>
}

function parsePart(reader: StatementReader, parts: Parts, onHidden: ParsedStatement['onHidden']): void {
  const token = reader.peek()
  const key = reader.expectWord('TYPE, SCOPE or a key')
  if (parts.keys.has(key)) reader.reject(token, 'a key is given twice')
  parts.keys.add(key)
  if (key === 'TYPE') {
    parts.type = reader.expectWord('a type')
    return
  }
  const value = reader.takeText('a value in single quotes') ?? reader.expectKind('a number', 'number').text
  if (key !== 'SCOPE') {
    onHidden(value)
    parts.options.push(Object.freeze({ key: key.toLowerCase(), value: MASK }))
    return
  }
  // It is printed and logged.
  if (/[@?]/.test(value))
    reader.reject(token, 'a scope has no user, no password and no query: it has no "@" and no "?"')
  parts.scope = value
}

/** Parses what follows `DROP SECRET`. */
export function parseDropSecret(reader: StatementReader): DropSecret {
  const isIfExists = reader.takeWords('IF', 'EXISTS')
  return Object.freeze({ kind: 'drop_secret', name: reader.expectName(SECRET), isIfExists })
}

export function printCreateSecret(node: CreateSecret): string {
  const { name, isPersistent, keepsExisting, type, scope, options } = node
  const words = `CREATE ${isPersistent ? 'PERSISTENT' : 'TEMPORARY'} SECRET ${keepsExisting ? 'IF NOT EXISTS ' : ''}`
  const parts = [
    `TYPE ${type}`,
    ...options.map(({ key, value }) => `${key.toUpperCase()} ${printText(value)}`),
    ...(scope === null ? [] : [`SCOPE ${printText(scope)}`]),
  ]
  return `${words}${printIdentifier(name)} (${parts.join(', ')})`
}

export function printDropSecret({ name, isIfExists }: DropSecret): string {
  return `DROP SECRET ${isIfExists ? 'IF EXISTS ' : ''}${printIdentifier(name)}`
}
