import type { Column, Mask } from './column.ts'
import type { Instance } from './instance.ts'

/** A flat Parquet column as its pages (`flat.rs`). */
export interface FlatColumn extends FlatKind {
  readonly isOptional: boolean
  /** The number of rows of all pages. */
  readonly rows: number
  /** A mask of at least as many rows: those that are not true in it may hold any values. Undefined: all are wanted. */
  readonly wanted?: Mask | undefined
  /** The dictionary page and the number of its values. Null: no page refers to it. */
  readonly dictionary: (FlatBytes & { readonly values: number }) | null
  readonly pages: readonly FlatPage[]
}

/** How values are stored in pages, and how they are converted. */
export interface FlatKind {
  /** The bytes of a value, or that values are bits or byte arrays. A dictionary of byte arrays stays a dictionary. */
  readonly stored: number | 'bits' | 'byte_arrays'
  readonly read: keyof typeof READS
  /** If `read` needs it: the bytes of a converted value, the first byte of a part, or a unit (`type-code.ts`). */
  readonly parameter: number
}

/** The bytes of a page as they are stored. Codecs that Node has are already decompressed. */
export interface FlatBytes {
  readonly bytes: Uint8Array
  /** The codec by its number in Parquet: none, SNAPPY, LZ4 or LZ4_RAW. */
  readonly codec: number
  /** The number of bytes without compression. */
  readonly size: number
}

export type FlatPage =
  /** Values in plain encoding of rows that are not null. Neither bits nor byte arrays. */
  | { readonly kind: 'values'; readonly bytes: Uint8Array; readonly rows: number }
  | (FlatBytes & {
      readonly kind: 'encoded'
      /** The bytes of the levels at the beginning of a V2 page. Null: a V1 page, whose levels begin with their length. */
      readonly levelBytes: number | null
      /** The encoding by its number in Parquet. */
      readonly encoding: number
      /** The number of rows in the page, nulls included. */
      readonly rows: number
      /** The rows to skip at the beginning, and the number of rows to read after them. */
      readonly skip: number
      readonly take: number
    })
  /** Rows whose values are not used. They get any values. */
  | { readonly kind: 'skipped'; readonly take: number }

/** The conversions of stored values with their codes (`kind.rs`). */
const READS = Object.freeze({
  same: 0,
  text: 1,
  nothing: 2,
  resized: 3,
  reversed: 4,
  part: 5,
  milliseconds: 6,
  instant: 7,
  interval: 8,
})

/** A kind as the core reads it (`Kind::from_code`). */
export function kindWords({ stored, read, parameter }: FlatKind): readonly [number, number, number] {
  return [stored === 'bits' ? 0 : stored === 'byte_arrays' ? -1 : stored, READS[read], parameter]
}

/** Decodes a flat column. Throws `unreadable_file` for pages that have fewer values than they should or refer to missing ones. */
export function flatColumn(instance: Instance, column: FlatColumn): Column {
  const { isOptional, rows, wanted, dictionary, pages } = column
  const flat = instance.call('flat_new', isOptional ? 1 : 0, ...kindWords(column), rows)
  let isFinished = false
  const write = (bytes: Uint8Array): void => instance.bytes(instance.result(0), bytes.length).set(bytes)
  const writePage = (bytes: Uint8Array): void => {
    instance.call('flat_page', flat, bytes.length)
    write(bytes)
  }
  try {
    if (wanted !== undefined) instance.call('flat_select', flat, wanted)
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
