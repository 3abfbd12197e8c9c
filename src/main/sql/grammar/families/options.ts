import { parseList } from '../../text/parse-list.ts'
import type { StatementOption } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'
import { MASK, printText, show } from '../texts.ts'

/** Parts of keys whose values are secrets: of `password`, `account_key`, `session_token`, `connection_string`, … */
const SECRETS = /credential|key|pass|pwd|secret|token|connection_string/

/**
 * An option of a statement: its key in lower case, its value as it is written. The value of a key that looks like a secret is
 * dropped here, because no option of this version needs one: so none is stored, printed or logged.
 */
export function createOption(key: string, value: string): StatementOption {
  const lower = key.toLowerCase()
  return Object.freeze({ key: lower, value: SECRETS.test(lower) ? MASK : value })
}

/** Parses `(key value, …)`, in which both may be a text, a name or a number. No key occurs twice. */
export function parseOptions(reader: StatementReader): readonly StatementOption[] {
  const keys = new Set<string>()
  reader.expectSign('(')
  if (reader.takeSign(')')) return Object.freeze([])
  const options = parseList(reader, () => {
    const token = reader.peek()
    const key = parseWord(reader, 'the key of an option')
    const option = createOption(key, parseWord(reader, `the value of "${show(key)}"`))
    if (keys.has(option.key)) reader.reject(token, `the option "${show(option.key)}" is given twice`)
    keys.add(option.key)
    return option
  })
  reader.expectSign(')')
  return Object.freeze(options)
}

export function printOptions(options: readonly StatementOption[]): string {
  return `(${options.map(({ key, value }) => `${printText(key)} ${printText(value)}`).join(', ')})`
}

function parseWord(reader: StatementReader, what: string): string {
  return reader.takeText(what) ?? reader.expectKind(what, 'word', 'quoted', 'number').text
}
