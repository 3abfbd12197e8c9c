import { INFER_RECORDS } from '../limits.ts'
import type { FormatOption } from './format-row.ts'
import { wholeNumber } from './whole-number.ts'

const ESCAPES: Readonly<Record<string, string>> = Object.freeze({
  '\\t': '\t',
  '\\n': '\n',
  '\\r': '\r',
  '\\0': '\0',
  '\\\\': '\\',
})

/** One ASCII character, or an escape of one. */
export const DELIMITER: FormatOption = Object.freeze({
  name: 'delimiter',
  schema: {
    type: 'string',
    default: ',',
    description: 'One ASCII character, or `\\t`, `\\n`, `\\r`, `\\0`, `\\\\`',
  },
  default: ',',
  sqlDefault: "','",
  read(given: unknown, reject: (what: string) => never): string {
    if (typeof given !== 'string') return reject('CSV delimiter must be a string')
    if (given === '') reject('CSV delimiter must not be empty')
    const delimiter = ESCAPES[given] ?? given
    const got = `got ${JSON.stringify(given)}`
    if ([...delimiter].length !== 1)
      reject(`CSV delimiter must be a single character or an escape (\\t, \\n, \\r, \\0, \\\\), ${got}`)
    if (delimiter > '\x7f') reject(`CSV delimiter must be a single-byte (ASCII) character, ${got}`)
    if (delimiter === '"') reject('CSV delimiter must not be the quote')
    return delimiter
  },
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
