import { isSign, type Token } from './tokens.ts'

/** Whether a text divides by `/`, and nowhere by `//`, which says that integers are meant. */
export function dividesBySlash(tokens: readonly Token[]): boolean {
  const isSlash = (token: Token | undefined): token is Token => isSign(token, '/')
  let hasSlash = false
  for (const [index, token] of tokens.entries()) {
    if (!isSlash(token)) continue
    const next = tokens[index + 1]
    if (isSlash(next) && next.start === token.end) return false
    hasSlash = true
  }
  return hasSlash
}
