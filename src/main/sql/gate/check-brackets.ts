import { invalidSql, type Token } from '../text/tokens.ts'

const CLOSING: Readonly<Record<string, string>> = Object.freeze({ '(': ')', '[': ']', '{': '}' })
const CLOSERS = ')]}'

/**
 * Refuses a query in which a bracket is not closed, or closes none. DuckDB's parser would refuse it too, but only where it meets the
 * next word that cannot follow, or with no place at the end. Throws `invalid_sql`.
 */
export function checkBrackets(sql: string, tokens: readonly Token[]): void {
  const open: Token[] = []
  for (const token of tokens) {
    if (token.kind !== 'sign') continue
    if (token.text in CLOSING) open.push(token)
    else if (CLOSERS.includes(token.text) && CLOSING[open.pop()?.text ?? ''] !== token.text)
      throw invalidSql(sql, token.start, `"${token.text}" closes no bracket`)
  }
  const last = open.at(-1)
  if (last !== undefined) throw invalidSql(sql, last.start, `"${last.text}" is not closed`)
}
