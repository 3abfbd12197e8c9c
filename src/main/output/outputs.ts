import type { Encoding } from '../../plan/task/encoding.ts'
import type { Schema } from '../../plan/types/schema.ts'
import { deliverArrowFile } from './arrow/deliver-arrow-file.ts'
import { type Deliver, deliverStream } from './deliver.ts'
import { GRID_OPTIONS, type GridOptions } from './files/grid/grid-options.ts'
import { gridPlan } from './files/grid/grid-plan.ts'
import { NETCDF_OPTIONS, type NetcdfOptions } from './files/netcdf/netcdf-options.ts'
import { netcdfPlan } from './files/netcdf/netcdf-plan.ts'
import { ODV_OPTIONS, type OdvOptions } from './files/odv/odv-options.ts'
import { prepareOdv } from './files/odv/prepare-odv.ts'
import { GEOPARQUET_OPTIONS, type GeoparquetOptions } from './files/parquet/geoparquet-options.ts'
import { prepareGeoparquet, prepareParquet } from './files/parquet/prepare-parquet.ts'
import { writtenFile } from './files/written-file.ts'
import type { OutputFormat, OutputSettings, PreparedOutput } from './output-format.ts'
import { CSV } from './text/csv.ts'
import { textDelivery } from './text/deliver-text.ts'
import { JSON_DOCUMENT, JSON_LINES } from './text/json.ts'

/** The formats of answers, with what a request says of each besides its name. */
export interface OutputOptions {
  readonly stream: null
  readonly csv: null
  readonly json: null
  readonly ndjson: null
  readonly ipc: null
  readonly parquet: null
  readonly geoparquet: GeoparquetOptions
  readonly netcdf: NetcdfOptions
  readonly nd_netcdf: GridOptions
  readonly odv: OdvOptions
}

/** All formats of answers (docs/guides/output-formats.md). */
export const OUTPUTS: { readonly [K in keyof OutputOptions]: OutputFormat<OutputOptions[K]> } = Object.freeze(
  {
    stream: {
      names: [],
      contentType: 'application/vnd.apache.arrow.stream',
      fileName: null,
      hasOneDictionary: false,
      options: null,
      prepare: arrow(deliverStream),
    },
    csv: {
      names: ['csv'],
      contentType: 'text/csv; charset=utf-8',
      fileName: 'output.csv',
      hasOneDictionary: false,
      options: null,
      prepare: constantly({ file: null, encoding: 'csv', deliver: textDelivery(CSV) }),
    },
    json: {
      names: ['json'],
      contentType: 'application/json',
      fileName: null,
      hasOneDictionary: false,
      options: null,
      prepare: constantly({
        file: null,
        encoding: { kind: 'json', names: null },
        deliver: textDelivery(JSON_DOCUMENT),
      }),
    },
    ndjson: {
      names: ['ndjson'],
      contentType: 'application/x-ndjson',
      fileName: 'output.ndjson',
      hasOneDictionary: false,
      options: null,
      prepare: jsonLines,
    },
    ipc: {
      names: ['ipc', 'arrow'],
      contentType: 'application/vnd.apache.arrow.file',
      fileName: 'output.arrow',
      hasOneDictionary: true,
      options: null,
      prepare: arrow(deliverArrowFile),
    },
    parquet: {
      names: ['parquet'],
      contentType: 'application/vnd.apache.parquet',
      fileName: 'output.parquet',
      hasOneDictionary: false,
      options: null,
      prepare: prepareParquet,
    },
    geoparquet: {
      names: ['geoparquet'],
      // No registered type; a client of the reference service asks for this one.
      contentType: 'application/vnd.apache.arrow.geo+parquet',
      fileName: 'output.parquet',
      hasOneDictionary: false,
      options: GEOPARQUET_OPTIONS,
      prepare: prepareGeoparquet,
    },
    netcdf: {
      names: ['netcdf', 'hdf5', 'h5'],
      contentType: 'application/x-netcdf',
      fileName: 'output.nc',
      hasOneDictionary: false,
      options: NETCDF_OPTIONS,
      prepare: (schema, options) => writtenFile(netcdfPlan(schema, options), { hasSpool: false }),
    },
    nd_netcdf: {
      names: ['nd_netcdf', 'ndnetcdf'],
      contentType: 'application/x-netcdf',
      fileName: 'output.nc',
      hasOneDictionary: false,
      options: GRID_OPTIONS,
      prepare: (schema, options, { maxGridBytes }) =>
        writtenFile(gridPlan(schema, options, maxGridBytes), { hasSpool: true }),
    },
    odv: {
      names: ['odv'],
      contentType: 'application/zip',
      fileName: 'output.zip',
      hasOneDictionary: false,
      options: ODV_OPTIONS,
      prepare: prepareOdv,
    },
  },
)

/** The formats that a request can name. */
export type OutputName = Exclude<keyof OutputOptions, 'stream'>

/** A format with what a request says of it. */
export type RequestedOutput<K extends keyof OutputOptions = keyof OutputOptions> = {
  readonly [F in K]: { readonly format: F; readonly options: OutputOptions[F] }
}[K]

/** Each name of a format that a request can use, with the format. */
export const OUTPUT_NAMES: ReadonlyMap<string, OutputName> = new Map(
  Object.entries(OUTPUTS).flatMap(([format, { names }]) =>
    names.map((name) => [name, format as OutputName] as const),
  ),
)

/** What a request without `output` asks for. */
export const STREAM: RequestedOutput<'stream'> = Object.freeze({ format: 'stream', options: null })

/** Prepares an answer of certain columns, as `OutputFormat.prepare` does. */
export function prepareOutput<K extends keyof OutputOptions>(
  { format, options }: { readonly format: K; readonly options: OutputOptions[K] },
  schema: Schema,
  settings: OutputSettings,
): PreparedOutput {
  return OUTPUTS[format].prepare(schema, options, settings)
}

/** Prepares answers in Arrow messages. */
function arrow(deliver: Deliver) {
  const createTextOutput = (encoding: Encoding): PreparedOutput =>
    Object.freeze({ file: null, encoding, deliver })
  const prepared = {
    none: createTextOutput('arrow'),
    lz4: createTextOutput('arrow_lz4'),
    zstd: createTextOutput('arrow_zstd'),
  }
  return (_: Schema, __: null, { compression }: OutputSettings): PreparedOutput => prepared[compression]
}

function jsonLines({ fields }: Schema): PreparedOutput {
  return {
    file: null,
    encoding: { kind: 'json', names: fields.map(({ name }) => name) },
    deliver: DELIVER_LINES,
  }
}

const DELIVER_LINES = textDelivery(JSON_LINES)

function constantly(prepared: PreparedOutput) {
  const frozen = Object.freeze(prepared)
  return (): PreparedOutput => frozen
}
