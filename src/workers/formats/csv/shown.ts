import { type CsvEncoding, textOf } from '../../../wasm/core/text/csv-dialect.ts'

/** The most characters of a value that a message quotes. */
const SHOWN = 60

/** The value in quotes, shortened, for a message. */
export function show(bytes: Uint8Array, encoding: CsvEncoding): string {
  const text = textOf(bytes.subarray(0, 4 * SHOWN), encoding)
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
}

/** A number of things: `1 field`, `2 fields`. */
export function count(number: number, of: string): string {
  return `${number} ${of}${number === 1 ? '' : 's'}`
}
