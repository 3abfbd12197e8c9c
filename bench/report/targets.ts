import type { Figure } from '../figures/figure.ts'
import { MONTH } from '../queries/expression-queries.ts'
import type { Ratio, Summary } from './summary.ts'

/** The two sides of each ratio. */
const SIDES = {
  one: '1 worker / 1 thread',
  two: '2 workers / 2 threads',
  keptOne: '1 worker with decoded columns kept / 1 thread',
  keptTwo: '2 workers with decoded columns kept / 2 threads',
} as const

/** The same ratios with DuckDB for Python. */
const BY_PYTHON = {
  one: 'pythonOne',
  two: 'pythonTwo',
  keptOne: 'pythonKeptOne',
  keptTwo: 'pythonKeptTwo',
} as const satisfies Record<keyof typeof SIDES, Ratio>

/** A bound for a figure. */
interface Target {
  /** The key of a summary or a figure. */
  readonly key: string
  /** The ratio of a summary, of its warm runs. */
  readonly of?: keyof typeof SIDES
  /** The most that the value may be, or if `isLeast` the least. */
  readonly bound: number
  readonly isLeast?: boolean
}

/** The targets of one query over sorted data, with and without a cache of decoded columns. */
function sorted(query: string, bound: number): readonly Target[] {
  return (['sql_count', 'sql_rows'] as const).flatMap((form) =>
    (['one', 'keptOne'] as const).map((of) => ({ key: `sorted_${query}_${form}`, of, bound })),
  )
}

/** The targets of an array that nothing was tuned to: of a box, and of all its values. */
function otherArray(key: string, box: number, whole: number): readonly Target[] {
  const parts = ['avg', 'min', 'computed', 'groups'] as const
  return [
    { key: `${key}_box`, bound: box },
    { key: `${key}_box_warm`, bound: box },
    ...parts.map((part) => ({ key: `${key}_${part}`, bound: whole })),
  ]
}

/** The files whose memory is measured. */
const FILES_RSS = ['parquet', 'ordered', 'csv', 'netcdf', 'grid', 'odv', 'large']

