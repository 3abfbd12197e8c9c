import { firstWords, type Token, wordOf } from '../text/tokens.ts'

/**
 * Whether these tokens begin a statement that has a password or the values of a secret, or one that is written in its place by mistake.
 * Messages about it quote nothing.
 */
export function beginsWithSecret(tokens: readonly Token[]): boolean {
  const words = tokens.slice(0, MOST_WORDS).map(wordOf)
  return isSecret(words) || (isExternal(words) && tokens.some(({ text }) => LOGIN_KEYS.test(text)))
}

/** As `beginsWithSecret`, of a text that cannot be split into tokens. */
export function textBeginsWithSecret(sql: string): boolean {
  try {
    const words = firstWords(sql, MOST_WORDS)
    return isSecret(words) || (isExternal(words) && LOGIN_KEYS.test(sql))
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

/** Whether it is `CREATE [OR REPLACE] EXTERNAL …`, which may have a login among its options. */
function isExternal([first, ...words]: readonly (string | null)[]): boolean {
  return first === 'CREATE' && words.includes('EXTERNAL')
}

const LOGIN_KEYS = /pass|token|connection_string/i

const OBJECTS = new Set(['USER', 'SECRET', 'PERSISTENT', 'TEMPORARY'])
