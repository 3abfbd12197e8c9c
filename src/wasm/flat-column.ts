import type { Column } from './column.ts'
import type { Instance } from './instance.ts'

/** A flat Parquet column, page by page (`flat.rs`). */
export interface FlatColumn {
  /** Bytes of a value; or values are byte arrays, and a dictionary is kept as one. */
  readonly values: 4 | 8 | 'binary' | 'utf8'
  /** Rows of all pages together. */
  readonly rows: number
  /** Its page, plain, and how many values that holds; null where no page refers to them. */
  readonly dictionary: { readonly bytes: Uint8Array; readonly values: number } | null
  readonly pages: readonly FlatPage[]
}

export type FlatPage =
  /** Rows of which none is null, as Arrow holds them; no byte arrays. */
  | { readonly kind: 'values'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'encoded'
      /** Definition levels, then values. */
      readonly bytes: Uint8Array
      /** Bytes of the definition levels; null: there are none, the column is required. */
      readonly levelBytes: number | null
      readonly encoding: 'plain' | 'dictionary'
      /** Rows in the page, nulls included. */
      readonly rows: number
      /** Rows to leave out at the beginning, and to take after them. */
      readonly skip: number
      readonly take: number
    }
  /** Rows that nobody looks at: they may hold anything. */
  | { readonly kind: 'skipped'; readonly take: number }

const BYTE_ARRAYS = Object.freeze({ binary: 0, utf8: 1 })

const ENCODINGS = Object.freeze({ plain: 0, dictionary: 1 })

/** Throws `unreadable_file` when pages hold less than they claim or refer to what is not there. */
export function flatColumn(instance: Instance, { values, rows, dictionary, pages }: FlatColumn): Column {
  const kind = typeof values === 'number' ? values : BYTE_ARRAYS[values]
  const flat = instance.call('flat_new', kind, rows)
  let isFinished = false
  const write = (bytes: Uint8Array): void => instance.bytes(instance.result(0), bytes.length).set(bytes)
  const writePage = (bytes: Uint8Array): void => {
    instance.call('flat_page', flat, bytes.length)
    write(bytes)
  }
  try {
    if (dictionary !== null) {
      writePage(dictionary.bytes)
      instance.call('flat_dictionary', flat, dictionary.values)
    }
    for (const page of pages) {
      if (page.kind === 'skipped') {
        instance.call('flat_skip', flat, page.take)
        continue
      }
      const { bytes } = page
      if (page.kind === 'values') {
        instance.call('flat_plain', flat, bytes.length / kind)
        write(bytes)
      } else {
        const { levelBytes, encoding, skip, take } = page
        writePage(bytes)
        instance.call('flat_append', flat, page.rows, levelBytes ?? -1, ENCODINGS[encoding], skip, take)
      }
    }
    isFinished = true
    return instance.call('flat_finish', flat) as Column
  } catch (error) {
    if (!isFinished && !instance.isDead()) instance.call('flat_free', flat)
    throw error
  }
}
