import { ServiceError } from '../../src/plan/errors.ts'
import type { FormatOptions } from '../../src/plan/format/file-format.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createCsv } from '../../src/workers/formats/csv/csv.ts'
import { CSV_LIMITS, type CsvLimits } from '../../src/workers/formats/csv/limits.ts'
import { csvOptions } from '../../src/workers/formats/csv/options.ts'
import type { OpenFile, ReadContext } from '../../src/workers/formats/provider.ts'
import { readContext } from '../formats/context.ts'
import { memorySource } from '../formats/source.ts'
import { readAll, type Value } from '../formats/values.ts'

export const context: ReadContext = readContext(createCore({ maximumBytes: 256 << 20 }))

export interface CsvCase {
  readonly delimiter?: string
  readonly inferRecords?: number
  readonly limits?: Partial<CsvLimits>
  /** Further options, as the format has them. */
  readonly options?: FormatOptions
}

/** A file of these bytes, opened and inferred. */
export function openCsv(
  bytes: string | Uint8Array,
  { delimiter = ',', inferRecords = 128_000, limits = {}, options = {} }: CsvCase = {},
): { readonly file: OpenFile; readonly source: ReturnType<typeof memorySource> } {
  const source = memorySource(Buffer.from(bytes), 'test.csv')
  const given = csvOptions({ delimiter, infer_records: inferRecords, ...options })
  const file = createCsv(given, { ...CSV_LIMITS, ...limits }).open(source, context)
  file.infer?.(source, context)
  return { file, source }
}

/** All rows, column by column. */
export function readCsv(bytes: string | Uint8Array, options?: CsvCase): Value[][] {
  const { file, source } = openCsv(bytes, options)
  return readAll(file, source, context)
}

/** The message of the error with which a file is refused, which must be `unreadable_file`. */
export function csvError(bytes: string | Uint8Array, options?: CsvCase): string {
  try {
    readCsv(bytes, options)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unreadable_file') return error.message
    throw error
  }
  return 'no error'
}
