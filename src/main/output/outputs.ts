import type { Encoding } from '../../plan/task/encoding.ts'
import type { Schema } from '../../plan/types/schema.ts'
import type { Delivered } from './body.ts'
import { CSV } from './csv.ts'
import { type Delivery, deliverArrowFile, deliverStream, type Files } from './deliver.ts'
import { textDelivery } from './deliver-text.ts'
import { JSON_DOCUMENT, JSON_LINES } from './json.ts'

/** A format of answers: all that differs between them, for requests, planning, workers, delivery and HTTP. */
export interface OutputFormat {
  /** The names by which `output.format` asks for it. None: it is the answer to a request without `output`. */
  readonly names: readonly string[]
  readonly contentType: string
  /** The file name for downloads. Null: none, so that a browser shows the answer. */
  readonly fileName: string | null
  /** Whether a column can have only one dictionary in the whole answer. */
  readonly hasOneDictionary: boolean
  /** How workers encode rows of a schema. */
  encoding(schema: Schema, compression: ArrowCompression): Encoding
  deliver(delivery: Delivery, files: Files): Promise<Delivered>
}

/** How the bodies of Arrow messages are compressed. */
export type ArrowCompression = 'none' | 'lz4' | 'zstd'

/** All formats of answers (docs/guides/output-formats.md). */
export const OUTPUTS = {
  stream: {
    names: [],
    contentType: 'application/vnd.apache.arrow.stream',
    fileName: null,
    hasOneDictionary: false,
    encoding: arrowEncoding,
    deliver: deliverStream,
  },
  csv: {
    names: ['csv'],
    contentType: 'text/csv',
    fileName: 'output.csv',
    hasOneDictionary: false,
    encoding: () => 'csv',
    deliver: textDelivery(CSV),
  },
  json: {
    names: ['json'],
    contentType: 'application/json',
    fileName: null,
    hasOneDictionary: false,
    encoding: () => ({ kind: 'json', names: null }),
    deliver: textDelivery(JSON_DOCUMENT),
  },
  ndjson: {
    names: ['ndjson'],
    contentType: 'application/x-ndjson',
    fileName: 'output.ndjson',
    hasOneDictionary: false,
    encoding: ({ fields }) => ({ kind: 'json', names: fields.map(({ name }) => name) }),
    deliver: textDelivery(JSON_LINES),
  },
  ipc: {
    names: ['ipc', 'arrow'],
    contentType: 'application/vnd.apache.arrow.file',
    fileName: 'output.arrow',
    hasOneDictionary: true,
    encoding: arrowEncoding,
    deliver: deliverArrowFile,
  },
} as const satisfies Record<string, OutputFormat>

/** The formats that a request can name. */
export type OutputName = Exclude<keyof typeof OUTPUTS, 'stream'>

/** Each name of a format that a request can use, with the format. */
export const OUTPUT_NAMES: ReadonlyMap<string, OutputName> = new Map(
  Object.entries(OUTPUTS).flatMap(([format, { names }]) =>
    names.map((name) => [name, format as OutputName] as const),
  ),
)

function arrowEncoding(_: Schema, compression: ArrowCompression): Encoding {
  return compression === 'none' ? 'arrow' : `arrow_${compression}`
}
