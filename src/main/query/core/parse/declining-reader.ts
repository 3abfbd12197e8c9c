import { isName } from '../../../sql/text/keywords.ts'
import { createTokenReader, type TokenReader } from '../../../sql/text/token-reader.ts'
import type { Token } from '../../../sql/text/tokens.ts'
import { decline } from '../../bind/declined.ts'

/** A reader that declines a statement for the core where it has a token that the simple shape does not have there. */
export function createDecliningReader(tokens: readonly Token[]): TokenReader {
  return createTokenReader(tokens, (token, at) =>
    decline(token === undefined ? 'an end that was not expected' : describe(token), at),
  )
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
