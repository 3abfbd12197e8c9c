import { type Source, source } from '../../input/files/sources.ts'

/** Files that are measured, by their keys. */
export type FileKey = 'parquet' | 'ordered' | 'csv' | 'netcdf' | 'grid' | 'year' | 'odv'

/** What is asked for: a statement over a source, and the member `output` of the request. */
interface AskedFile {
  readonly what: string
  readonly source: Source
  readonly columns: string
  readonly order?: string
  readonly output: object
}

/** Temporary files of 5 GB of Parquet, or of the rows of the large grid, are beyond the default limits. Bytes. */
export const FILE_BYTES = 16 * 2 ** 30

export const NUMBERS = ['time', 'latitude', 'longitude', 'depth', 'platform_id', 'temperature', 'salinity']

const column = (name: string) => ({ column_name: name })

const GRID = { format: { nd_netcdf: { dimension_columns: ['time', 'latitude', 'longitude'] } } }

const ODV = {
  longitude_column: column('longitude'),
  latitude_column: column('latitude'),
  depth_column: { column_name: 'depth', units: 'm' },
  time_column: column('time'),
  key_column: 'station',
  qf_schema: 'SEADATANET',
  data_columns: [
    { column_name: 'temperature', units: 'degC', qf_column: 'temperature_qc' },
    { column_name: 'salinity', units: 'psu' },
  ],
  meta_columns: [],
}

export const ASKED: Readonly<Record<FileKey, AskedFile>> = {
  parquet: {
    what: 'Parquet of 10 M rows × 8 columns',
    source: 'observations',
    columns: '*',
    output: { format: 'parquet' },
  },
  ordered: {
    what: 'the same ordered by latitude',
    source: 'observations',
    columns: '*',
    order: 'latitude',
    output: { format: 'parquet' },
  },
  csv: { what: 'CSV of these rows', source: 'observations', columns: '*', output: { format: 'csv' } },
  netcdf: {
    what: 'NetCDF of their numbers',
    source: 'observations',
    columns: NUMBERS.join(', '),
    output: { format: 'netcdf' },
  },
  grid: {
    what: 'NetCDF of a shuffled grid (36, 360, 720)',
    source: 'grid',
    columns: '*',
    output: GRID,
  },
  year: {
    what: 'NetCDF of a shuffled grid (365, 360, 720)',
    source: 'year',
    columns: '*',
    output: GRID,
  },
  odv: {
    what: 'ODV of 1 M rows of 10 000 stations, unsorted',
    source: 'stations',
    columns: '*',
    output: { format: { odv: ODV } },
  },
}

/** The request for a file, and for the same rows as a stream. */
export async function requestsFor(root: string, key: FileKey): Promise<{ file: object; stream: object }> {
  const stream = { sql: statement(key, `read_parquet(['${await source(root, ASKED[key].source)}'])`) }
  return { file: { ...stream, output: ASKED[key].output }, stream }
}

/** The statement of a file over a table expression. */
export function statement(key: FileKey, table: string): string {
  const { columns, order } = ASKED[key]
  return `SELECT ${columns} FROM ${table}${order === undefined ? '' : ` ORDER BY ${order}`}`
}
