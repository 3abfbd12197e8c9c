import type { FormatOptions } from '../../../plan/format/file-format.ts'
import { ODV_INFER_RECORDS } from '../../../plan/format/odv-options.ts'
import type { DataType } from '../../../plan/types/schema.ts'
import { csvOptions } from '../csv/options.ts'

/** How a file is read: the options of the format, with their defaults. */
export interface OdvOptions {
  /** Whether rows without cruise, station and type have the metadata of the station above them. */
  readonly isCarried: boolean
  /** Records from which the types of columns are inferred that a file does not declare. */
  readonly inferRecords: number
  /** The types of columns in place of those of the file. */
  readonly types: ReadonlyMap<string, DataType>
  /** Whether all columns have types in a table, so that none are inferred. */
  readonly areTypesKnown: boolean
  /** Whether `types` hold only for columns whose sample can be read as these types. */
  readonly areTypesChecked: boolean
}

/** The options of a format, which were checked when the request was read. */
export function odvOptions(given: FormatOptions): OdvOptions {
  // Tables give types to columns of text, whichever format it has.
  const { types, areTypesKnown, areTypesChecked } = csvOptions(given)
  return Object.freeze({
    isCarried: given['carry_metadata'] !== false,
    inferRecords: Number(given['infer_records'] ?? ODV_INFER_RECORDS),
    types,
    areTypesKnown,
    areTypesChecked,
  })
}
