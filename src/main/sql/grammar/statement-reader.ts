import { isName } from '../text/keywords.ts'
import { createTokenReader, type TokenReader } from '../text/token-reader.ts'
import { invalidSql, type Token } from '../text/tokens.ts'
import { createExpectations } from './expectations.ts'

/**
 * A reader of tokens for statements. It notes what is tried at each place. What was tried at the farthest place is what could
 * stand there, so that a message about an unexpected token needs no list of its own. `peek`, `isWord` and `isSign` look
 * without trying.
 */
export interface StatementReader extends TokenReader {
  /** Takes the words, or throws. */
  expectWords(...words: readonly string[]): void
  /** As `TokenReader.expectName`. `what` says what is named, such as `the name of a table`. */
  expectName(what?: string): string
  /** Takes a bare word that is not reserved and returns it in upper case. Null: something else comes next. */
  takeWord(what: string): string | null
  expectWord(what: string): string
  /** Takes a text in single quotes and returns it without them. Null: something else comes next. */
  takeText(what: string): string | null
  expectText(what: string): string
  /** Takes a whole number of at most nine digits and returns it as it is written. Null: something else comes next. */
  takeCount(what: string): string | null
  expectCount(what: string): string
  /** Takes a token of one of the kinds. */
  expectKind(what: string, ...kinds: readonly Token['kind'][]): Token
  /** Takes all tokens before the semicolon or the end. There is at least one. */
  expectRest(what: string): { readonly first: Token; readonly last: Token }
  /** Throws unless the statement ends, with a semicolon or without. */
  expectEnd(): void
  /** Notes what could stand next where the parser only looks for it. */
  couldBe(what: string): void
  /** Throws because of a token that could stand there, but not in this statement. The reason quotes nothing that may be a secret. */
  reject(token: Token | undefined, reason: string): never
}

/**
 * A reader of the tokens of `sql`. It throws `invalid_sql` with line, column, what could stand there and, if it may quote that, what was
 * found.
 */
export function createStatementReader(
  sql: string,
  tokens: readonly Token[],
  mayQuote = true,
): StatementReader {
  const { add, unexpected } = createExpectations(sql, tokens, mayQuote)
  const base = createTokenReader(tokens, unexpected)

  function take(what: string, accepts: (token: Token) => boolean): Token | null {
    const token = base.peek()
    if (token !== undefined && accepts(token)) return base.next()
    add(token, { text: what })
    return null
  }

  function takeWords(...words: readonly string[]): boolean {
    const missing = words.findIndex((word, ahead) => base.peek(ahead)?.word !== word)
    if (missing === -1) return base.takeWords(...words)
    add(base.peek(missing), { words, missing })
    return false
  }

  function takeSign(sign: string): boolean {
    if (base.takeSign(sign)) return true
    add(base.peek(), { sign })
    return false
  }

  const takeWord = (what: string): string | null =>
    take(what, ({ kind, text }) => kind === 'word' && isName(text))?.text.toUpperCase() ?? null
  const takeText = (what: string): string | null =>
    take(what, isPlainText)?.text.slice(1, -1).replaceAll("''", "'") ?? null
  const takeCount = (what: string): string | null =>
    take(what, ({ kind, text }) => kind === 'number' && /^\d{1,9}$/.test(text))?.text ?? null

  return {
    ...base,
    takeWords,
    takeSign,
    takeWord,
    takeText,
    takeCount,
    expectWords: (...words) => takeWords(...words) || unexpected(),
    expectSign: (sign) => takeSign(sign) || unexpected(),
    expectName: (what = 'a name') => take(what, isNameToken)?.text ?? unexpected(),
    expectWord: (what) => takeWord(what) ?? unexpected(),
    expectText: (what) => takeText(what) ?? unexpected(),
    expectCount: (what) => takeCount(what) ?? unexpected(),
    expectKind: (what, ...kinds) => take(what, ({ kind }) => kinds.includes(kind)) ?? unexpected(),
    expectRest(what) {
      const first = take(what, (token) => !isSemicolon(token)) ?? unexpected()
      let last = first
      for (let next = base.peek(); next !== undefined && !isSemicolon(next); next = base.peek())
        last = base.next()
      return { first, last }
    },
    expectEnd() {
      takeSign(';')
      if (base.peek() === undefined) return
      add(base.peek(), { text: 'the end of the statement' })
      unexpected()
    },
    couldBe: (text) => add(base.peek(), { text }),
    unexpected,
    reject: (token, reason) => {
      throw invalidSql(sql, token?.start ?? sql.length, reason, { quotesNothing: !mayQuote })
    },
  }
}

/** Takes the first of the alternatives that comes next and returns it with a space before it. Empty: none does. */
export function takeOneOf(reader: StatementReader, ...choices: readonly (readonly string[])[]): string {
  const taken = choices.find((words) => reader.takeWords(...words))
  return taken === undefined ? '' : ` ${taken.join(' ')}`
}

function isNameToken({ kind, text }: Token): boolean {
  return kind === 'quoted' || (kind === 'word' && isName(text))
}

/** Whether it is a text in single quotes: not one of the other forms, such as `E'…'` and `$$…$$`, which are read otherwise. */
function isPlainText({ kind, text }: Token): boolean {
  return kind === 'string' && text.startsWith("'")
}

function isSemicolon({ kind, text }: Token): boolean {
  return kind === 'sign' && text === ';'
}
