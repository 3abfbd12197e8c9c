import type { Formats } from '../../../plan/format/create-formats.ts'
import { isSign, type Token } from '../text/tokens.ts'
import { isServiceFunction } from './forbidden.ts'
import { quote, type Replacement, type TokenizedText, withReplacements } from './replaced-tokens.ts'

/**
 * The statement with arguments by name as DuckDB takes them of macros, which the service's table functions are: with `:=` in
 * place of `=`, which would be a comparison, and with words of the grammar in quotes. A space next to the sign is left out, so
 * that most positions in the text stay the same.
 */
export function withNamedArguments(statement: TokenizedText, formats: Formats): TokenizedText {
  const { text, tokens } = statement
  return withReplacements(statement, replacements(text, tokens, formats))
}

/** Names of arguments that are words of DuckDB's grammar. */
const GRAMMAR_WORDS = ['DECIMAL', 'LIMIT', 'OFFSET']

/** The tokens that have to be replaced in the arguments of the service's table functions. */
function replacements(
  text: string,
  tokens: readonly Token[],
  formats: Formats,
): ReadonlyMap<Token, Replacement> {
  const replacementsByToken = new Map<Token, Replacement>()
  /** For each open bracket, whether it has the arguments of one of the service's functions. */
  const brackets: boolean[] = []
  let index = -1
  for (const token of tokens) {
    index++
    if (token.kind !== 'sign') continue
    switch (token.text) {
      case '(':
        brackets.push(isCall(tokens[index - 1], tokens[index - 2], formats))
        break
      case '[':
      case '{':
        brackets.push(false)
        break
      case ')':
      case ']':
      case '}':
        brackets.pop()
        break
      case '=':
      case ':=': {
        const [before, name] = [tokens[index - 2], tokens[index - 1]]
        if (!brackets.at(-1) || !isName(name) || !startsArgument(before)) break
        const isWritten = token.text === ':=' || isArrow(tokens, index)
        if (!isWritten && !isWhole(tokens, index)) break
        if (name.word !== null && GRAMMAR_WORDS.includes(name.word))
          replacementsByToken.set(name, quote(name))
        if (!isWritten) replacementsByToken.set(token, assignArgument(text, token))
      }
    }
  }
  return replacementsByToken
}

const SIGN = ':='

function assignArgument(text: string, { start, end }: Token): Replacement {
  const isAfterSpace = text.charAt(start - 1) === ' '
  return {
    from: isAfterSpace ? start - 1 : start,
    to: !isAfterSpace && text.charAt(end) === ' ' ? end + 1 : end,
    text: SIGN,
    token: { kind: 'sign', text: SIGN, word: null },
  }
}

function isCall(name: Token | undefined, before: Token | undefined, formats: Formats): boolean {
  return isName(name) && !isSign(before, '.') && isServiceFunction(name.text, formats)
}

/** Whether an argument begins after the token. */
function startsArgument(token: Token | undefined): boolean {
  return isSign(token, '(') || isSign(token, ',')
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'quoted'
}

/** Whether the sign is an operator by itself: not the first character of `==`, `=>` or another one. */
function isWhole(tokens: readonly Token[], index: number): boolean {
  const [sign, next] = [tokens[index], tokens[index + 1]]
  return !(next?.kind === 'sign' && next.start === sign?.end && OPERATOR_CHARACTERS.includes(next.text))
}

/** Whether the sign begins `=>`, which DuckDB takes after the name of an argument as it does `:=`. */
function isArrow(tokens: readonly Token[], index: number): boolean {
  const [sign, next, after] = tokens.slice(index, index + 3)
  const ends = after?.kind === 'sign' && after.start === next?.end && OPERATOR_CHARACTERS.includes(after.text)
  return isSign(sign, '=') && isSign(next, '>') && next?.start === sign?.end && !ends
}

/** The characters of which DuckDB makes operators (`scan.l`), except those that are signs of a number. */
const OPERATOR_CHARACTERS = '*/<>=~!@#%^&|`?'
