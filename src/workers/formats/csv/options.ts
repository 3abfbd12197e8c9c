import { AUTO } from '../../../plan/format/csv-dialect-options.ts'
import { csvType } from '../../../plan/format/csv-types.ts'
import type { FormatOptions } from '../../../plan/format/file-format.ts'
import { TABLE_TYPES } from '../../../plan/format/known-columns.ts'
import { INFER_RECORDS } from '../../../plan/limits.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import type { CsvDialect, CsvEncoding } from '../../../wasm/core/text/csv-dialect.ts'

/** How a file is read: the options of the format, with their defaults. */
export interface CsvOptions {
  /** The dialect. Its delimiter is a comma if `isDelimiterTold`. */
  readonly dialect: CsvDialect
  /** Whether the first records of each file tell its delimiter. */
  readonly isDelimiterTold: boolean
  /** Lines that are left out at the beginning. */
  readonly skip: number
  /** Whether the first record has the names of the columns; or these names. */
  readonly header: boolean | readonly string[]
  /** Whether the record after the header has units. */
  readonly hasUnits: boolean
  /** The types of columns in place of those that are inferred. */
  readonly types: ReadonlyMap<string, DataType>
  /** Whether all columns have types in a table, so that none are inferred. */
  readonly areTypesKnown: boolean
  /** Whether `types` hold only for columns whose sample can be read as these types. */
  readonly areTypesChecked: boolean
  /** Records from which types are inferred. */
  readonly inferRecords: number
}

/** The options of a format, which were checked when the request was read. */
export function csvOptions(given: FormatOptions): CsvOptions {
  const { delimiter, quote, comment, decimal, encoding, na, date_format, skip, header, units, types } = given
  const isDelimiterTold = delimiter === AUTO
  return Object.freeze({
    dialect: Object.freeze({
      delimiter: isDelimiterTold ? ',' : text(delimiter, ','),
      quote: text(quote, '"'),
      comment: text(comment, ''),
      decimal: decimal === ',' ? ',' : '.',
      encoding: text(encoding, 'utf-8') as CsvEncoding,
      na: Array.isArray(na) ? na : [],
      dateFormat: text(date_format, ''),
    }),
    isDelimiterTold,
    skip: Number(skip ?? 0),
    header: Array.isArray(header) ? header : header !== false,
    hasUnits: units === true,
    types: typesOf(types),
    areTypesKnown: given[TABLE_TYPES] === 'known',
    areTypesChecked: given[TABLE_TYPES] === 'checked',
    inferRecords: Number(given['infer_records'] ?? INFER_RECORDS),
  })
}

function text(given: unknown, otherwise: string): string {
  return typeof given === 'string' ? given : otherwise
}

function typesOf(given: unknown): ReadonlyMap<string, DataType> {
  const types = new Map<string, DataType>()
  for (const [column, name] of Object.entries(given ?? {})) {
    const type = csvType(String(name))
    if (type !== null) types.set(column, type)
  }
  return types
}
