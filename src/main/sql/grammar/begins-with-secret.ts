import { firstWords, type Token, wordOf } from '../text/tokens.ts'

/**
 * Whether these tokens begin a statement that has a password or the values of a secret, or one that is written in its place by mistake.
 * Messages about it quote nothing.
 */
export function beginsWithSecret(tokens: readonly Token[]): boolean {
  return isSecret(tokens.slice(0, MOST_WORDS).map(wordOf))
}

/** As `beginsWithSecret`, of a text that cannot be split into tokens. */
export function textBeginsWithSecret(sql: string): boolean {
  try {
    return isSecret(firstWords(sql, MOST_WORDS))
  } catch {
    return false
  }
}

const MOST_WORDS = 4

function isSecret([first, ...words]: readonly (string | null)[]): boolean {
  const rest = words[0] === 'OR' && words[1] === 'REPLACE' ? words.slice(2) : words
  if (first === 'ATTACH') return true
  return (first === 'CREATE' || first === 'ALTER') && OBJECTS.has(rest[0] ?? '')
}

const OBJECTS = new Set(['USER', 'SECRET', 'PERSISTENT', 'TEMPORARY'])
