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
      const found = pattern.exec(text)
      if (found === null) return null
      at += found[0].length
      while (text[at] === ' ') at++
      return found[1] ?? found[0]
    },
    isAtEnd: () => at === text.length,
  }
}
