import {
  BOUNDED,
  boundAt,
  DOUBLE,
  ENTRY_BYTES,
  FLAGS_AT,
  MAX_AT,
  MIN_AT,
  NULLS_AT,
  setBound,
  TEXT,
  TEXT_BYTES,
  UNSIGNED,
  VALUES_AT,
} from './whole-entry.ts'

/**
 * What is known of all values of the columns of a file, as `WholeColumns` say it. Main keeps that of many files, in which most is the same: that is
 * in the form, and the row has minima, maxima and what differs.
 */
export interface WholeRow {
  readonly form: WholeForm
  /** That of a buffer with the rows of many files. */
  readonly view: DataView
  /** Where the row begins in it. */
  readonly at: number
}

/**
 * What rows have in common. Each row begins with a number of values that most of its columns have (u32). Bounds that are texts are behind all columns, which have
 * their lengths (u8 each) in place of bounds.
 */
export interface WholeForm {
  /** By ascending fields. */
  readonly columns: readonly FormColumn[]
  /** The index of each field among the columns. */
  readonly indexes: ReadonlyMap<number, number>
  /** The bytes of a row without texts. */
  readonly rowBytes: number
  readonly hasTexts: boolean
}

/** A column of all rows of a form, and where its parts begin in each. */
export interface FormColumn {
  readonly field: number
  /** Those of the entry. Null: the row has them (u8). */
  readonly flags: number | null
  /** What holds of the number of values in all rows: bits of `VALUES`. 0: the row has it (u32). */
  readonly values: number
  /** What holds of the number of nulls: bits of `NULLS`. 0: the row has it (u32). */
  readonly nulls: number
  /** The bytes of each bound: 4 if those of all rows are floats or integers of 32 bits. 0: there are none. `TEXT_WIDTH`: they are texts. */
  readonly width: number
  readonly flagsAt: number
  readonly valuesAt: number
  readonly nullsAt: number
  readonly boundsAt: number
}

/** `common`: what the row begins with. */
export const VALUES = Object.freeze({ common: 1, one: 2 })

/** `all`: as many as there are values. */
export const NULLS = Object.freeze({ none: 1, unknown: 2, all: 4 })

export const TEXT_WIDTH = 1

/** In a row: the number is not known. */
export const NO_COUNT = 2 ** 32 - 1

/** The column of a field. Undefined: nothing is known of it. */
export function columnOfField({ columns, indexes }: WholeForm, field: number): FormColumn | undefined {
  const index = indexes.get(field)
  return index === undefined ? undefined : columns[index]
}

export function flagsInRow({ view, at }: WholeRow, { flags, flagsAt }: FormColumn): number {
  return flags ?? view.getUint8(at + flagsAt)
}

export function valuesInRow({ view, at }: WholeRow, { values, valuesAt }: FormColumn): number {
  if (values === 0) return view.getUint32(at + valuesAt, true)
  return (values & VALUES.common) === 0 ? 1 : view.getUint32(at, true)
}

/** NaN: not known. */
export function nullsInRow(row: WholeRow, column: FormColumn): number {
  const { nulls, nullsAt } = column
  if ((nulls & NULLS.none) !== 0) return 0
  if ((nulls & NULLS.unknown) !== 0) return Number.NaN
  if ((nulls & NULLS.all) !== 0) return valuesInRow(row, column)
  const count = row.view.getUint32(row.at + nullsAt, true)
  return count === NO_COUNT ? Number.NaN : count
}

/** A bound of a column whose flags say that it has one. `nth`: 0 for the minimum, 1 for the maximum. */
export function boundInRow(
  { view, at }: WholeRow,
  { width, boundsAt }: FormColumn,
  flags: number,
  nth: number,
): number | bigint {
  const from = at + boundsAt + nth * width
  if (width === 4) {
    if ((flags & DOUBLE) !== 0) return view.getFloat32(from, true)
    const bound = BigInt(view.getInt32(from, true))
    return (flags & UNSIGNED) === 0 ? bound : BigInt.asUintN(64, bound)
  }
  return boundAt(view, from, flags)
}

/** The bounds of a column whose flags say that they are texts. */
export function textsInRow(row: WholeRow, column: FormColumn): readonly [low: Uint8Array, high: Uint8Array] {
  const { form, view, at } = row
  let start = view.byteOffset + at + form.rowBytes
  for (const before of form.columns) {
    if (before === column) break
    start += textBytes(row, before)
  }
  const low = view.getUint8(at + column.boundsAt)
  const high = view.getUint8(at + column.boundsAt + 1)
  return [
    new Uint8Array(view.buffer, start, low).slice(),
    new Uint8Array(view.buffer, start + low, high).slice(),
  ]
}

/** The bytes of the texts of a column. */
function textBytes({ view, at }: WholeRow, { width, boundsAt }: FormColumn): number {
  return width === TEXT_WIDTH ? view.getUint8(at + boundsAt) + view.getUint8(at + boundsAt + 1) : 0
}

/** The bytes of a row, with its texts. */
export function bytesOfRow(row: WholeRow): number {
  const { columns, rowBytes, hasTexts } = row.form
  return hasTexts ? columns.reduce((sum, column) => sum + textBytes(row, column), rowBytes) : rowBytes
}

/** The entries from which the row was made. */
export function entriesOfRow(row: WholeRow): Uint8Array {
  const { columns } = row.form
  const further = columns.map((column) => Math.ceil(textBytes(row, column) / TEXT_BYTES))
  const bytes = new Uint8Array(further.reduce((sum, each) => sum + each, columns.length) * ENTRY_BYTES)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [index, column] of columns.entries()) {
    const flags = flagsInRow(row, column)
    view.setUint32(at, column.field, true)
    view.setUint32(at + FLAGS_AT, flags, true)
    view.setFloat64(at + VALUES_AT, valuesInRow(row, column), true)
    view.setFloat64(at + NULLS_AT, nullsInRow(row, column), true)
    if ((flags & BOUNDED) !== 0) {
      setBound(view, at + MIN_AT, boundInRow(row, column, flags, 0))
      setBound(view, at + MAX_AT, boundInRow(row, column, flags, 1))
    }
    if ((flags & TEXT) !== 0) setTexts(view, at, column.field, textsInRow(row, column))
    at += (1 + (further[index] ?? 0)) * ENTRY_BYTES
  }
  return bytes
}

/** Writes the lengths of texts into the entry at `at`, and the texts into those behind it. */
export function setTexts(
  view: DataView,
  at: number,
  field: number,
  [low, high]: readonly [low: Uint8Array, high: Uint8Array],
): void {
  view.setUint32(at + MIN_AT, low.length, true)
  view.setUint32(at + MAX_AT, high.length, true)
  const text = new Uint8Array(low.length + high.length)
  text.set(low)
  text.set(high, low.length)
  for (let from = 0, to = at + ENTRY_BYTES; from < text.length; from += TEXT_BYTES, to += ENTRY_BYTES) {
    view.setUint32(to, field, true)
    new Uint8Array(view.buffer, view.byteOffset + to + 4, TEXT_BYTES).set(
      text.subarray(from, from + TEXT_BYTES),
    )
  }
}
