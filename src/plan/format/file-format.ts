/** What an option of a format may be: plain, so that it can be sent, compared and put into a key. */
export type OptionValue = string | number | boolean | readonly string[]

export type FormatOptions = Readonly<Record<string, OptionValue>>

/**
 * How the rows of a file lie. `text`: records whose number is known when they have been read, in blocks of bytes.
 * `row_groups`: segments of a known number of rows. `grid`: arrays in chunks.
 */
export type Layout = 'text' | 'row_groups' | 'grid'

/** How files are read: what a provider has to know besides their bytes. Plain and frozen. */
export interface FileFormat {
  /** `id` of its row in the table of formats. */
  readonly kind: string
  readonly layout: Layout
  /** One value for each option of its row. */
  readonly options: FormatOptions
  /** The same for formats that read files alike, to key caches. */
  readonly key: string
}

/** `options` are in the order of the format's row, so that equal ones have one key. */
export function fileFormat(kind: string, layout: Layout, options: FormatOptions): FileFormat {
  const isPlain = Object.keys(options).length === 0
  const key = isPlain ? kind : `${kind} ${JSON.stringify(options)}`
  return Object.freeze({ kind, layout, options: Object.freeze(options), key })
}
