import { printFew } from '../print-few.ts'

/** A part of a file that no column is made of, such as a dataset whose type no column has. */
export interface Omitted {
  /** Its path in the file. */
  readonly name: string
  /** What its values are, in the plural, or why they are not known. */
  readonly what: string
}

/** The most that an answer lists of a file. */
export const MOST_OMITTED = 256

/** `"flag" (enumerations), "link" (references)`, and how many more there are. */
export function printOmitted(omitted: readonly Omitted[]): string {
  return printFew([...new Set(omitted.map(({ name, what }) => `"${name}" (${what})`))])
}
