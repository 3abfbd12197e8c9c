import type { Values, ValuesColumn } from '../../../plan/statement/made-rows.ts'
import type { Field } from '../../../plan/types/schema.ts'

export type Value = string | number | boolean | null

/** Builds the columns of rows that main makes for a statement. Rows are added some at a time. */
export interface ValuesBuilder {
  /**
   * Adds rows, each with a value for every field: a string for text, a boolean, or a whole number of 0 or more for a 64-bit
   * integer or a time since 1970.
   */
  add(rows: readonly (readonly Value[])[]): void
  /** The bytes of all text that has been added, in UTF-8. */
  readonly textBytes: number
  /** Throws a `RangeError` unless exactly as many rows were added as announced. */
  finish(): Values
}

/** A builder for exactly `rows` rows. Columns that are not wanted have no values. */
export function createValues(
  fields: readonly Field[],
  rows: number,
  isWanted: (index: number) => boolean = () => true,
): ValuesBuilder {
  const columns = fields.map(({ type }, index) => (isWanted(index) ? columnOf(type.kind, rows) : null))
  let row = 0
  let textBytes = 0
  return {
    get textBytes() {
      return textBytes
    },
    add(added) {
      for (const [index, column] of columns.entries()) {
        const values = column === null ? [] : added.map((each) => each[index] ?? null)
        textBytes += column?.add(values, row) ?? 0
      }
      row += added.length
    },
    finish() {
      if (row !== rows) throw new RangeError(`${row} rows of ${rows}`)
      return { fields, rows, columns: columns.map((column) => column?.finish() ?? null) }
    },
  }
}

interface ColumnBuilder {
  /** Sets the values of the rows from `row` on. Returns the bytes of their text. */
  add(values: readonly Value[], row: number): number
  finish(): ValuesColumn
}

function columnOf(kind: string, rows: number): ColumnBuilder {
  switch (kind) {
    case 'utf8':
      return textColumn(rows)
    case 'bool':
      return flagColumn(rows)
    case 'int':
    case 'timestamp':
      return numberColumn(rows)
    default:
      throw new TypeError(`values of type ${kind}`)
  }
}

function textColumn(rows: number): ColumnBuilder {
  const validity = bitmap(rows)
  const offsets = new Int32Array(rows + 1)
  const texts: Buffer[] = []
  return {
    add(values, row) {
      const text = Buffer.from(values.join(''))
      texts.push(text)
      for (const [index, value] of values.entries()) {
        if (value !== null) set(validity, row + index)
        const length = value === null ? 0 : Buffer.byteLength(String(value))
        offsets[row + index + 1] = (offsets[row + index] ?? 0) + length
      }
      return text.length
    },
    finish: () => ({ layout: 'utf8', width: 0, buffers: [validity, bytesOf(offsets), Buffer.concat(texts)] }),
  }
}

function flagColumn(rows: number): ColumnBuilder {
  const validity = bitmap(rows)
  const flags = bitmap(rows)
  return {
    add(values, row) {
      for (const [index, value] of values.entries()) {
        if (value !== null) set(validity, row + index)
        if (value === true) set(flags, row + index)
      }
      return 0
    },
    finish: () => ({ layout: 'bool', width: 0, buffers: [validity, flags] }),
  }
}

function numberColumn(rows: number): ColumnBuilder {
  const validity = bitmap(rows)
  const numbers = new BigUint64Array(rows)
  return {
    add(values, row) {
      for (const [index, value] of values.entries()) {
        if (value === null) continue
        set(validity, row + index)
        numbers[row + index] = BigInt(value)
      }
      return 0
    },
    finish: () => ({ layout: 'fixed', width: 8, buffers: [validity, bytesOf(numbers)] }),
  }
}

function bitmap(rows: number): Uint8Array {
  return new Uint8Array(Math.ceil(rows / 8))
}

function set(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
}

function bytesOf({ buffer, byteOffset, byteLength }: Int32Array | BigUint64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
