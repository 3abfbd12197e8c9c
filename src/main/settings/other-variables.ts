import type { Settings } from './settings.ts'

/** A variable that the reference service reads, and this one does not. */
export interface OtherVariable {
  /** Its name without the prefix. A `*` at its end stands for any letters. */
  readonly name: string
  /** The setting that it is another name of. Null: it is none. */
  readonly means: keyof Settings | null
  /** What to do instead. */
  readonly instead: string
}

const STATISTICS =
  'statistics of files are learned and kept; only SERVICE_FILE_STATS_ENABLE, _INTERVAL_SECS, _ON_STARTUP and _MAX_FILES are to be set'
const NO_FLIGHT = 'this version has no Flight SQL; queries are sent by HTTP'
const NO_BUCKETS = 'this version reads files of a folder; mount the bucket, and set SERVICE_DATASETS_DIR'
const BATCHES = 'small batches are always joined, and the service chooses their sizes'
const READERS = 'there is one reader of each format'

/**
 * All variables that the reference service has besides the settings of this one. One of them is a warning at the start, which says what to
 * set instead. docs/reference/settings.md has the table.
 */
export const OTHER_VARIABLES: readonly OtherVariable[] = Object.freeze([
  { name: 'WORKER_THREADS', means: 'workers', instead: 'set SERVICE_WORKERS' },
  ...none('set SERVICE_WORKER_MEMORY_MB for each worker, and SERVICE_SQL_MEMORY_MB for each engine', [
    'VM_MEMORY_SIZE',
  ]),
  ...none('set SERVICE_CACHE_BYTES', ['STATS_CACHE_CAPACITY']),
  ...none(BATCHES, [
    'BATCH_SIZE',
    'SQL_STREAM_COALESCE_ENABLED',
    'SQL_STREAM_COALESCE_TARGET_ROWS',
    'SQL_STREAM_COALESCE_FLUSH_TIMEOUT_MS',
    'SQL_STREAM_COALESCE_MAX_ROWS',
  ]),
  ...none(NO_FLIGHT, [
    'FLIGHT_SQL_ENABLE',
    'FLIGHT_SQL_HOST',
    'FLIGHT_SQL_PORT',
    'FLIGHT_SQL_ALLOW_ANONYMOUS',
    'FLIGHT_SQL_TOKEN_TTL_SECS',
    'FLIGHT_SQL_STATEMENT_TTL_SECS',
    'FLIGHT_SQL_PREPARED_STATEMENT_TTL_SECS',
  ]),
  ...none(NO_BUCKETS, [
    'S3_DATASETS',
    'S3_DATA_LAKE',
    'S3_BUCKET',
    'S3_ENABLE_VIRTUAL_HOSTING',
    'S3_ALLOW_HTTP',
  ]),
  ...none(STATISTICS, [
    'FILE_STATS_*',
    'NETCDF_ENABLE_STATISTICS',
    'HDF5_ENABLE_STATISTICS',
    'ZARR_ENABLE_STATISTICS',
  ]),
  ...none(READERS, [
    'NETCDF_USE_RUST_READER',
    'HDF5_USE_RUST_READER',
    'HDF5_UNIFY_PHONY_DIMENSIONS',
    'ENABLE_BBF_SPLIT_STREAMS_SLICE',
    'ATLAS_*',
  ]),
  ...none('a query or a table says it by the option `convention`', ['HDF5_CONVENTION']),
  ...none('only the columns that a query needs are ever read', ['ENABLE_PUSHDOWN_PROJECTION']),
  ...none('arrays are always read by their chunks', ['ENABLE_ND_PIPELINE']),
  ...none('this version has no pages for administrators', ['WEB_UI_DIR']),
])

function none(instead: string, names: readonly string[]): readonly OtherVariable[] {
  return names.map((name) => Object.freeze({ name, means: null, instead }))
}

/** The variable of this name, which has no prefix. Null: it is none of them. */
export function otherVariable(name: string): OtherVariable | null {
  const isIt = ({ name: other }: OtherVariable): boolean =>
    other.endsWith('*') ? name.startsWith(other.slice(0, -1)) : name === other
  return OTHER_VARIABLES.find(isIt) ?? null
}
