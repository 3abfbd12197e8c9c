import { isName } from './keywords.ts'
import { isSign, type Token, wordOf } from './tokens.ts'

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
  /** Throws because of the next token. */
  unexpected(): never
}

/**
 * Throws because a token, or the end of the statement, was not expected there. `at` is its position in the statement, in UTF-16
 * units.
 */
export type OnUnexpected = (token: Token | undefined, at: number) => never

/** A reader of these tokens. `onUnexpected` decides what is thrown where a statement goes on in a way that its parser does not read. */
export function createTokenReader(tokens: readonly Token[], onUnexpected: OnUnexpected): TokenReader {
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
    unexpected: () => onUnexpected(tokens[index], reader.at()),
  }
  return reader
}
