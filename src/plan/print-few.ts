/** The most texts, and about the most characters, that are printed. */
const MOST_PRINTED = 64
const MOST_CHARACTERS = 4000

/** The first of some texts with a separator between them, and how many more there are. */
export function printFew(all: readonly string[], separator = ', '): string {
  const printed: string[] = []
  let characters = 0
  for (const each of all.slice(0, MOST_PRINTED)) {
    characters += each.length
    if (characters > MOST_CHARACTERS && printed.length > 0) break
    printed.push(each)
  }
  const rest = all.length - printed.length
  return printed.join(separator) + (rest > 0 ? ` and ${rest} more` : '')
}
