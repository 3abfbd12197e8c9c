import { BOUND_BYTES, type WholeColumns } from '../../../../../plan/source/whole.ts'
import {
  BOUNDED,
  DOUBLE,
  ENTRY_BYTES,
  FLAGS_AT,
  MAX_AT,
  MIN_AT,
  NULLS_AT,
  TEXT,
  TEXT_BYTES,
  VALUES_AT,
} from '../../../../../plan/source/whole-entry.ts'
import {
  type FormColumn,
  NO_COUNT,
  NULLS,
  TEXT_WIDTH,
  VALUES,
  type WholeForm,
} from '../../../../../plan/source/whole-row.ts'

/** Packs what is known of files into rows. A form is as narrow as the files so far allow; a file that does not fit has another one made, for later ones too. */
export interface RowPacker {
  /**
   * Writes the row of these entries into a view, where it needs no more bytes than they do. Returns the index of its form. -1: they have to be
   * kept as they are.
   */
  pack(entries: WholeColumns, view: DataView, at: number): number
  form(index: number): WholeForm
  readonly bytes: number
}

/** The most columns in all forms. If there are more kinds of files, their entries are kept. */
const MOST_COLUMNS = 1 << 16

/** The memory of a column of a form, approximately. */
const COLUMN_BYTES = 200

/** The bytes in front of the columns of a row. */
const MOST_VALUES_BYTES = 4

export function createRowPacker(): RowPacker {
  const forms: WholeForm[] = []
  /** The latest form of files with these fields. */
  const latest = new Map<string, number>()
  let columns = 0
  let last = -1

  function form(index: number): WholeForm {
    const at = forms[index]
    if (at === undefined) throw new RangeError(`no form ${index}`)
    return at
  }

  function pack(entries: WholeColumns, row: DataView, at: number): number {
    const source = new DataView(entries.buffer, entries.byteOffset, entries.byteLength)
    const most = mostValues(source)
    if (!isCount(most)) return -1
    if (last >= 0 && putRow(form(last), source, most, row, at)) return last
    const fields = fieldsOf(source).join(' ')
    const earlier = latest.get(fields) ?? -1
    if (earlier >= 0 && earlier !== last && putRow(form(earlier), source, most, row, at)) {
      last = earlier
      return last
    }
    const wider = widen(earlier < 0 ? null : form(earlier), source, most)
    if (wider === null || columns + wider.columns.length > MOST_COLUMNS) return -1
    if (!putRow(wider, source, most, row, at)) return -1
    columns += wider.columns.length
    last = forms.push(wider) - 1
    latest.set(fields, last)
    return last
  }

  return {
    pack: (entries, view, at) => (entries.length < ENTRY_BYTES ? -1 : pack(entries, view, at)),
    form,
    get bytes() {
      return COLUMN_BYTES * columns
    },
  }
}

function isCount(count: number): boolean {
  return count >>> 0 === count && count !== NO_COUNT
}

/** Where the entry of the next field begins. Further entries have the field of theirs. */
function nextEntry(source: DataView, at: number): number {
  if ((source.getUint32(at + FLAGS_AT, true) & TEXT) === 0) return at + ENTRY_BYTES
  return at + ENTRY_BYTES * (1 + Math.ceil(textBytes(source, at) / TEXT_BYTES))
}

function textBytes(source: DataView, at: number): number {
  return source.getUint32(at + MIN_AT, true) + source.getUint32(at + MAX_AT, true)
}

/** Whether texts are as long as bounds may be: what was stored is not trusted. */
function areBounds(source: DataView, at: number): boolean {
  return (
    source.getUint32(at + MIN_AT, true) <= BOUND_BYTES && source.getUint32(at + MAX_AT, true) <= BOUND_BYTES
  )
}

function fieldsOf(source: DataView): readonly number[] {
  const fields: number[] = []
  for (let at = 0; at + ENTRY_BYTES <= source.byteLength; at = nextEntry(source, at))
    fields.push(source.getUint32(at, true))
  return fields
}

