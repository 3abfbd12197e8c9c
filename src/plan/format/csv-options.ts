import { DATE_FORMAT, HEADER, RECORDS_TO_INFER, SKIP, TYPES, UNITS } from './csv-column-options.ts'
import { COMMENT, DECIMAL, DELIMITER, ENCODING, NA, QUOTE } from './csv-dialect-options.ts'
import type { FormatOptions, OptionValue } from './file-format.ts'
import type { FormatOption } from './format-row.ts'
import {
  countOption,
  flagOption,
  flagOrListOption,
  listOption,
  type TableOption,
  textOption,
} from './table-options.ts'

/** The options of CSV, in the order in which SQL takes them by position. New ones are added at the end. */
export const CSV_OPTIONS: readonly FormatOption[] = Object.freeze([
  DELIMITER,
  RECORDS_TO_INFER,
  HEADER,
  SKIP,
  COMMENT,
  QUOTE,
  NA,
  DECIMAL,
  DATE_FORMAT,
  TYPES,
  ENCODING,
  UNITS,
])

/** The same for external tables, whose columns have types of their own. */
export const CSV_TABLE_OPTIONS: readonly TableOption[] = Object.freeze([
  textOption('delimiter'),
  countOption('infer_records'),
  flagOrListOption('header'),
  countOption('skip'),
  textOption('comment'),
  textOption('quote'),
  listOption('na'),
  textOption('decimal'),
  textOption('date_format'),
  textOption('encoding'),
  flagOption('units'),
])

/** Checks the options that a request gives against each other and the defaults of the others. `reject` throws. */
export function checkCsvOptions(given: FormatOptions, reject: (what: string, option: string) => never): void {
  const { delimiter = ',', quote = '"', decimal = '.', comment = null } = given
  if (delimiter === quote)
    reject('CSV delimiter must not be the quote', 'delimiter' in given ? 'delimiter' : 'quote')
  if (delimiter === decimal)
    reject(
      'decimal must not be the delimiter; name the delimiter of the file, such as ; or \\t, or auto',
      'decimal' in given ? 'decimal' : 'delimiter',
    )
  const beginsComment = (sign: OptionValue): boolean =>
    typeof comment === 'string' && String(sign).length === 1 && comment.startsWith(String(sign))
  if (beginsComment(delimiter) || beginsComment(quote))
    reject('comment must begin neither with the delimiter nor with the quote', 'comment')
}
