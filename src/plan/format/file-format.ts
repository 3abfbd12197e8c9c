/** The value of an option. It is plain data, which can be sent, compared and made a part of keys. */
export type OptionValue = string | number | boolean | readonly string[] | Readonly<Record<string, string>>

export type FormatOptions = Readonly<Record<string, OptionValue>>

/**
 * How rows are arranged in a file. `text`: records in blocks of bytes, whose number is known only after reading. `row_groups`:
 * segments with a known number of rows. `grid`: arrays in chunks. `entries`: entries that have arrays of their own each, whose number of
 * rows is known only after reading.
 */
export type Layout = 'text' | 'row_groups' | 'grid' | 'entries'

/** Whether the rows of files are those of the grid that the named columns have together. */
export function areRowsOfColumns({ layout }: { readonly layout: Layout }): boolean {
  return layout === 'grid' || layout === 'entries'
}

/** A format with its options: what a provider needs besides the bytes of a file. Plain and frozen. */
export interface FileFormat {
  /** The `id` of its row in the table of formats. */
  readonly kind: string
  readonly layout: Layout
  /** A value for each option of its row, except for those without a default that were not given. */
  readonly options: FormatOptions
  /** A part of cache keys: equal for equal kinds and options. */
  readonly key: string
}

/** Makes a format. `options` must be in the order of the format's row, so that equal ones have the same key. */
export function fileFormat(kind: string, layout: Layout, options: FormatOptions): FileFormat {
  const isPlain = Object.keys(options).length === 0
  const key = isPlain ? kind : `${kind} ${JSON.stringify(options)}`
  return Object.freeze({ kind, layout, options: Object.freeze(options), key })
}
