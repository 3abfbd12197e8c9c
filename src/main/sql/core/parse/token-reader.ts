import { decline } from '../../../query/bind/declined.ts'
import { isSign, type Token, wordOf } from '../../gate/tokens.ts'
import { isName } from './keywords.ts'

/** Reads the tokens of a statement one after the other. */
export interface TokenReader {
  /** The next token, or the one `ahead` tokens after it. Undefined: the statement ends before. */
  peek(ahead?: number): Token | undefined
  /** The position of the next token in the statement. */
  at(): number
  next(): Token
  isWord(...words: readonly string[]): boolean
  isSign(sign: string): boolean
  /** Takes the words if they come next. */
  takeWords(...words: readonly string[]): boolean
  takeSign(sign: string): boolean
  expectSign(sign: string): void
  /** Takes the name of a column or a table and returns it without quotes. */
  expectName(): string
  /** Declines the statement because of the next token. */
  unexpected(): never
}

export function createTokenReader(tokens: readonly Token[]): TokenReader {
  let index = 0
  const reader: TokenReader = {
    peek: (ahead = 0) => tokens[index + ahead],
    at: () => tokens[index]?.start ?? tokens.at(-1)?.end ?? 0,
    next: () => tokens[index++] ?? reader.unexpected(),
    isWord(...words) {
      for (let ahead = 0; ahead < words.length; ahead++)
        if (wordOf(tokens[index + ahead]) !== words[ahead]) return false
      return true
    },
    isSign: (sign) => isSign(tokens[index], sign),
    takeWords(...words) {
      const isNext = reader.isWord(...words)
      if (isNext) index += words.length
      return isNext
    },
    takeSign(sign) {
      const isNext = reader.isSign(sign)
      if (isNext) index++
      return isNext
    },
    expectSign(sign) {
      if (!reader.takeSign(sign)) reader.unexpected()
    },
    expectName() {
      const token = tokens[index]
      const isNext = token?.kind === 'quoted' || (token?.kind === 'word' && isName(token.text))
      if (!isNext) return reader.unexpected()
      index++
      return token.text
    },
    unexpected() {
      const token = tokens[index]
      return decline(token === undefined ? 'an end that was not expected' : describe(token), reader.at())
    },
  }
  return reader
}

/** What a word or a sign begins that the simple shape does not have, for messages. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ...['JOIN', 'CROSS', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'NATURAL', 'ASOF', 'POSITIONAL', 'SEMI', 'ANTI'].map(
    (word): [string, string] => [word, 'a join'],
  ),
  ...['UNION', 'INTERSECT', 'EXCEPT'].map((word): [string, string] => [word, `${word}`]),
  ...['+', '-', '*', '/', '%', '^', '|'].map((sign): [string, string] => [
    sign,
    `an expression with ${sign}`,
  ]),
  ['WITH', 'WITH'],
  ['OVER', 'a window function'],
  ['CASE', 'CASE'],
  ['::', 'a cast'],
  ['CAST', 'a cast'],
  ['TRY_CAST', 'a cast'],
  ['NULL', 'the literal NULL'],
  [',', 'a list where one thing is expected'],
])

function describe({ kind, text }: Token): string {
  if (kind === 'string' || kind === 'number') return `the literal ${text.slice(0, 40)}`
  const meaning = kind === 'quoted' ? undefined : MEANINGS.get(text.toUpperCase())
  return meaning ?? (kind === 'word' && !isName(text) ? text.toUpperCase() : `"${text.slice(0, 40)}"`)
}
