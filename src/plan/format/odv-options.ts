import type { FormatOption } from './format-row.ts'
import { countOption, flagOption, type TableOption } from './table-options.ts'
import { wholeNumber } from './whole-number.ts'

/** The number of records from which the types of columns are inferred that a file of ODV does not declare. */
export const ODV_INFER_RECORDS = 10_000

const CARRY_METADATA: FormatOption = Object.freeze({
  name: 'carry_metadata',
  schema: {
    type: 'boolean',
    default: true,
    description:
      'Whether rows without cruise, station and type have the metadata of the station above them; `false`: rows are as written',
  },
  default: true,
  sqlDefault: 'true',
  read(given: unknown, reject: (what: string) => never): boolean {
    return typeof given === 'boolean' ? given : reject('carry_metadata must be true or false')
  },
})

const INFER_RECORDS: FormatOption = Object.freeze({
  name: 'infer_records',
  schema: {
    type: 'integer',
    minimum: 0,
    default: ODV_INFER_RECORDS,
    description: `Records at the beginning of a file from which the types of columns are inferred that it does not declare; at least ${ODV_INFER_RECORDS} are`,
  },
  default: ODV_INFER_RECORDS,
  sqlDefault: String(ODV_INFER_RECORDS),
  read(given: unknown, reject: (what: string) => never): number {
    const records = wholeNumber(given) ?? reject('infer_records must be a whole number of records')
    return Math.max(ODV_INFER_RECORDS, records)
  },
})

/** The options of ODV, in the order in which SQL takes them by position. New ones are added at the end. */
export const ODV_OPTIONS: readonly FormatOption[] = Object.freeze([CARRY_METADATA, INFER_RECORDS])

/** The same for external tables. */
export const ODV_TABLE_OPTIONS: readonly TableOption[] = Object.freeze([
  flagOption('carry_metadata'),
  countOption('infer_records'),
])
