import type { Agreement } from '../compare/answer.ts'

/** A query of the benchmark. The JSON body gets its `from` when it is sent. */
export interface BenchQuery {
  readonly key: string
  readonly sql: (tables: Tables) => string
  /** Null: it cannot be written in the JSON language. */
  readonly json: Readonly<Record<string, unknown>> | null
  readonly agreement: Agreement
}

/** Table expressions for files in SQL. */
export interface Tables {
  /** All files of a layout. */
  readonly t: string
  /** One of them, counted from 0. */
  part(file: number): string
}

/** The queries of the benchmark. `once` is a time that one row has, in seconds since 1970. */
export function benchQueries(once: number): readonly BenchQuery[] {
  return [
    {
      key: 'count_all',
      sql: ({ t }) => `SELECT count(temperature) AS n FROM ${t}`,
      json: null,
      agreement: 'ordered',
    },
    {
      key: 'filter_temp',
      sql: ({ t }) =>
        `SELECT time, latitude, longitude, temperature FROM ${t} WHERE temperature BETWEEN 10 AND 12`,
      json: {
        select: ['time', 'latitude', 'longitude', 'temperature'],
        filters: [{ column: 'temperature', min: 10, max: 12 }],
      },
      agreement: 'multiset',
    },
    {
      key: 'filter_multi',
      sql: ({ t }) => `SELECT time, latitude, longitude, temperature, salinity FROM ${t}
        WHERE temperature BETWEEN 5 AND 15 AND latitude BETWEEN -10 AND 10`,
      json: {
        select: ['time', 'latitude', 'longitude', 'temperature', 'salinity'],
        filters: [
          { column: 'temperature', min: 5, max: 15 },
          { column: 'latitude', min: -10, max: 10 },
        ],
      },
      agreement: 'multiset',
    },
    {
      key: 'agg_by_platform',
      sql: ({
        t,
      }) => `SELECT platform, avg(temperature) AS avg_temp, avg(salinity) AS avg_sal, count(*) AS n FROM ${t}
        GROUP BY platform ORDER BY n DESC`,
      json: null,
      agreement: 'ordered',
    },
    {
      key: 'spatial_box',
      sql: ({ t }) => `SELECT time, longitude, latitude, temperature FROM ${t}
        WHERE longitude BETWEEN -10 AND 10 AND latitude BETWEEN 30 AND 60`,
      json: {
        select: ['time', 'longitude', 'latitude', 'temperature'],
        filters: [
          { column: 'longitude', min: -10, max: 10 },
          { column: 'latitude', min: 30, max: 60 },
        ],
      },
      agreement: 'multiset',
    },
    {
      key: 'time_window',
      sql: ({ t }) =>
        `SELECT time, latitude, longitude, temperature FROM ${t} WHERE time BETWEEN 1656625600 AND 1659217600`,
      json: {
        select: ['time', 'latitude', 'longitude', 'temperature'],
        filters: [{ column: 'time', min: 1656625600, max: 1659217600 }],
      },
      agreement: 'multiset',
    },
    {
      key: 'topn_recent',
      sql: ({ t }) => `SELECT time, platform, temperature, salinity FROM ${t} ORDER BY time DESC LIMIT 1000`,
      json: {
        select: ['time', 'platform', 'temperature', 'salinity'],
        sort_by: [{ Desc: 'time' }],
        limit: 1000,
      },
      agreement: 'top',
    },
    {
      key: 'distinct_platform',
      sql: ({ t }) => `SELECT DISTINCT platform FROM ${t} ORDER BY platform`,
      json: {
        select: ['platform'],
        distinct: { on: ['platform'], select: ['platform'] },
        sort_by: [{ Asc: 'platform' }],
      },
      agreement: 'ordered',
    },
    {
      key: 'point_lookup',
      sql: ({ t }) => `SELECT time, latitude, longitude, temperature FROM ${t} WHERE time = ${once}`,
      json: {
        select: ['time', 'latitude', 'longitude', 'temperature'],
        filters: [{ column: 'time', eq: once }],
      },
      agreement: 'multiset',
    },
  ]
}

/** The eight queries of the means over SQL. The ninth finds a row by its time. */
export const EIGHT: readonly string[] = [
  'count_all',
  'filter_temp',
  'filter_multi',
  'agg_by_platform',
  'spatial_box',
  'time_window',
  'topn_recent',
  'distinct_platform',
]

/** Statements that need a SQL engine: a join of two files, a window function, quantiles. */
export const GENERAL: readonly BenchQuery[] = [
  {
    key: 'join_files',
    sql: ({ part }) => `SELECT a.platform, count(*) AS n, avg(b.temperature - a.temperature) AS warmer
        FROM ${part(0)} a JOIN ${part(1)} b ON a.time = b.time GROUP BY a.platform ORDER BY a.platform`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'window_latest',
    sql: ({ part }) => `SELECT platform_id, time, latitude, temperature,
          temperature - lag(temperature) OVER (PARTITION BY platform_id ORDER BY time, latitude) AS change
        FROM ${part(0)} QUALIFY row_number() OVER (PARTITION BY platform_id ORDER BY time DESC, latitude DESC) <= 3
        ORDER BY platform_id, time, latitude`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'quantiles',
    sql: ({ t }) => `SELECT platform, quantile_cont(temperature, 0.05) AS p05, median(temperature) AS p50,
          quantile_cont(temperature, 0.95) AS p95 FROM ${t} GROUP BY platform ORDER BY platform`,
    json: null,
    agreement: 'ordered',
  },
]

/** A query that filters a large CSV file. */
export const CSV_SCAN: BenchQuery = {
  key: 'csv_scan',
  sql: ({ t }) =>
    `SELECT time, latitude, longitude, temperature FROM ${t} WHERE longitude BETWEEN -10 AND 10 AND latitude BETWEEN 30 AND 60`,
  json: {
    select: ['time', 'latitude', 'longitude', 'temperature'],
    filters: [
      { column: 'longitude', min: -10, max: 10 },
      { column: 'latitude', min: 30, max: 60 },
    ],
  },
  agreement: 'multiset',
}
