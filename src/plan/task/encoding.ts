/** The encoding of rows: as Arrow messages, whose bodies may be compressed, or as text. */
export type Encoding = 'arrow' | 'arrow_lz4' | 'arrow_zstd' | TextEncoding

/** Rows as text, each with its line end: as lines of CSV, or as JSON. */
export type TextEncoding = 'csv' | JsonEncoding

/**
 * JSON: with names an object of each row, which ends with a line end. Without names an array of each row, which begins with a comma
 * and a line end.
 */
interface JsonEncoding {
  readonly kind: 'json'
  readonly names: readonly string[] | null
}

export function isText(encoding: Encoding): encoding is TextEncoding {
  return encoding === 'csv' || typeof encoding === 'object'
}
