import type { DataType, Field } from '../../../plan/types/schema.ts'
import type { CsvText } from '../../../wasm/core/text/csv-text.ts'
import type { Header } from './header.ts'
import { nansOf } from './types.ts'

/** The most fields that are looked at for notices, in the first records of a file. */
const MOST_FIELDS = 5000
const MOST_RECORDS = 20

/** The most columns that a notice names. */
const MOST_NAMED = 3

/** Forms of dates that are not in ISO 8601, and the `date_format` that reads them. */
const DATES: readonly (readonly [form: RegExp, format: string])[] = [
  [/^\d{1,2}\.\d{1,2}\.\d{4}$/, '%d.%m.%Y'],
  [/^\d{1,2}\.\d{1,2}\.\d{4} \d{1,2}:\d{2}$/, '%d.%m.%Y %H:%M'],
  [/^\d{1,2}\.\d{1,2}\.\d{4} \d{1,2}:\d{2}:\d{2}$/, '%d.%m.%Y %H:%M:%S'],
  [/^\d{4}\/\d{1,2}\/\d{1,2}$/, '%Y/%m/%d'],
  [/^\d{4}\/\d{1,2}\/\d{1,2} \d{1,2}:\d{2}$/, '%Y/%m/%d %H:%M'],
  [/^\d{4}\/\d{1,2}\/\d{1,2} \d{1,2}:\d{2}:\d{2}$/, '%Y/%m/%d %H:%M:%S'],
  [/^\d{1,2}-[A-Za-z]{3}-\d{4}$/, '%d-%b-%Y'],
]

const COMMA_NUMBER = /^[-+]?\d*,\d+$/
const NUMBER = /^(?:-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|nan|[-+]?inf)$/i

/** Integers with leading zeros, which keep a column text. */
const PADDED = /^-?0\d+$/

/** The most characters of a field that a notice takes for anything but text. */
const MOST_CHARACTERS = 64

/** Texts that often stand for a missing value. */
const MISSING = /^(?:na|n\/a|nan|null|none|nil|missing|[-–*.?x]+)$/i

/** The fields of the first records of a file, record by record. */
export function firstRecords(text: CsvText, rows: number, width: number): readonly (readonly string[])[] {
  const most = Math.min(rows, MOST_RECORDS, Math.floor(MOST_FIELDS / Math.max(1, width)))
  return Array.from({ length: most }, (_, row) => text.names(row) ?? [])
}

/**
 * What of a file looks as if it was written in another dialect than it is read in, each with the option that helps: columns of
 * text whose first fields are numbers with a decimal comma, dates in another form, or numbers and one text; and a header that
 * looks like a record. `types` are those of the columns, and `records` the first records.
 */
export function noticesOf(
  { names, dialect, origin, units }: Header,
  types: readonly DataType[],
  records: readonly (readonly string[])[],
): readonly string[] {
  const columnsByOption = new Map<string, string[]>()
  const measured =
    origin === 'the header' && units.length === 0 ? measuredColumns(records, dialect.delimiter) : []
  if (measured.length > 0)
    columnsByOption.set(
      'units = true',
      measured.map((column) => names[column] ?? ''),
    )
  const read = measured.length > 0 ? records.slice(1) : records
  names.forEach((name, column) => {
    if (types[column]?.kind !== 'utf8') return
    const fields = read.map((record) => record[column] ?? '').filter((field) => field !== '')
    const option = optionFor(fields, dialect.delimiter)
    if (option !== null) columnsByOption.set(option, [...(columnsByOption.get(option) ?? []), name])
  })
  const notices = [...columnsByOption].map(
    ([option, columns]) => `${option} would read ${list(columns)} as ${kindOf(option)}`,
  )
  if (origin === 'the header' && isLikeRecord(names, types))
    notices.push('its header looks like a record; header = false would read it as one')
  return notices
}

/**
 * What says that NaN is a value in columns of floats, for each way in which it is written. `kinds` are the bits of the fields of all records
 * that were looked at.
 */
export function nanNotices(fields: readonly Field[], kinds: ArrayLike<number>): readonly string[] {
  const columns = new Map<string, string[]>()
  for (const [column, { name, type }] of fields.entries())
    for (const spelling of type.kind === 'float' ? nansOf(kinds[column] ?? 0) : [])
      columns.set(spelling, [...(columns.get(spelling) ?? []), name])
  return [...columns].map(
    ([spelling, names]) =>
      `NaN is a value in ${list(names)}, greater than every number; na = '${spelling}' would read it as null`,
  )
}

/**
 * The columns that are numbers below a record of units: the first record has no number or date, and a word there that does not stand for
 * a missing value.
 */
function measuredColumns(records: readonly (readonly string[])[], delimiter: string): readonly number[] {
  const [first = [], ...rest] = records
  if (rest.length === 0 || first.some((field) => /^[-+]?[\d.,]*\d/.test(field))) return []
  const columns = first.flatMap((_, column) => {
    const fields = rest.map((record) => record[column] ?? '').filter((field) => field !== '')
    const isNumber = (field: string): boolean =>
      NUMBER.test(field) || (delimiter !== ',' && COMMA_NUMBER.test(field))
    return fields.length > 0 && fields.every(isNumber) && !fields.some((field) => PADDED.test(field))
      ? [column]
      : []
  })
  const hasUnit = (column: number): boolean => {
    const unit = first[column] ?? ''
    return unit !== '' && !MISSING.test(unit)
  }
  return columns.some(hasUnit) ? columns : []
}

/** The option with which fields would be numbers or dates. Null: they are text. */
function optionFor(fields: readonly string[], delimiter: string): string | null {
  if (fields.length === 0 || fields.some((field) => field.length > MOST_CHARACTERS)) return null
  if (fields.some((field) => PADDED.test(field))) return null
  if (
    fields.every((field) => COMMA_NUMBER.test(field) || NUMBER.test(field)) &&
    fields.some((field) => field.includes(','))
  )
    return delimiter === ',' ? null : "decimal = ','"
  const date = DATES.find(([form]) => fields.every((field) => form.test(field)))
  if (date !== undefined) return `date_format = '${date[1]}'`
  const others = [...new Set(fields.filter((field) => !NUMBER.test(field)))]
  const [missing = ''] = others
  const isMissing = others.length === 1 && MISSING.test(missing) && fields.length > others.length
  return isMissing && fields.some((field) => NUMBER.test(field)) ? `na = ['${missing}']` : null
}

function kindOf(option: string): string {
  return option.startsWith('date_format') ? 'dates or times' : 'numbers'
}

/** Whether all columns that are not text have names that are such values themselves. */
function isLikeRecord(names: readonly string[], types: readonly DataType[]): boolean {
  const others = names.filter(
    (_, column) => !['utf8', 'null', 'bool'].includes(types[column]?.kind ?? 'null'),
  )
  return others.length > 0 && others.every((name) => NUMBER.test(name) || /^\d{4}-\d{2}-\d{2}/.test(name))
}

function list(columns: readonly string[]): string {
  const shown = columns.slice(0, MOST_NAMED).map((name) => JSON.stringify(name.slice(0, 60)))
  const rest = columns.length - shown.length
  return rest > 0 ? `${shown.join(', ')} and ${rest} more columns` : shown.join(', ')
}