function mostValues(source: DataView): number {
  let most = 0
  for (let at = 0; at + ENTRY_BYTES <= source.byteLength; at = nextEntry(source, at))
    most = Math.max(most, source.getFloat64(at + VALUES_AT, true))
  return most
}

/** Writes the row of these entries. False: the form cannot say it, or it would be longer. */
function putRow(
  { columns, rowBytes }: WholeForm,
  source: DataView,
  most: number,
  row: DataView,
  at: number,
): boolean {
  if (rowBytes > source.byteLength) return false
  row.setUint32(at, most, true)
  let entry = 0
  let textAt = rowBytes
  for (const column of columns) {
    if (entry + ENTRY_BYTES > source.byteLength || source.getUint32(entry, true) !== column.field)
      return false
    const flags = source.getUint32(entry + FLAGS_AT, true)
    if (!putCounts(column, source, entry, most, row, at)) return false
    const next = nextEntry(source, entry)
    if ((flags & TEXT) !== 0) {
      if (column.width !== TEXT_WIDTH || next > source.byteLength || !areBounds(source, entry)) return false
      const length = textBytes(source, entry)
      if (textAt + length > source.byteLength) return false
      putTexts(column, source, entry, row, at, at + textAt)
      textAt += length
    } else if (!putBounds(column, flags, source, entry, row, at)) return false
    entry = next
  }
  return entry + ENTRY_BYTES > source.byteLength
}

/** Writes the flags and counts of a column that are in the row. False: those of the form are others. */
function putCounts(
  column: FormColumn,
  source: DataView,
  entry: number,
  most: number,
  row: DataView,
  at: number,
): boolean {
  const flags = source.getUint32(entry + FLAGS_AT, true)
  if (column.flags === null) row.setUint8(at + column.flagsAt, flags)
  else if (column.flags !== flags) return false
  const values = source.getFloat64(entry + VALUES_AT, true)
  if (column.values !== 0) {
    if (!hasBits(kindsOfValues(values, most), column.values)) return false
  } else if (isCount(values)) row.setUint32(at + column.valuesAt, values, true)
  else return false
  const nulls = source.getFloat64(entry + NULLS_AT, true)
  if (column.nulls !== 0) return hasBits(kindsOfNulls(nulls, values), column.nulls)
  if (!isCount(nulls) && !Number.isNaN(nulls)) return false
  row.setUint32(at + column.nullsAt, Number.isNaN(nulls) ? NO_COUNT : nulls, true)
  return true
}

/** Writes the bounds of a column of numbers. False: they do not fit into the row. */
function putBounds(
  { width, boundsAt }: FormColumn,
  flags: number,
  source: DataView,
  entry: number,
  row: DataView,
  at: number,
): boolean {
  const to = at + boundsAt
  if ((flags & BOUNDED) === 0) {
    if (width === TEXT_WIDTH) row.setUint16(to, 0)
    return true
  }
  const [min, max] = [entry + MIN_AT, entry + MAX_AT]
  if (width === 8) {
    putWords(source, min, row, to)
    putWords(source, max, row, to + 8)
    return true
  }
  if (width !== 4 || !areNarrow(flags, source, entry)) return false
  if ((flags & DOUBLE) === 0) {
    row.setInt32(to, source.getInt32(min, true), true)
    row.setInt32(to + 4, source.getInt32(max, true), true)
  } else {
    row.setFloat32(to, source.getFloat64(min, true), true)
    row.setFloat32(to + 4, source.getFloat64(max, true), true)
  }
  return true
}

function putWords(source: DataView, from: number, row: DataView, to: number): void {
  row.setUint32(to, source.getUint32(from, true), true)
  row.setUint32(to + 4, source.getUint32(from + 4, true), true)
}

/** Whether both bounds are floats or integers of 32 bits. */
function areNarrow(flags: number, source: DataView, entry: number): boolean {
  const isNarrow = (flags & DOUBLE) === 0 ? isNarrowInteger : isNarrowFloat
  return isNarrow(source, entry + MIN_AT) && isNarrow(source, entry + MAX_AT)
}

function isNarrowInteger(source: DataView, at: number): boolean {
  return source.getInt32(at + 4, true) === source.getInt32(at, true) >> 31
}

