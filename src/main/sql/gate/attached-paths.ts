import { isKeyword } from '../text/keywords.ts'
import { isSign, type Token, wordOf } from '../text/tokens.ts'
import type { TokenizedText } from './replaced-tokens.ts'

/** The name of a table of an attached catalog, in two or three parts. */
export interface AttachedPath {
  /** The index of its first token, and of its last one. */
  readonly first: number
  readonly last: number
  /** The one name that stands for it (attached-name.ts). */
  readonly name: string
}

/**
 * The statement with one name in place of each path to a table of an attached catalog. It goes by its last part, as it would by itself. As
 * many tokens take its place as it had, so that those of the statement and of the request still correspond.
 */
export function withAttachedPaths(
  statement: TokenizedText,
  paths: readonly AttachedPath[],
  catalog: string,
): TokenizedText {
  if (paths.length === 0) return statement
  const { tokens } = statement
  const parts: string[] = []
  const written: Token[] = []
  let [copied, length, next] = [0, 0, 0]
  const append = (text: string): void => {
    parts.push(text)
    length += text.length
  }
  const keepTo = (index: number): void => {
    for (; next < index; next++) {
      const token = tokens[next]
      if (token === undefined) return
      append(statement.text.slice(copied, token.start))
      written.push({ ...token, start: length, end: length + token.end - token.start })
      append(statement.text.slice(token.start, token.end))
      copied = token.end
    }
  }
  for (const { first, last, name } of paths) {
    keepTo(first)
    const [begin, end] = [tokens[first], tokens[last]]
    if (begin === undefined || end === undefined) continue
    append(statement.text.slice(copied, begin.start))
    for (const { text, token } of writtenPath(tokens, { first, last, name }, catalog)) {
      const start = length + text.length - text.trimStart().length
      append(text)
      written.push({ ...token, start, end: start + text.trim().length })
    }
    copied = end.end
    next = last + 1
  }
  keepTo(tokens.length)
  append(statement.text.slice(copied))
  return { text: parts.join(''), tokens: written }
}

interface WrittenToken {
  readonly text: string
  readonly token: Pick<Token, 'kind' | 'text' | 'word'>
}

const DOT: WrittenToken = { text: '.', token: { kind: 'sign', text: '.', word: null } }
const AS: WrittenToken = { text: ' AS ', token: { kind: 'word', text: 'AS', word: 'AS' } }

function writtenPath(
  tokens: readonly Token[],
  { first, last, name }: AttachedPath,
  catalog: string,
): readonly WrittenToken[] {
  const isLong = last - first === 4
  if (isNamed(tokens, first, last))
    return [...(isLong ? [quote(catalog), DOT] : []), quote('public'), DOT, quote(name)]
  const alias = quote(tokens[last]?.text ?? '')
  return [...(isLong ? [quote('public'), DOT] : []), quote(name), AS, alias]
}

function quote(text: string): WrittenToken {
  return { text: `"${text.replaceAll('"', '""')}"`, token: { kind: 'quoted', text, word: null } }
}

/** Whether the table has an alias: before it and a colon, or behind it. */
export function isNamed(tokens: readonly Token[], first: number, last: number): boolean {
  if (isSign(tokens[first - 1], ':')) return true
  const next = tokens[last + 1]
  if (next?.kind === 'quoted') return true
  const word = wordOf(next)
  return word !== null && (word === 'AS' || !isKeyword(word))
}
