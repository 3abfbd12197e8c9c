import type { Token } from '../text/tokens.ts'

/** The text of a statement, and its tokens with their positions in it. */
export interface TokenizedText {
  readonly text: string
  readonly tokens: readonly Token[]
}

/** What stands in place of the text from `from` to `to`, and what it is as a token. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly token: Pick<Token, 'kind' | 'text' | 'word'>
}

/** The statement with other texts in place of some of its tokens. */
export function withReplacements(
  statement: TokenizedText,
  replaced: ReadonlyMap<Token, Replacement>,
): TokenizedText {
  if (replaced.size === 0) return statement
  const { text, tokens } = statement
  const parts: string[] = []
  let copied = 0
  let moved = 0
  const written = tokens.map((token) => {
    const replacement = replaced.get(token)
    if (replacement === undefined)
      return moved === 0 ? token : { ...token, start: token.start + moved, end: token.end + moved }
    parts.push(text.slice(copied, replacement.from), replacement.text)
    const start = replacement.from + moved
    copied = replacement.to
    moved += replacement.text.length - (replacement.to - replacement.from)
    return { ...token, ...replacement.token, start, end: start + replacement.text.length }
  })
  return { text: parts.join('') + text.slice(copied), tokens: written }
}

/** A bare word in quotes, so that it is a name. */
export function quote({ text, start, end }: Token): Replacement {
  return { from: start, to: end, text: `"${text}"`, token: { kind: 'quoted', text, word: null } }
}
