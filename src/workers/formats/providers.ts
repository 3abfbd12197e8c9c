import type { FileFormat } from '../../plan/formats.ts'
import { arrow } from './arrow/arrow.ts'
import { createCsv } from './csv/csv.ts'
import { parquet } from './parquet/parquet.ts'
import type { Provider } from './provider.ts'

/** The reader of a format. */
export function providerOf(format: FileFormat): Provider {
  switch (format.kind) {
    case 'parquet':
      return parquet
    case 'arrow':
      return arrow
    case 'csv':
      return createCsv(format)
  }
}
