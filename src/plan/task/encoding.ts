/** The encoding of rows: as Arrow messages, whose bodies may be compressed, or as text. */
export type Encoding = 'arrow' | 'arrow_lz4' | 'arrow_zstd' | TextEncoding

/** Rows as text, each with its line end: as lines of CSV. */
export type TextEncoding = 'csv'

export function isText(encoding: Encoding): encoding is TextEncoding {
  return encoding === 'csv'
}
