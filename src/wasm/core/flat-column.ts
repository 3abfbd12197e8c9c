import type { Column } from './column.ts'
import type { Instance } from './instance.ts'

/** A flat Parquet column, page by page (`flat.rs`). */
export interface FlatColumn extends FlatKind {
  readonly isOptional: boolean
  /** Rows of all pages together. */
  readonly rows: number
  /** Its page and how many values that holds; null where no page refers to them. */
  readonly dictionary: (FlatBytes & { readonly values: number }) | null
  readonly pages: readonly FlatPage[]
}

/** What pages hold, and what is made of it. */
export interface FlatKind {
  /** Bytes of a value; or values are bits, or byte arrays, of which a dictionary is kept as one. */
  readonly stored: number | 'bits' | 'byte_arrays'
  readonly read: keyof typeof READS
  /** Bytes of a value that is read, the first byte of a part, or a unit (`type-code.ts`), where `read` needs it. */
  readonly parameter: number
}

/** A page as it is stored, but for a codec that Node knows. */
export interface FlatBytes {
  readonly bytes: Uint8Array
  /** Parquet's number: none, SNAPPY, LZ4 or LZ4_RAW. */
  readonly codec: number
  /** Bytes without compression. */
  readonly size: number
}

export type FlatPage =
  /** Rows of which none is null, as they are stored; no bits, no byte arrays. */
  | { readonly kind: 'values'; readonly bytes: Uint8Array; readonly rows: number }
  | (FlatBytes & {
      readonly kind: 'encoded'
      /** Bytes of the levels at the front of a V2 page; null: a V1 page, whose levels tell themselves. */
      readonly levelBytes: number | null
      /** Parquet's number. */
      readonly encoding: number
      /** Rows in the page, nulls included. */
      readonly rows: number
      /** Rows to leave out at the beginning, and to take after them. */
      readonly skip: number
      readonly take: number
    })
  /** Rows that nobody looks at: they may hold anything. */
  | { readonly kind: 'skipped'; readonly take: number }

/** What is made of stored values, by its number (`kind.rs`). */
const READS = Object.freeze({
  same: 0,
  text: 1,
  nothing: 2,
  resized: 3,
  reversed: 4,
  part: 5,
  milliseconds: 6,
  instant: 7,
})

/** Throws `unreadable_file` when pages hold less than they claim or refer to what is not there. */
export function flatColumn(instance: Instance, column: FlatColumn): Column {
  const { isOptional, stored, read, parameter, rows, dictionary, pages } = column
  const code = stored === 'bits' ? 0 : stored === 'byte_arrays' ? -1 : stored
  const flat = instance.call('flat_new', isOptional ? 1 : 0, code, READS[read], parameter, rows)
  let isFinished = false
  const write = (bytes: Uint8Array): void => instance.bytes(instance.result(0), bytes.length).set(bytes)
  const writePage = (bytes: Uint8Array): void => {
    instance.call('flat_page', flat, bytes.length)
    write(bytes)
  }
  try {
    if (dictionary !== null) {
      writePage(dictionary.bytes)
      instance.call('flat_dictionary', flat, dictionary.values, dictionary.codec, dictionary.size)
    }
    for (const page of pages) {
      if (page.kind === 'skipped') {
        instance.call('flat_skip', flat, page.take)
      } else if (page.kind === 'values') {
        instance.call('flat_plain', flat, page.rows)
        write(page.bytes)
      } else {
        const { bytes, levelBytes, encoding, skip, take, codec, size } = page
        writePage(bytes)
        instance.call('flat_append', flat, page.rows, encoding, levelBytes ?? -1, skip, take, codec, size)
      }
    }
    isFinished = true
    return instance.call('flat_finish', flat) as Column
  } catch (error) {
    if (!isFinished && !instance.isDead()) instance.call('flat_free', flat)
    throw error
  }
}
