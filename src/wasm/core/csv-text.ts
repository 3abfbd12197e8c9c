import type { DataType } from '../../plan/types/schema.ts'
import type { Column, Mask } from './column.ts'
import type { Instance } from './instance.ts'
import { typeCode } from './type-code.ts'

/** A stretch of a CSV file in the core's memory, and the records found in it. Positions are bytes of the stretch. */
export interface CsvText {
  /** The next bytes of the file, which `fill` puts where they belong. */
  add(length: number, fill: (target: Uint8Array) => void): void
  /**
   * Makes records begin after the first line end; where that is depends on whether the first byte lies between quotes,
   * which is guessed by the number of fields. Null: nothing fits. `isLast`: the file ends here.
   */
  guess(isLast: boolean): number | null
  /** Finds the records that begin before `limit`, at most `most` of them. */
  find(limit: number, most: number, isLast: boolean): CsvRecords
  /** Leaves only the records that are true in a mask. None can be found afterwards. */
  keep(mask: Mask): void
  /** A column of the records found; empty fields are null. */
  column(index: number, type: DataType): CsvColumn
  /** The fields of the first record; null where they are not UTF-8. */
  names(): string[] | null
  /** What the fields of each column look like. */
  sample(): readonly CsvColumnSample[]
  /** Once. */
  free(): void
}

export interface CsvRecords {
  /** `wrong_fields`: the line at `next` has `found` fields. `open_quote`: the file ends between quotes. */
  readonly state: 'more' | 'done' | 'wrong_fields' | 'open_quote'
  readonly rows: number
  /** Where the next line begins. */
  readonly next: number
  /** Fields of a record. */
  readonly fields: number
  readonly found: number
}

export type CsvColumn =
  | { readonly kind: 'values'; readonly column: Column }
  /** The field in bytes `from`..`to` has no value of the type. */
  | { readonly kind: 'misfit'; readonly from: number; readonly to: number }

/** What fields of a column looked like, and their bytes with quotes. */
export interface CsvColumnSample {
  /** Bits: 1 truth values, 2 integers, 4 floats, 8 dates, 16, 32, 64, 128 times in s, ms, µs, ns, 256 text. */
  readonly kinds: number
  readonly bytes: number
}

/** The states in the order of their codes (`abi/csv.rs`). */
const STATES = ['more', 'done', 'wrong_fields', 'open_quote'] as const

/** An empty stretch. Every record has `fields` fields; 0: as many as the first. */
export function csvText(instance: Instance, delimiter: string, fields: number): CsvText {
  const text = instance.call('csv_new', delimiter.charCodeAt(0), fields)
  const numbers = (address: number, count: number): Uint32Array => {
    const bytes = instance.bytes(address, 4 * count)
    return new Uint32Array(bytes.buffer, bytes.byteOffset, count)
  }
  return {
    add(length, fill) {
      instance.call('csv_room', text, length)
      fill(instance.bytes(instance.result(0), length))
    },
    guess: (isLast) => (instance.call('csv_guess', text, Number(isLast)) === 1 ? instance.result(0) : null),
    find(limit, most, isLast) {
      const code = instance.call('csv_find', text, clamp(limit), clamp(most), Number(isLast))
      return {
        state: STATES[code] ?? 'more',
        rows: instance.result(0),
        next: instance.result(1),
        fields: instance.result(2),
        found: instance.result(3),
      }
    },
    keep(mask) {
      instance.call('csv_keep', text, mask)
    },
    column(index, type) {
      const column = instance.call('csv_column', text, index, ...typeCode(type))
      return column === 0
        ? { kind: 'misfit', from: instance.result(0), to: instance.result(1) }
        : { kind: 'values', column: column as Column }
    },
    names() {
      if (instance.call('csv_names', text) === 0) return null
      const offsets = numbers(instance.result(0), instance.result(1))
      const all = Buffer.from(instance.copy(instance.result(2), instance.result(3)))
      return Array.from(offsets.subarray(1), (end, i) => all.toString('utf8', offsets[i], end))
    },
    sample() {
      instance.call('csv_sample', text)
      const pairs = numbers(instance.result(0), 2 * instance.result(1))
      return Array.from({ length: instance.result(1) }, (_, i) => ({
        kinds: pairs[2 * i] ?? 0,
        bytes: pairs[2 * i + 1] ?? 0,
      }))
    },
    free() {
      if (!instance.isDead()) instance.call('csv_free', text)
    },
  }
}

/** What an unsigned 32-bit argument can say; Infinity is more than there is. */
function clamp(value: number): number {
  return Math.min(value, 0xffff_ffff)
}
