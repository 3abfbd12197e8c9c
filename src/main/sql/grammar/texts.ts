/** What stands in place of a secret, which is neither stored nor printed. */
export const MASK = '***'

/** The most characters of a word or a text that a message quotes. */
export const SHOWN = 40

/** A word or a text as a message quotes it: the beginning of a long one. */
export function show(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}

/** A text in single quotes, as `StatementReader.expectText` reads it. */
export function printText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
