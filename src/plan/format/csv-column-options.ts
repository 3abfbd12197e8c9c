import { INFER_RECORDS } from '../limits.ts'
import { didYouMean } from '../nearest-name.ts'
import { typeName } from '../types/schema.ts'
import { readDateFormat } from './csv-date-format.ts'
import { CSV_TYPE_NAMES, csvType } from './csv-types.ts'
import type { FormatOption } from './format-row.ts'
import { wholeNumber } from './whole-number.ts'

/** The most columns that names or types are given for, as many as a file may have. */
const MOST_COLUMNS = 100_000

/** The most lines that are skipped. They are read whenever a file is opened. */
const MOST_SKIPPED = 1_000_000

export const SKIP: FormatOption = Object.freeze({
  name: 'skip',
  schema: {
    type: 'integer',
    minimum: 0,
    maximum: MOST_SKIPPED,
    default: 0,
    description: 'Lines at the beginning of the file that are left out, whatever they hold',
  },
  default: null,
  sqlDefault: '0',
  read(given: unknown, reject: (what: string) => never): number | null {
    const lines = wholeNumber(given)
    if (lines === null || lines > MOST_SKIPPED)
      return reject(`skip must be a whole number of lines, at most ${MOST_SKIPPED}`)
    return lines === 0 ? null : lines
  },
})

export const HEADER: FormatOption = Object.freeze({
  name: 'header',
  schema: {
    oneOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
    default: true,
    description:
      'Whether the first record has the names of the columns. The names themselves, if no record has them; else they are `column0`, `column1`, …',
  },
  default: null,
  sqlDefault: 'true',
  read(given: unknown, reject: (what: string) => never): false | readonly string[] | null {
    if (typeof given === 'boolean') return given ? null : false
    const expected = "header must be true, false or a list of the columns' names"
    if (!Array.isArray(given) || given.length === 0 || given.length > MOST_COLUMNS) return reject(expected)
    const names = given.map((name: unknown) => (typeof name === 'string' ? name : reject(expected)))
    const seen = new Set<string>()
    for (const name of names) {
      if (seen.has(name)) reject(`header has the name ${JSON.stringify(name)} twice`)
      seen.add(name)
    }
    return names
  },
})

export const UNITS: FormatOption = Object.freeze({
  name: 'units',
  schema: {
    type: 'boolean',
    default: false,
    description:
      'Whether the record after the header has the units of the columns. They become the metadata `units` of the fields',
  },
  default: null,
  sqlDefault: 'false',
  read(given: unknown, reject: (what: string) => never): true | null {
    if (typeof given !== 'boolean') return reject('units must be true or false')
    return given || null
  },
})

export const TYPES: FormatOption = Object.freeze({
  name: 'types',
  schema: {
    type: 'object',
    additionalProperties: { type: 'string' },
    examples: [{ station: 'Utf8', depth: 'Float32' }],
    description:
      'Types of columns by their names, in place of those that are inferred: `Utf8`, `Float64`, `Int64`, `Date32`, `Timestamp(ms)`, …, or `VARCHAR`, `DOUBLE`, `BIGINT`, `DATE`, `TIMESTAMP_MS`, …',
  },
  default: null,
  sqlDefault: 'NULL',
  read(given: unknown, reject: (what: string) => never): Readonly<Record<string, string>> | null {
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return reject("types must be an object of columns and their types, such as {'depth': 'Float64'}")
    const entries = Object.entries(given)
    if (entries.length > MOST_COLUMNS) reject(`types has ${entries.length} columns, over ${MOST_COLUMNS}`)
    const types = entries.map(([column, name]: [string, unknown]): [string, string] => {
      if (typeof name !== 'string')
        return reject(`types: the type of ${JSON.stringify(column)} must be a string`)
      const type = csvType(name)
      if (type === null) {
        const typeNames = CSV_TYPE_NAMES.slice(0, CSV_TYPE_NAMES.length / 2).join(', ')
        return reject(
          `types: ${JSON.stringify(name.slice(0, 40))} is no type of CSV${didYouMean(name, CSV_TYPE_NAMES)}; expected one of ${typeNames}, or its name in SQL`,
        )
      }
      return [column, typeName(type)]
    })
    if (types.length === 0) return null
    return Object.fromEntries(types.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  },
})

export const DATE_FORMAT: FormatOption = Object.freeze({
  name: 'date_format',
  schema: {
    type: 'string',
    maxLength: 64,
    examples: ['%d.%m.%Y %H:%M'],
    description: 'The form of dates and times that are not in ISO 8601, with directives of `strptime`',
  },
  default: null,
  sqlDefault: 'NULL',
  read: readDateFormat,
})

/** The number of records from which types are inferred. A smaller one than the default has no effect. */
export const RECORDS_TO_INFER: FormatOption = Object.freeze({
  name: 'infer_records',
  schema: {
    type: 'integer',
    minimum: 0,
    default: INFER_RECORDS,
    description: `Records at the beginning of a file from which the types of its columns are inferred; at least ${INFER_RECORDS} are`,
  },
  default: INFER_RECORDS,
  sqlDefault: '0',
  read(given: unknown, reject: (what: string) => never): number {
    const records = wholeNumber(given) ?? reject('infer_records must be a whole number of records')
    return Math.max(INFER_RECORDS, records)
  },
})