const TARGETS: readonly Target[] = [
  { key: 'sql_count', of: 'one', bound: 0.75 },
  { key: 'sql_rows', of: 'one', bound: 0.9 },
  { key: 'json_rows', of: 'one', bound: 0.9 },
  { key: 'sql_count', of: 'two', bound: 0.8 },
  { key: 'sql_rows', of: 'two', bound: 0.9 },
  { key: 'json_rows', of: 'two', bound: 0.9 },
  { key: 'sql_count', of: 'keptTwo', bound: 0.3 },
  ...sorted('topn_recent', 0.05),
  ...sorted('time_window', 0.6),
  ...sorted('point_lookup', 0.6),
  { key: 'general', of: 'one', bound: 2 },
  { key: 'expressions', of: 'one', bound: 0.75 },
  { key: 'expressions', of: 'two', bound: 0.85 },
  { key: 'expressions', of: 'keptOne', bound: 0.35 },
  { key: 'expressions', of: 'keptTwo', bound: 0.35 },
  { key: 'expressions_json', of: 'one', bound: 1 },
  { key: 'expressions_json', of: 'two', bound: 1.1 },
  { key: MONTH.key, of: 'one', bound: 0.05 },
  { key: MONTH.key, of: 'two', bound: 0.05 },
  { key: 'csv_sql_rows', of: 'one', bound: 2 },
  { key: 'csv_json_rows', of: 'one', bound: 2 },
  { key: 'stream', bound: 1, isLeast: true },
  { key: 'stream_kept', bound: 1, isLeast: true },
  { key: 'first_byte', bound: 20 },
  { key: 'computed_rows', bound: 5, isLeast: true },
  { key: 'computed_groups', bound: 5, isLeast: true },
  { key: 'ready_rows', bound: 0.5, isLeast: true },
  { key: 'ready_groups', bound: 0.5, isLeast: true },
  { key: 'names_rows', bound: 1.05 },
  { key: 'names_rows_views', bound: 1.05 },
  { key: 'names_groups', bound: 1.05 },
  { key: 'names_groups_views', bound: 1.05 },
  { key: 'names_duckdb', bound: 1.1 },
  { key: 'names_duckdb_views', bound: 1.1 },
  { key: 'slow', bound: 3 },
  { key: 'functions_month', bound: 0.35 },
  { key: 'functions_month_2', bound: 0.4 },
  { key: 'tpch_q1_1', bound: 1.3 },
  { key: 'tpch_q1_2', bound: 1.5 },
  { key: 'tpch_q6_1', bound: 1.3 },
  { key: 'tpch_q6_2', bound: 1.5 },
  { key: 'functions_boot', bound: 1.15 },
  { key: 'functions_small', bound: 1.05 },
  { key: 'start_tables', bound: 1500 },
  { key: 'mcp_groups', bound: 3 },
  { key: 'mcp_rows', bound: 3 },
  { key: 'mcp_duckdb', bound: 3 },
  { key: 'list_tables', bound: 20 },
  { key: 'name_among_tables', bound: 5 },
  { key: 'partition_folders', bound: 30 },
  { key: 'durable', bound: 10 },
  { key: 'beside_durable', bound: 0.9, isLeast: true },
  { key: 'rights_user', bound: 0.9, isLeast: true },
  { key: 'rights_token', bound: 0.9, isLeast: true },
  { key: 'rights_kept', bound: 0.95, isLeast: true },
  { key: 'rights_first', bound: 100 },
  { key: 'rights_flood', bound: 2 },
  { key: 'start', bound: 1000 },
  { key: 'start_netcdf', bound: 1000 },
  { key: 'start_netcdf4', bound: 1000 },
  { key: 'first_query', bound: 3 },
  { key: 'rss_one', bound: 400 },
  { key: 'rss_two', bound: 620 },
  { key: 'sst_sum', bound: 0.55 },
  { key: 'sst_threads', bound: 2, isLeast: true },
  { key: 'sst_processes', bound: 1.1, isLeast: true },
  { key: 'sst_rss', bound: 700 },
  { key: 'year_by_month', bound: 1.3 },
  { key: 'year_by_cell', bound: 1.8 },
  { key: 'year_february', bound: 1.1 },
  { key: 'boxes_point', bound: 0.6 },
  { key: 'boxes_again_service', bound: 20 },
  { key: 'boxes_month', bound: 0.7 },
  { key: 'boxes_point_warm', bound: 0.6 },
  { key: 'boxes_again_warm_service', bound: 20 },
  { key: 'boxes_month_warm', bound: 0.7 },
  { key: 'boxes_rss', bound: 700 },
  { key: 'boxes_kept_rss', bound: 700 },
  { key: 'polygon', bound: 1 },
  { key: 'zarr_whole', bound: 0.75 },
  { key: 'sharded_whole', bound: 0.8 },
  { key: 'zarr_month', bound: 1.2 },
  { key: 'sharded_month', bound: 1.2 },
  { key: 'zarr_month_warm', bound: 1.2 },
  { key: 'sharded_month_warm', bound: 1.2 },
  { key: 'zarr_rss', bound: 700 },
  { key: 'sharded_rss', bound: 700 },
  ...otherArray('other_nc', 0.7, 0.5),
  ...otherArray('other_zstd', 1.2, 0.75),
  ...otherArray('other_gzip', 1.2, 0.75),
  ...otherArray('other_blosc', 1.2, 0.75),
  { key: 'million', bound: 20 },
  { key: 'million_rss', bound: 700 },
  { key: 'rights_paths', bound: 20 },
  { key: 'rights_paths_turn', bound: 5 },
  { key: 'science_nan', bound: 1.05 },
  { key: 'science_view', bound: 0.3 },
  { key: 'science_structure', bound: 50 },
  { key: 'collections_parquet_new', bound: 1.5 },
  { key: 'collections_parquet_compiled', bound: 1 },
  { key: 'collections_parquet_again', bound: 0.6 },
  { key: 'collections_netcdf3_compiled_plain', bound: 6 },
  { key: 'collections_netcdf3_again_plain', bound: 2.5 },
  { key: 'collections_netcdf3_listing', bound: 2 },
  { key: 'collections_parquet_listing', bound: 2 },
  { key: 'collections_csv_new', bound: 1.2 },
  { key: 'collections_csv_again', bound: 0.6 },
  { key: 'profiles_first', bound: 0.5 },
  { key: 'profiles_compiled', bound: 0.25 },
  { key: 'profiles_again', bound: 0.12 },
  { key: 'profiles_region', bound: 0.02 },
  { key: 'profiles_restarted', bound: 0.5 },
  { key: 'profiles_planned', bound: 0.5 },
  { key: 'profiles_rss', bound: 700 },
  { key: 'profiles4_first', bound: 0.35 },
  { key: 'profiles4_again', bound: 0.15 },
  { key: 'profiles4_rss', bound: 700 },
  { key: 'argo_new', bound: 0.5 },
  { key: 'argo_compiled', bound: 0.25 },
  { key: 'argo_again', bound: 0.2 },
  { key: 'odv_once', bound: 0.7 },
  { key: 'odv_wide', bound: 1.5 },
  { key: 'odv_csv', bound: 1.2 },
  { key: 'odv_station', bound: 1.2 },
  { key: 'odv_compressed', bound: 1.2 },
  { key: 'odv_rss', bound: 300 },
  { key: 'remotes_postgres', bound: 1.3 },
  { key: 'remotes_mysql', bound: 2 },
  { key: 'remotes_relay', bound: 1.8 },
  { key: 'remotes_join', bound: 30 },
  { key: 'remotes_stalled', bound: 0.95, isLeast: true },
  { key: 'tiff_none', bound: 1.5 },
  { key: 'tiff_zstd', bound: 0.9 },
  { key: 'tiff_deflate', bound: 1.1 },
  { key: 'tiff_lzw', bound: 1.5 },
  { key: 'tiff_window', bound: 1 },
  { key: 'tiff_first', bound: 0.8 },
  { key: 'tiff_again', bound: 0.1 },
  { key: 'tiff_other', bound: 0.1 },
  { key: 'tiff_rss', bound: 300 },
  { key: 'bbf_none', bound: 1.3 },
  { key: 'bbf_lz4', bound: 1.3 },
  { key: 'bbf_zstd', bound: 1.3 },
  { key: 'bbf_index', bound: 0.1 },
  { key: 'bbf_rss', bound: 300 },
  { key: 'files_parquet', bound: 1.2 },
  { key: 'files_parquet_pypi', bound: 1.5 },
  { key: 'files_parquet_size', bound: 1.05 },
  { key: 'files_queries', bound: 1 },
  { key: 'files_ordered', bound: 2 },
  { key: 'files_csv', bound: 0.8 },
  { key: 'files_netcdf', bound: 2 },
  { key: 'files_grid', bound: 2.5 },
  { key: 'files_year', bound: 30_000 },
  { key: 'files_odv', bound: 1 },
  ...FILES_RSS.map((key) => ({ key: `files_${key}_rss`, bound: 300 })),
  { key: 'files_beside', bound: 1.5 },
  { key: 'uploads_whole', bound: 0.6, isLeast: true },
  { key: 'uploads_parts', bound: 0.5, isLeast: true },
  { key: 'array_files_peak', bound: 700 },
  { key: 'array_files_later', bound: 500 },
  { key: 'uploads_memory', bound: 100 },
  { key: 'uploads_beside', bound: 2 },
  { key: 'uploads_download', bound: 0.9, isLeast: true },
  { key: 'crawl_first', bound: 1.3 },
  { key: 'crawl_again', bound: 1 },
  { key: 'crawl_restart', bound: 1 },
  { key: 'crawl_beside', bound: 2 },
  { key: 'crawl_memory', bound: 300 },
  { key: 'crawl_turn', bound: 20 },
  { key: 'crawl_box', bound: 2 },
  { key: 'crawl_box_turn', bound: 20 },
  { key: 'crawl_count', bound: 2 },
  { key: 'crawl_boxes_narrow', bound: 10 },
  { key: 'crawl_boxes_wide', bound: 100 },
]

