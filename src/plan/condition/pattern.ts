/**
 * How a text is matched. `like` is SQL's LIKE: `%` matches any characters, `_` one character, and the whole text must match. `ilike`
 * is the same without regard to case. `regex` is a regular expression in RE2's syntax, which matches anywhere in the text.
 */
export type Match = 'like' | 'ilike' | 'regex'

/** What a pattern asks of the beginning of a text. */
export interface PatternStart {
  /** Every text that matches begins with it. It may be empty. */
  readonly prefix: string
  /** What may follow it in a text that matches: nothing, anything, or only what the pattern has. */
  readonly rest: 'nothing' | 'anything' | 'pattern'
}

export function startOf(match: Match, pattern: string): PatternStart {
  switch (match) {
    case 'like': {
      const end = pattern.search(/[%_]/)
      if (end < 0) return { prefix: pattern, rest: 'nothing' }
      return {
        prefix: pattern.slice(0, end),
        rest: /^%+$/.test(pattern.slice(end)) ? 'anything' : 'pattern',
      }
    }
    case 'regex':
      return startOfRegex(pattern)
    case 'ilike':
      return ANY
  }
}

const ANY: PatternStart = Object.freeze({ prefix: '', rest: 'pattern' })

/** `^`, and characters without meaning in RE2. Each of them stands for itself, unless what follows repeats it. */
const LITERAL_START = /^\^(?<prefix>[^\\^$.|?*+()[\]{}]*)(?<rest>.*)$/s

/** The prefix of an expression that begins with `^`. An expression with alternatives may begin with others, so it has none. */
function startOfRegex(pattern: string): PatternStart {
  const groups = pattern.includes('|') ? undefined : LITERAL_START.exec(pattern)?.groups
  const { prefix = '', rest = '' } = groups ?? {}
  if (groups === undefined) return ANY
  if (rest === '') return { prefix, rest: 'anything' }
  // The last character need not occur, or not as often as once, if it is repeated. It may be two UTF-16 units.
  return { prefix: /^[?*{]/.test(rest) ? [...prefix].slice(0, -1).join('') : prefix, rest: 'pattern' }
}

/**
 * The first bytes after those of all texts that begin with a prefix: the prefix with its last byte increased by one. That byte
 * does not overflow, because no UTF-8 contains 0xFF. The prefix has at least one byte.
 */
export function afterPrefix(prefix: Uint8Array): Uint8Array {
  const end = Uint8Array.from(prefix)
  end[end.length - 1] = (end.at(-1) ?? 0) + 1
  return end
}
