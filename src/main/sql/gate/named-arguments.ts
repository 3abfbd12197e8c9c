import type { Formats } from '../../../plan/format/create-formats.ts'
import { isServiceFunction } from './forbidden.ts'
import { isSign, type Token } from './tokens.ts'

/** The text of a statement, and its tokens with their positions in it. */
export interface TokenizedText {
  readonly text: string
  readonly tokens: readonly Token[]
}

/**
 * The statement with `:=` in place of `=` after the names of arguments of the service's table functions. These are macros in
 * DuckDB, for which `name = value` is a comparison; DuckDB's own table functions take both. A space next to the sign is left
 * out, so that most positions in the text stay the same.
 */
export function withNamedArguments(statement: TokenizedText, formats: Formats): TokenizedText {
  const { text, tokens } = statement
  const signs = signsAfterNames(tokens, formats)
  if (signs.size === 0) return statement
  const parts: string[] = []
  let copied = 0
  let moved = 0
  const written = tokens.map((token) => {
    if (!signs.has(token))
      return moved === 0 ? token : { ...token, start: token.start + moved, end: token.end + moved }
    const isAfterSpace = text.charAt(token.start - 1) === ' '
    const from = isAfterSpace ? token.start - 1 : token.start
    const to = !isAfterSpace && text.charAt(token.end) === ' ' ? token.end + 1 : token.end
    parts.push(text.slice(copied, from), SIGN)
    const start = from + moved
    moved += SIGN.length - (to - from)
    copied = to
    return { ...token, text: SIGN, start, end: start + SIGN.length }
  })
  return { text: parts.join('') + text.slice(copied), tokens: written }
}

const SIGN = ':='

/** The signs `=` between the name of an argument and its value. */
function signsAfterNames(tokens: readonly Token[], formats: Formats): ReadonlySet<Token> {
  const found = new Set<Token>()
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
        if (brackets.at(-1) && isArgumentName(tokens[index - 1], tokens[index - 2]) && isWhole(tokens, index))
          found.add(token)
    }
  }
  return found
}

function isCall(name: Token | undefined, before: Token | undefined, formats: Formats): boolean {
  return isName(name) && !isSign(before, '.') && isServiceFunction(name.text, formats)
}

/** Whether the token is a name that begins an argument. */
function isArgumentName(token: Token | undefined, before: Token | undefined): boolean {
  return isName(token) && (isSign(before, '(') || isSign(before, ','))
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'quoted'
}

/** Whether the sign is an operator by itself: not the first character of `==`, `=>` or another one. */
function isWhole(tokens: readonly Token[], index: number): boolean {
  const [sign, next] = [tokens[index], tokens[index + 1]]
  return !(next?.kind === 'sign' && next.start === sign?.end && OPERATOR_CHARACTERS.includes(next.text))
}

/** The characters of which DuckDB makes operators (`scan.l`), except those that are signs of a number. */
const OPERATOR_CHARACTERS = '*/<>=~!@#%^&|`?'