/** A target with the measured value. */
export interface Verdict {
  readonly what: string
  /** Null: it was not measured, since the peer is missing. */
  readonly value: number | null
  readonly bound: number
  /** Whether the value has to be `bound` at least, rather than at most. */
  readonly isLeast: boolean
  readonly unit: Figure['unit']
  readonly isMet: boolean
  /** The same ratio with DuckDB for Python, which has no target. Null: there is none. */
  readonly byPython: number | null
  /** As that of the figure. */
  readonly date?: string
}

/** The verdicts on all targets that were measured. A mean over fewer queries than it should have does not meet its target. */
export function judge(summaries: readonly Summary[], figures: readonly Figure[]): Verdict[] {
  return TARGETS.flatMap(({ key, of, bound, isLeast = false }) => {
    const isReached = (value: number | null) => value !== null && (isLeast ? value >= bound : value <= bound)
    if (of === undefined) {
      const figure = figures.find((each) => each.key === key)
      if (figure === undefined) return []
      const { what, value, unit, date } = figure
      const isMet = isReached(value)
      return { what, value, bound, isLeast, unit, isMet, byPython: null, ...(date !== undefined && { date }) }
    }
    const summary = summaries.find((each) => each.key === key)
    const value = summary?.warm[of] ?? null
    if (summary === undefined || value === null) return []
    return {
      what: `${summary.what}; ${SIDES[of]}`,
      value,
      bound,
      isLeast,
      unit: '×' as const,
      isMet: summary.measured === summary.of && isReached(value),
      byPython: summary.warm[BY_PYTHON[of]],
    }
  })
}
