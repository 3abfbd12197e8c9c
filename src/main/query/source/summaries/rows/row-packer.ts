import { memoize } from '../../../../../plan/memoize.ts'
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
const COMMON_BYTES = 4

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
    const source = sourceOf(entries)
    const common = commonValues(source)
    if (!isCount(common)) return -1
    if (last >= 0 && putRow(form(last), source, common, row, at)) return last
    const fields = fieldsOf(source).join(' ')
    const earlier = latest.get(fields) ?? -1
    if (earlier >= 0 && earlier !== last && putRow(form(earlier), source, common, row, at)) {
      last = earlier
      return last
    }
    const wider = widen(earlier < 0 ? null : form(earlier), source, common)
    if (wider === null || columns + wider.columns.length > MOST_COLUMNS) return -1
    if (!putRow(wider, source, common, row, at)) return -1
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

/** Entries as numbers: code that V8 has not optimized yet reads them ten times faster from arrays than from a view. */
interface Source extends Numbers {
  /** The index of the first word of the first entry, and of that behind the last one. */
  readonly from: number
  readonly end: number
}

interface Numbers {
  readonly words: Uint32Array
  readonly doubles: Float64Array
}

/** Those of a buffer from its start on: bounds of the files of an answer lie in one. */
const numbersOf = memoize((buffer: ArrayBufferLike): Numbers => {
  const count = Math.floor(buffer.byteLength / 8)
  return { words: new Uint32Array(buffer, 0, 2 * count), doubles: new Float64Array(buffer, 0, count) }
})

/** The words of an entry, which is named by the index of its first one. */
const WORDS = ENTRY_BYTES / 4

function sourceOf(entries: WholeColumns): Source {
  const bytes = entries.byteOffset % 8 === 0 ? entries : entries.slice()
  const { words, doubles } = numbersOf(bytes.buffer)
  const from = bytes.byteOffset / 4
  return { words, doubles, from, end: from + WORDS * Math.floor(bytes.length / ENTRY_BYTES) }
}

function fieldOf({ words }: Source, entry: number): number {
  return words[entry] ?? 0
}

function flagsOf({ words }: Source, entry: number): number {
  return words[entry + FLAGS_AT / 4] ?? 0
}

function valuesOf({ doubles }: Source, entry: number): number {
  return doubles[(entry >>> 1) + VALUES_AT / 8] ?? 0
}

function nullsOf({ doubles }: Source, entry: number): number {
  return doubles[(entry >>> 1) + NULLS_AT / 8] ?? 0
}

function isCount(count: number): boolean {
  return count >>> 0 === count && count !== NO_COUNT
}

/** The entry of the next field. Further entries have the field of theirs. */
function nextEntry(source: Source, entry: number): number {
  if ((flagsOf(source, entry) & TEXT) === 0) return entry + WORDS
  const further = Math.ceil((lowLength(source, entry) + highLength(source, entry)) / TEXT_BYTES)
  return entry + WORDS * (1 + further)
}

function lowLength({ words }: Source, entry: number): number {
  return words[entry + MIN_AT / 4] ?? 0
}

function highLength({ words }: Source, entry: number): number {
  return words[entry + MAX_AT / 4] ?? 0
}

function fieldsOf(source: Source): readonly number[] {
  const fields: number[] = []
  for (let entry = source.from; entry < source.end; entry = nextEntry(source, entry))
    fields.push(fieldOf(source, entry))
  return fields
}

/** The first number of values that is not one: most columns have as many. One: all have one. */
function commonValues(source: Source): number {
  for (let entry = source.from; entry < source.end; entry = nextEntry(source, entry)) {
    const values = valuesOf(source, entry)
    if (values !== 1) return values
  }
  return 1
}

/** Writes the row of these entries. False: the form cannot say it, or it would be longer. */
function putRow(
  { columns, rowBytes }: WholeForm,
  source: Source,
  common: number,
  row: DataView,
  at: number,
): boolean {
  const { words, from, end } = source
  const mostBytes = 4 * (end - from)
  if (rowBytes > mostBytes) return false
  row.setUint32(at, common, true)
  let entry = from
  let textAt = rowBytes
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index]
    if (column === undefined || entry >= end || words[entry] !== column.field) return false
    if (!isUsual(column, source, entry, common) && !putCounts(column, source, entry, common, row, at))
      return false
    if (((words[entry + FLAGS_AT / 4] ?? 0) & TEXT) === 0) {
      if (!putBounds(column, source, entry, row, at + column.boundsAt)) return false
      entry += WORDS
      continue
    }
    const next = nextEntry(source, entry)
    const [low, high] = [lowLength(source, entry), highLength(source, entry)]
    // What was stored is not trusted.
    if (column.width !== TEXT_WIDTH || next > end || low > BOUND_BYTES || high > BOUND_BYTES) return false
    if (textAt + low + high > mostBytes) return false
    row.setUint8(at + column.boundsAt, low)
    row.setUint8(at + column.boundsAt + 1, high)
    putText(source, entry + WORDS, low + high, row, at + textAt)
    textAt += low + high
    entry = next
  }
  return entry >= end
}

/** Whether flags and counts are those of most columns of most files, which the form says. It is one call: main packs each new file of a query. */
function isUsual(column: FormColumn, { words, doubles }: Source, entry: number, common: number): boolean {
  const double = entry >>> 1
  const values = doubles[double + VALUES_AT / 8]
  return (
    column.nulls === NULLS.none &&
    doubles[double + NULLS_AT / 8] === 0 &&
    words[entry + FLAGS_AT / 4] === column.flags &&
    (values === common ? column.values === VALUES.common : values === 1 && column.values === VALUES.one)
  )
}

