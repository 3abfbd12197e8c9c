import { parseList } from '../../text/parse-list.ts'
import type { StatementOption } from '../node.ts'
import type { StatementReader } from '../statement-reader.ts'
import { MASK, printText, show } from '../texts.ts'

/** Parts of keys whose values are secrets: of `password`, `account_key`, `session_token`, `connection_string`, … */
const SECRETS = /credential|key|pass|pwd|secret|token|connection_string/

/** Formats whose option `secret` is the name of a secret. */
const NAMING_SECRETS: ReadonlySet<string> = new Set(['REMOTE', 'POSTGRES', 'POSTGRESQL', 'MYSQL', 'MARIADB'])

/** Nothing takes the values of options. */
const NOBODY = (): void => undefined

/** An option of a table, whose format has no option that names a secret. */
export function createOption(key: string, value: string): StatementOption {
  return optionOf({ key, value }, false, NOBODY)
}

/**
 * The options of a table: keys in lower case, values as they are written. The value of a key that looks like a secret has `MASK` in its
 * place: so none is stored, printed or logged. Of a table elsewhere `onHidden` gets it; of files no option needs one, and it is dropped.
 */
export function tableOptions(
  options: readonly StatementOption[],
  format: string,
  onHidden: (value: string) => void = NOBODY,
): readonly StatementOption[] {
  const isElsewhere = NAMING_SECRETS.has(format)
  return Object.freeze(
    options.map((option) => optionOf(option, isElsewhere, isElsewhere ? onHidden : NOBODY)),
  )
}

function optionOf(
  { key, value }: StatementOption,
  namesSecret: boolean,
  onHidden: (value: string) => void,
): StatementOption {
  const lower = key.toLowerCase()
  const isName = lower === 'secret' && namesSecret
  if (!SECRETS.test(lower) || isName) return Object.freeze({ key: lower, value })
  onHidden(value)
  return Object.freeze({ key: lower, value: MASK })
}

/** Whether the value of such an option stands beside the statement. */
export function isHiddenKey(key: string): boolean {
  return SECRETS.test(key) && key !== 'secret'
}

/**
 * Parses `(key value, …)`, in which both may be a text, a name or a number. No key occurs twice. Values may be secrets: `tableOptions` drops
 * them.
 */
export function parseOptions(reader: StatementReader): readonly StatementOption[] {
  const keys = new Set<string>()
  reader.expectSign('(')
  if (reader.takeSign(')')) return []
  const options = parseList(reader, () => {
    const token = reader.peek()
    const key = parseWord(reader, 'the key of an option')
    const value = parseWord(reader, `the value of "${show(key)}"`)
    const lower = key.toLowerCase()
    if (keys.has(lower)) reader.reject(token, `the option "${show(lower)}" is given twice`)
    keys.add(lower)
    return { key: lower, value }
  })
  reader.expectSign(')')
  return options
}

export function printOptions(options: readonly StatementOption[]): string {
  return `(${options.map(({ key, value }) => `${printText(key)} ${printText(value)}`).join(', ')})`
}

function parseWord(reader: StatementReader, what: string): string {
  return reader.takeText(what) ?? reader.expectKind(what, 'word', 'quoted', 'number').text
}
