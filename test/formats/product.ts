import type { FileFormat, FormatOptions } from '../../src/plan/format/file-format.ts'
import { FORMATS } from '../../src/plan/formats.ts'

/** The readers of the service: its formats with their providers. */
export const PARQUET: FileFormat = FORMATS.withOptions(FORMATS.row('parquet'))
export const ARROW: FileFormat = FORMATS.withOptions(FORMATS.row('arrow'))

export function csvFormat(options: FormatOptions = {}): FileFormat {
  return FORMATS.withOptions(FORMATS.row('csv'), options)
}