function isNarrowFloat(source: DataView, at: number): boolean {
  const bound = source.getFloat64(at, true)
  return Object.is(Math.fround(bound), bound)
}

/** Writes the lengths of texts, and the texts at `to`. */
function putTexts(
  { boundsAt }: FormColumn,
  source: DataView,
  entry: number,
  row: DataView,
  at: number,
  to: number,
): void {
  row.setUint8(at + boundsAt, source.getUint32(entry + MIN_AT, true))
  row.setUint8(at + boundsAt + 1, source.getUint32(entry + MAX_AT, true))
  const length = textBytes(source, entry)
  for (let from = 0; from < length; from += TEXT_BYTES) {
    const part = source.byteOffset + entry + ENTRY_BYTES * (1 + from / TEXT_BYTES) + 4
    const bytes = new Uint8Array(source.buffer, part, Math.min(TEXT_BYTES, length - from))
    new Uint8Array(row.buffer, row.byteOffset + to + from, bytes.length).set(bytes)
  }
}

function hasBits(kinds: number, bits: number): boolean {
  return (kinds & bits) === bits
}

function kindsOfValues(values: number, most: number): number {
  return (values === most ? VALUES.most : 0) | (values === 1 ? VALUES.one : 0)
}

function kindsOfNulls(nulls: number, values: number): number {
  if (Number.isNaN(nulls)) return NULLS.unknown
  return (nulls === 0 ? NULLS.none : 0) | (nulls === values ? NULLS.all : 0)
}

/** The form of these entries and of the rows of an earlier one with the same fields. Null: there is none. */
function widen(earlier: WholeForm | null, source: DataView, most: number): WholeForm | null {
  const columns: FormColumn[] = []
  let rowBytes = MOST_VALUES_BYTES
  for (let entry = 0; entry + ENTRY_BYTES <= source.byteLength; entry = nextEntry(source, entry)) {
    const before = earlier?.columns[columns.length]
    const ofFile = kindOfColumn(source, entry, most)
    const kind = before === undefined ? ofFile : widerKind(before, ofFile)
    if (kind === null) return null
    const flagsAt = rowBytes
    const valuesAt = flagsAt + (kind.flags === null ? 1 : 0)
    const nullsAt = valuesAt + (kind.values === 0 ? 4 : 0)
    const boundsAt = nullsAt + (kind.nulls === 0 ? 4 : 0)
    rowBytes = boundsAt + 2 * kind.width
    columns.push(Object.freeze({ ...kind, flagsAt, valuesAt, nullsAt, boundsAt }))
  }
  const indexes = new Map(columns.map(({ field }, index) => [field, index]))
  return Object.freeze({ columns, indexes, rowBytes })
}

type ColumnKind = Pick<FormColumn, 'field' | 'flags' | 'values' | 'nulls' | 'width'>

function kindOfColumn(source: DataView, entry: number, most: number): ColumnKind {
  const flags = source.getUint32(entry + FLAGS_AT, true)
  const values = source.getFloat64(entry + VALUES_AT, true)
  return {
    field: source.getUint32(entry, true),
    flags,
    values: kindsOfValues(values, most),
    nulls: kindsOfNulls(source.getFloat64(entry + NULLS_AT, true), values),
    width: widthOf(flags, source, entry),
  }
}

function widthOf(flags: number, source: DataView, entry: number): number {
  if ((flags & TEXT) !== 0) return TEXT_WIDTH
  if ((flags & BOUNDED) === 0) return 0
  return areNarrow(flags, source, entry) ? 4 : 8
}

/** Null: the bounds are texts in one, and numbers in the other. */
function widerKind(a: ColumnKind, b: ColumnKind): ColumnKind | null {
  const [narrow, width] = a.width < b.width ? [a.width, b.width] : [b.width, a.width]
  if (narrow === TEXT_WIDTH && width > TEXT_WIDTH) return null
  return {
    field: a.field,
    flags: a.flags === b.flags ? a.flags : null,
    values: a.values & b.values,
    nulls: a.nulls & b.nulls,
    width,
  }
}
