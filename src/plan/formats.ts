import { INFER_RECORDS } from './limits.ts'

/** How files are read: what a provider has to know besides their bytes. */
export type FileFormat =
  | { readonly kind: 'parquet' }
  | { readonly kind: 'arrow' }
  | {
      readonly kind: 'csv'
      /** One ASCII character. */
      readonly delimiter: string
      /** Records at the beginning of a file from which the types of its columns are inferred. */
      readonly inferRecords: number
    }

export type Format = FileFormat['kind']

export const PARQUET: FileFormat = Object.freeze({ kind: 'parquet' })

export const ARROW: FileFormat = Object.freeze({ kind: 'arrow' })

/** CSV with types from the usual sample, or a larger one. */
export function csvFormat(delimiter: string, inferRecords = 0): FileFormat {
  return Object.freeze({ kind: 'csv', delimiter, inferRecords: Math.max(INFER_RECORDS, inferRecords) })
}

/** The format as one string, to key caches. */
export function formatKey(format: FileFormat): string {
  return format.kind === 'csv' ? `csv ${format.delimiter} ${format.inferRecords}` : format.kind
}
