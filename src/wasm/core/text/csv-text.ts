import type { DataType } from '../../../plan/types/schema.ts'
import type { Column, Mask } from '../column.ts'
import type { Instance } from '../instance.ts'
import { typeCode } from '../type-code.ts'
import { type CsvDialect, dialectBytes } from './csv-dialect.ts'

/** A block of a CSV file in the core's memory, and the records found in it. Positions are counted in bytes from its beginning. */
export interface CsvText {
  /** Appends `length` bytes of the file, which `fill` has to write to the target. */
  add(length: number, fill: (target: Uint8Array) => void): void
  /**
   * Finds the first line end, after which records begin, and returns the position after it. Whether the block begins inside of
   * quotes is not known: it is guessed by the number of fields of the lines. Null: no guess fits. `isLast`: the file ends with
   * the block.
   */
  guess(isLast: boolean): number | null
  /** Finds the records that begin before `limit`, at most `maxRecords` of them. */
  find(limit: number, maxRecords: number, isLast: boolean): CsvRecords
  /** Keeps only the records that are true in a mask. After this no more can be found. */
  keep(mask: Mask): void
  /**
   * Finds the stations among the records found: those with text in one of the columns of these indexes. To be called before `keep`,
   * and after all records are found.
   */
  stations(keys: readonly number[]): CsvStations
  /** Sets the station before all records by the bytes of its record, which are added to the block. False: they are no record. */
  lead(record: Uint8Array): boolean
  /**
   * A column of the records found. Empty fields and those of the dialect's `na` are null. `isCarried`: empty fields have what the
   * station above their record has.
   */
  column(index: number, type: DataType, isCarried?: boolean): CsvColumn
  /** The fields of a record, counted from 0. Null: there is no such record, or they are not UTF-8. */
  names(row: number): string[] | null
  /** The kinds of values in each column. */
  sample(): readonly CsvColumnSample[]
  /** To be called once. */
  free(): void
}

interface CsvRecords {
  /** `wrong_fields`: the line at `next` has `otherFields` fields. `open_quote`: the file ends between quotes. */
  readonly state: 'more' | 'done' | 'wrong_fields' | 'open_quote'
  readonly rows: number
  /** The position of the next line. */
  readonly next: number
  /** The number of fields that each record has. */
  readonly fields: number
  /** The number of fields of the line at `next`, if it is another one. */
  readonly otherFields: number
}

/** What is known of the stations among the records of a block. */
interface CsvStations {
  /** Where the last of them begins. Null: there is none. */
  readonly last: number | null
  /** Whether the first record is below a station before all records. */
  readonly needsLead: boolean
}

type CsvColumn =
  | { readonly kind: 'values'; readonly column: Column }
  /** The field at bytes `from`..`to` is not a value of the type. */
  | { readonly kind: 'misfit'; readonly from: number; readonly to: number }

/** What the fields of a column are. */
interface CsvColumnSample {
  /**
   * The kinds of values, as bits: 1 booleans, 2 integers, 4 floats, 8 dates, 16, 32, 64, 128 times in s, ms, µs, ns, 256 text,
   * 512 integers that are dates or times in the dialect's format.
   */
  readonly kinds: number
  /** The bytes of all fields, with their quotes. */
  readonly bytes: number
}

/** The states in the order of their codes (`abi/csv.rs`). */
const STATES = ['more', 'done', 'wrong_fields', 'open_quote'] as const

/** An empty block. Every record must have `fields` fields, or as many as the first one if that is 0. */
export function csvText(instance: Instance, dialect: CsvDialect, fields: number): CsvText {
  instance.setArguments(dialectBytes(dialect))
  const text = instance.call('csv_new', fields)
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
    find(limit, maxRecords, isLast) {
      const code = instance.call('csv_find', text, clamp(limit), clamp(maxRecords), Number(isLast))
      return {
        state: STATES[code] ?? 'more',
        rows: instance.result(0),
        next: instance.result(1),
        fields: instance.result(2),
        otherFields: instance.result(3),
      }
    },
    keep(mask) {
      instance.call('csv_keep', text, mask)
    },
    stations(keys) {
      instance.setArguments(new Uint8Array(Uint32Array.from(keys).buffer))
      const hasSome = instance.call('csv_stations', text) === 1
      return { last: hasSome ? instance.result(0) : null, needsLead: instance.result(1) === 1 }
    },
    lead(record) {
      instance.setArguments(record)
      return instance.call('csv_lead', text) === 1
    },
    column(index, type, isCarried = false) {
      const column = instance.call(isCarried ? 'csv_carried' : 'csv_column', text, index, ...typeCode(type))
      return column === 0
        ? { kind: 'misfit', from: instance.result(0), to: instance.result(1) }
        : { kind: 'values', column: column as Column }
    },
    names(row) {
      if (instance.call('csv_names', text, row) === 0) return null
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

/** The value as an unsigned 32-bit argument. Larger ones, Infinity too, become the greatest. */
function clamp(value: number): number {
  return Math.min(value, 0xffff_ffff)
}
