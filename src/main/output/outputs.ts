import type { Chunks } from './body.ts'
import { type Delivery, deliverArrowFile, deliverCsv, deliverStream, type Files } from './deliver.ts'

/** A way to deliver an answer. */
export interface OutputFormat {
  readonly contentType: string
  /** The file name for downloads. Null: none. */
  readonly fileName: string | null
  /** The encoding of rows by the workers, before any compression. */
  readonly encoding: 'arrow' | 'csv'
  deliver(delivery: Delivery, files: Files): Promise<Chunks>
}

/** The output formats (docs/reference/http.md). `stream` is for queries that name none. */
export const OUTPUTS = {
  stream: {
    contentType: 'application/vnd.apache.arrow.stream',
    fileName: null,
    encoding: 'arrow',
    deliver: deliverStream,
  },
  ipc: {
    contentType: 'application/vnd.apache.arrow.file',
    fileName: 'output.arrow',
    encoding: 'arrow',
    deliver: deliverArrowFile,
  },
  csv: { contentType: 'text/csv', fileName: 'output.csv', encoding: 'csv', deliver: deliverCsv },
} as const satisfies Record<string, OutputFormat>
