/** A part of a file that no column is made of, such as a dataset whose type no column has. */
export interface Omitted {
  /** Its path in the file. */
  readonly name: string
  /** What its values are, in the plural, or why they are not known. */
  readonly what: string
}

/** The most that are told of a file. */
export const MOST_OMITTED = 256

/** The most, and about the most characters, that are printed. */
const MOST_PRINTED = 64
const MOST_CHARACTERS = 4000

/** `"flag" (enumerations), "link" (references)`, and how many more there are. */
export function printOmitted(omitted: readonly Omitted[]): string {
  const all = [...new Set(omitted.map(({ name, what }) => `"${name}" (${what})`))]
  const printed: string[] = []
  let characters = 0
  for (const each of all.slice(0, MOST_PRINTED)) {
    characters += each.length
    if (characters > MOST_CHARACTERS && printed.length > 0) break
    printed.push(each)
  }
  const rest = all.length - printed.length
  return rest > 0 ? `${printed.join(', ')} and ${rest} more` : printed.join(', ')
}
