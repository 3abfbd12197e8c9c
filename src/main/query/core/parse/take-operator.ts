import type { TokenReader } from '../../../sql/text/token-reader.ts'
import type { Token } from '../../../sql/text/tokens.ts'

const OPERATOR = /^[-+*/<>=~!@#%^&|?]$/

/** Signs after which a plus or a minus at the end of an operator is part of it. */
const WITH_SIGN = /[~!@#%^&|?]/

/**
 * The operator that comes next. Null: none does. As in DuckDB, it is the longest run of signs without blanks between them, without a plus
 * or minus at its end, which is the sign of what follows.
 */
export function nextOperator(reader: TokenReader): string | null {
  const first = reader.peek()
  // Most tokens are none, and each is asked for by every level of the grammar.
  if (!isOperator(first)) return null
  const signs: Token[] = [first]
  for (let token = reader.peek(1); isOperator(token); token = reader.peek(signs.length)) {
    const previous = signs.at(-1)
    if (previous !== undefined && previous.end !== token.start) break
    signs.push(token)
  }
  const text = signs.map((token) => token.text).join('')
  return WITH_SIGN.test(text) ? text : text.replace(/(?<=.)[-+]+$/, '')
}

/** Takes the operator that comes next if it is one of these. Null: it is not. */
export function takeOperator<T>(reader: TokenReader, operators: ReadonlyMap<string, T>): T | null {
  const operator = nextOperator(reader)
  const meaning = operator === null ? undefined : operators.get(operator)
  if (operator === null || meaning === undefined) return null
  for (const _ of operator) reader.next()
  return meaning
}

function isOperator(token: Token | undefined): token is Token {
  return token?.kind === 'sign' && OPERATOR.test(token.text)
}
