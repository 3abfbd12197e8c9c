import { alternatives } from '../../../plan/alternatives.ts'
import { didYouMean } from '../../../plan/nearest-name.ts'
import { isName } from '../text/keywords.ts'
import { invalidSql, type Token } from '../text/tokens.ts'
import { SHOWN, show } from './texts.ts'

/** What a parser tries to take: a kind of token, a sign, or words of which those before `missing` were there. */
type Expectation =
  | { readonly text: string }
  | { readonly sign: string }
  | { readonly words: readonly string[]; readonly missing: number }

/**
 * What a parser has tried without success. What it has tried at the farthest place is what could stand there, so that a message
 * needs no list of its own.
 */
export interface Expectations {
  /** Notes what was tried instead of a token. Undefined: the end of the statement. */
  add(token: Token | undefined, tried: Expectation): void
  /** Throws `invalid_sql` because of the farthest token, with its line and column. */
  unexpected(): never
}

export function createExpectations(sql: string, tokens: readonly Token[], mayQuote: boolean): Expectations {
  const end = tokens.at(-1)?.end ?? 0
  let farthest = tokens[0]
  /** It becomes text only for a message: most that is tried is no error. */
  let expected: Expectation[] = []
  return {
    add(token, tried) {
      const before = farthest?.start ?? end
      const at = token?.start ?? end
      if (at < before) return
      if (at > before) expected = []
      farthest = token
      expected.push(tried)
    },
    unexpected() {
      const could = [...new Set(expected.map(printExpectation))]
      const at = farthest?.start ?? end
      if (!mayQuote) throw invalidSql(sql, at, `expected ${alternatives(could)}`, { quotesNothing: true })
      const farthestWord = `${describe(farthest)}${hintFor(farthest, could)}`
      throw invalidSql(sql, at, `expected ${alternatives(could)}, found ${farthestWord}`)
    },
  }
}

function printExpectation(expectation: Expectation): string {
  if ('sign' in expectation) return `"${expectation.sign}"`
  return 'text' in expectation ? expectation.text : expectation.words.slice(expectation.missing).join(' ')
}

function describe(token: Token | undefined): string {
  if (token === undefined) return 'the end of the statement'
  const { kind, text } = token
  return kind === 'quoted' || kind === 'sign' ? `"${show(text)}"` : show(text)
}

/** The end of a message about a word: the keyword that was probably meant, or that the word is a name only in quotes. */
function hintFor(token: Token | undefined, expected: readonly string[]): string {
  if (token?.kind !== 'word' || token.text.length > SHOWN) return ''
  const isNameExpected = expected.some((what) => what.includes('name'))
  if (isNameExpected && !isName(token.text)) return `, which is a name only in quotes: "${token.text}"`
  const keywords = expected.flatMap((what) => what.match(/^[A-Z]+/) ?? [])
  return didYouMean(token.text, keywords)
}