/** Writes the flags and counts of a column that are in the row. False: those of the form are others. */
function putCounts(
  column: FormColumn,
  source: Source,
  entry: number,
  common: number,
  row: DataView,
  at: number,
): boolean {
  const flags = flagsOf(source, entry)
  if (column.flags === null) row.setUint8(at + column.flagsAt, flags)
  else if (column.flags !== flags) return false
  const values = valuesOf(source, entry)
  if (column.values !== 0) {
    if (!hasBits(kindsOfValues(values, common), column.values)) return false
  } else if (isCount(values)) row.setUint32(at + column.valuesAt, values, true)
  else return false
  const nulls = nullsOf(source, entry)
  if (column.nulls !== 0) return hasBits(kindsOfNulls(nulls, values), column.nulls)
  if (!isCount(nulls) && !Number.isNaN(nulls)) return false
  row.setUint32(at + column.nullsAt, Number.isNaN(nulls) ? NO_COUNT : nulls, true)
  return true
}

/** Writes the bounds of a column of numbers. False: they do not fit into the row. */
function putBounds({ width }: FormColumn, source: Source, entry: number, row: DataView, to: number): boolean {
  const flags = flagsOf(source, entry)
  if ((flags & BOUNDED) === 0) {
    if (width === TEXT_WIDTH) row.setUint16(to, 0)
    return true
  }
  const { words, doubles } = source
  const word = entry + MIN_AT / 4
  const double = word >>> 1
  if (width === 8) {
    // Two doubles, or two integers.
    for (let nth = 0; nth < 4; nth++) row.setUint32(to + 4 * nth, words[word + nth] ?? 0, true)
    return true
  }
  if (width !== 4) return false
  if ((flags & DOUBLE) !== 0) {
    const min = doubles[double] ?? 0
    const max = doubles[double + 1] ?? 0
    if (!isNarrowFloat(min) || !isNarrowFloat(max)) return false
    row.setFloat32(to, min, true)
    row.setFloat32(to + 4, max, true)
    return true
  }
  if (!areNarrow(source, entry)) return false
  row.setUint32(to, words[word] ?? 0, true)
  row.setUint32(to + 4, words[word + 2] ?? 0, true)
  return true
}

/** Whether both bounds are floats or integers of 32 bits. */
function areNarrow(source: Source, entry: number): boolean {
  const { words, doubles } = source
  const word = entry + MIN_AT / 4
  const double = word >>> 1
  if ((flagsOf(source, entry) & DOUBLE) === 0)
    return isNarrowInteger(words, word) && isNarrowInteger(words, word + 2)
  return isNarrowFloat(doubles[double] ?? 0) && isNarrowFloat(doubles[double + 1] ?? 0)
}

/** Whether the high word of an integer only repeats the sign of the low one. */
function isNarrowInteger(words: Uint32Array, at: number): boolean {
  return (words[at + 1] ?? 0) === (((words[at] ?? 0) | 0) >> 31) >>> 0
}

function isNarrowFloat(bound: number): boolean {
  return Math.fround(bound) === bound || Number.isNaN(bound)
}

/** Writes a text that lies in entries from the `first` one on, behind the field of each. */
function putText({ words }: Source, first: number, length: number, row: DataView, to: number): void {
  const target = new Uint8Array(row.buffer, row.byteOffset + to, length)
  for (let at = 0, entry = first; at < length; at += TEXT_BYTES, entry += WORDS) {
    const part = Math.min(TEXT_BYTES, length - at)
    target.set(new Uint8Array(words.buffer, 4 * (entry + 1), part), at)
  }
}

function hasBits(kinds: number, bits: number): boolean {
  return (kinds & bits) === bits
}

function kindsOfValues(values: number, common: number): number {
  return (values === common ? VALUES.common : 0) | (values === 1 ? VALUES.one : 0)
}

function kindsOfNulls(nulls: number, values: number): number {
  if (Number.isNaN(nulls)) return NULLS.unknown
  return (nulls === 0 ? NULLS.none : 0) | (nulls === values ? NULLS.all : 0)
}

/** The form of these entries and of the rows of an earlier one with the same fields. Null: there is none. */
function widen(earlier: WholeForm | null, source: Source, common: number): WholeForm | null {
  const columns: FormColumn[] = []
  let rowBytes = COMMON_BYTES
  for (let entry = source.from; entry < source.end; entry = nextEntry(source, entry)) {
    const before = earlier?.columns[columns.length]
    const ofFile = kindOfColumn(source, entry, common)
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
  const hasTexts = columns.some(({ width }) => width === TEXT_WIDTH)
  return Object.freeze({ columns, indexes, rowBytes, hasTexts })
}

type ColumnKind = Pick<FormColumn, 'field' | 'flags' | 'values' | 'nulls' | 'width'>

function kindOfColumn(source: Source, entry: number, common: number): ColumnKind {
  const values = valuesOf(source, entry)
  return {
    field: fieldOf(source, entry),
    flags: flagsOf(source, entry),
    values: kindsOfValues(values, common),
    nulls: kindsOfNulls(nullsOf(source, entry), values),
    width: widthOf(source, entry),
  }
}

function widthOf(source: Source, entry: number): number {
  const flags = flagsOf(source, entry)
  if ((flags & TEXT) !== 0) return TEXT_WIDTH
  if ((flags & BOUNDED) === 0) return 0
  return areNarrow(source, entry) ? 4 : 8
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
