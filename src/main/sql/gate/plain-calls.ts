import { isSign, type Token, wordOf } from '../text/tokens.ts'
import { quote, type Replacement, type TokenizedText, withReplacements } from './replaced-tokens.ts'

/** Functions that the grammar takes with words between their arguments alone, and these words. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['OVERLAY', 'PLACING'],
  ['POSITION', 'IN'],
])

const MAY_HAVE_ONE = /\b(?:overlay|position)\b/i

/** What is known of an open bracket: the word before it, if it is one of these functions, and what is directly in it. */
interface Bracket {
  readonly name: Token | null
  hasComma: boolean
  hasWord: boolean
}

/**
 * The statement in which calls such as `overlay(text, other, 2)`, with commas alone, have the name in quotes: DuckDB's grammar takes
 * `overlay(text PLACING other FROM 2)` only, but a name in quotes is that of any function. Takes time proportional to the text.
 */
export function withPlainCalls(statement: TokenizedText): TokenizedText {
  const { text, tokens } = statement
  if (!MAY_HAVE_ONE.test(text)) return statement
  const replaced = new Map<Token, Replacement>()
  const brackets: Bracket[] = []
  for (const [index, token] of tokens.entries()) {
    const open = brackets.at(-1)
    if (isSign(token, '(') || isSign(token, '[') || isSign(token, '{'))
      brackets.push({ name: calledName(tokens, index), hasComma: false, hasWord: false })
    else if (isSign(token, ')') || isSign(token, ']') || isSign(token, '}')) {
      const { name = null, hasComma, hasWord } = brackets.pop() ?? {}
      if (name !== null && hasComma && !hasWord) replaced.set(name, quote(name))
    } else if (open !== undefined && open.name !== null) {
      if (isSign(token, ',')) open.hasComma = true
      else if (wordOf(token) === WORDS.get(wordOf(open.name) ?? '')) open.hasWord = true
    }
  }
  return withReplacements(statement, replaced)
}

/** The word before a round bracket, if it is one of the functions and no member of something else. */
function calledName(tokens: readonly Token[], bracket: number): Token | null {
  const name = tokens[bracket - 1]
  if (name === undefined || !isSign(tokens[bracket], '(') || isSign(tokens[bracket - 2], '.')) return null
  return WORDS.has(wordOf(name) ?? '') ? name : null
}
