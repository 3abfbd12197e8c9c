/** Reads the text of a type from its beginning to its end. */
export interface Reader {
  /** What a pattern matches here, which is skipped with the blanks behind it. Null: it does not match. */
  take(pattern: RegExp): string | null
  isAtEnd(): boolean
}

/** A reader of a text. Patterns are sticky. */
export function createReader(text: string): Reader {
  let at = text.length - text.trimStart().length
  return {
    take(pattern) {
      pattern.lastIndex = at
      const match = pattern.exec(text)
      if (match === null) return null
      at += match[0].length
      while (text[at] === ' ') at++
      return match[1] ?? match[0]
    },
    isAtEnd: () => at === text.length,
  }
}
