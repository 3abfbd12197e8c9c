/** The queries of the main benchmark. `t` stands for the files in SQL; the JSON body gets its `from` when it is sent. */
export interface BenchQuery {
  readonly key: string
  readonly sql: string
  /** null: the JSON language cannot say it. */
  readonly json: Readonly<Record<string, unknown>> | null
}

/** `once`: a time that occurs once in the data, seconds. */
export function benchQueries(once: number): readonly BenchQuery[] {
  return [
    { key: 'count_all', sql: 'SELECT count(temperature) AS n FROM t', json: null },
    {
      key: 'filter_temp',
      sql: 'SELECT time, latitude, longitude, temperature FROM t WHERE temperature BETWEEN 10 AND 12',
      json: {
        select: ['time', 'latitude', 'longitude', 'temperature'],
        filters: [{ column: 'temperature', min: 10, max: 12 }],
      },
    },
    {
      key: 'filter_multi',
      sql: `SELECT time, latitude, longitude, temperature, salinity FROM t
        WHERE temperature BETWEEN 5 AND 15 AND latitude BETWEEN -10 AND 10`,
      json: {
        select: ['time', 'latitude', 'longitude', 'temperature', 'salinity'],
        filters: [
          { column: 'temperature', min: 5, max: 15 },
          { column: 'latitude', min: -10, max: 10 },
        ],
      },
    },
    {
      key: 'agg_by_platform',
      sql: `SELECT platform, avg(temperature) AS avg_temp, avg(salinity) AS avg_sal, count(*) AS n FROM t
        GROUP BY platform ORDER BY n DESC`,
      json: null,
    },
    {
      key: 'spatial_box',
      sql: `SELECT time, longitude, latitude, temperature FROM t
        WHERE longitude BETWEEN -10 AND 10 AND latitude BETWEEN 30 AND 60`,
      json: {
        select: ['time', 'longitude', 'latitude', 'temperature'],
        filters: [
          { column: 'longitude', min: -10, max: 10 },
          { column: 'latitude', min: 30, max: 60 },
        ],
      },
    },
    {
      key: 'time_window',
      sql: 'SELECT time, latitude, longitude, temperature FROM t WHERE time BETWEEN 1656625600 AND 1659217600',
      json: {
        select: ['time', 'latitude', 'longitude', 'temperature'],
        filters: [{ column: 'time', min: 1656625600, max: 1659217600 }],
      },
    },
    {
      key: 'topn_recent',
      sql: 'SELECT time, platform, temperature, salinity FROM t ORDER BY time DESC LIMIT 1000',
      json: {
        select: ['time', 'platform', 'temperature', 'salinity'],
        sort_by: [{ Desc: 'time' }],
        limit: 1000,
      },
    },
    {
      key: 'distinct_platform',
      sql: 'SELECT DISTINCT platform FROM t ORDER BY platform',
      json: {
        select: ['platform'],
        distinct: { on: ['platform'], select: ['platform'] },
        sort_by: [{ Asc: 'platform' }],
      },
    },
    {
      key: 'point_lookup',
      sql: `SELECT time, latitude, longitude, temperature FROM t WHERE time = ${once}`,
      json: {
        select: ['time', 'latitude', 'longitude', 'temperature'],
        filters: [{ column: 'time', eq: once }],
      },
    },
  ]
}

/** The count form: how long the query takes without delivering its rows. */
export function countSql({ key, sql }: BenchQuery): string {
  return key === 'count_all' ? sql : `SELECT count(*) AS n FROM (${sql}) sub`
}

/** Queries that only filter: what this version is measured by. */
export const FILTER_KEYS: readonly string[] = [
  'filter_temp',
  'filter_multi',
  'spatial_box',
  'time_window',
  'point_lookup',
]
