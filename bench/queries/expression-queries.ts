import type { BenchQuery } from './queries.ts'

/**
 * Queries that compute, as dashboards ask: by month, by grid cell, in other units, under computed conditions. The column `time` is a
 * TIMESTAMP in their files.
 */
export const EXPRESSIONS: readonly BenchQuery[] = [
  {
    key: 'by_month',
    sql: ({
      t,
    }) => `SELECT date_trunc('month', time) AS month, count(*) AS n, avg(temperature) AS mean FROM ${t}
        GROUP BY month ORDER BY month`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'by_cell',
    sql: ({
      t,
    }) => `SELECT floor(latitude / 5) * 5 AS lat, floor(longitude / 5) * 5 AS lon, count(*) AS n, avg(temperature) AS mean
        FROM ${t} GROUP BY lat, lon ORDER BY lat, lon`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'histogram',
    sql: ({ t }) => `SELECT floor(temperature * 2)::INTEGER AS bin, count(*) AS n FROM ${t}
        GROUP BY bin ORDER BY bin`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'other_units',
    sql: ({ t }) => `SELECT time, latitude, longitude, temperature * 1.8 + 32 AS fahrenheit FROM ${t}
        WHERE temperature * 1.8 + 32 BETWEEN 50 AND 54`,
    json: null,
    agreement: 'multiset',
  },
  {
    key: 'by_case',
    sql: ({
      t,
    }) => `SELECT CASE WHEN latitude > 23.4 THEN 'north' WHEN latitude < -23.4 THEN 'south' ELSE 'tropics' END AS zone,
          count(*) AS n, avg(salinity) AS mean FROM ${t} GROUP BY zone ORDER BY zone`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'product',
    sql: ({ t }) =>
      `SELECT sum(temperature * salinity) / count(*) AS mean, max(depth * temperature) AS most FROM ${t}`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'median',
    sql: ({
      t,
    }) => `SELECT platform, median(temperature) AS middle, quantile_cont(temperature, 0.95) AS warm FROM ${t}
        GROUP BY platform ORDER BY platform`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'latest',
    sql: ({
      t,
    }) => `SELECT platform_id, max(time) AS last, arg_max(latitude, time) AS lat, arg_max(longitude, time) AS lon
        FROM ${t} GROUP BY platform_id ORDER BY platform_id`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'latest_row',
    sql: ({
      t,
    }) => `SELECT DISTINCT ON (platform_id) platform_id, time, latitude, longitude, temperature, salinity
        FROM ${t} ORDER BY platform_id, time DESC, latitude, longitude`,
    json: {
      select: ['platform_id', 'time', 'latitude', 'longitude', 'temperature', 'salinity'],
      distinct: {
        on: ['platform_id'],
        select: ['platform_id', 'time', 'latitude', 'longitude', 'temperature', 'salinity'],
      },
      sort_by: [{ Asc: 'platform_id' }, { Desc: 'time' }, { Asc: 'latitude' }, { Asc: 'longitude' }],
    },
    agreement: 'ordered',
  },
  {
    key: 'like',
    sql: ({ t }) => `SELECT count(*) AS n, avg(temperature) AS mean FROM ${t} WHERE platform LIKE '%r%o%'`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'in_list',
    sql: ({ t }) =>
      `SELECT time, platform_id, temperature FROM ${t} WHERE platform_id + 1 IN (4, 8, 12, 20, 24, 32)`,
    json: null,
    agreement: 'multiset',
  },
  {
    key: 'by_rounded',
    sql: ({ t }) =>
      `SELECT round(temperature, 1) AS degrees, count(*) AS n FROM ${t} GROUP BY degrees ORDER BY degrees`,
    json: null,
    agreement: 'ordered',
  },
  {
    key: 'rounded_rows',
    sql: ({ t }) => `SELECT time, platform, round(temperature, 1) AS degrees FROM ${t}
        WHERE round(temperature, 1) >= 20.5 AND round(temperature, 1) <= 21.5`,
    json: {
      select: [
        'time',
        'platform',
        { function: 'round', args: ['temperature', { value: 1 }], alias: 'degrees' },
      ],
      filters: [{ column: 'degrees', min: 20.5, max: 21.5 }],
    },
    agreement: 'multiset',
  },
  {
    key: 'february',
    sql: ({ t }) =>
      `SELECT time, latitude, temperature, month(time) AS month FROM ${t} WHERE month(time) = 2`,
    json: {
      select: ['time', 'latitude', 'temperature', { function: 'month', args: ['time'], alias: 'month' }],
      filters: [{ column: 'month', eq: 2 }],
    },
    agreement: 'multiset',
  },
  {
    key: 'months',
    sql: ({ t }) => `SELECT DISTINCT date_trunc('month', time) AS month FROM ${t} ORDER BY month`,
    json: {
      select: [{ function: 'date_trunc', args: [{ value: 'month' }, 'time'], alias: 'month' }],
      distinct: { on: ['month'], select: ['month'] },
      sort_by: [{ Asc: 'month' }],
    },
    agreement: 'ordered',
  },
  {
    key: 'subquery',
    sql: ({ t }) => `SELECT time, latitude, temperature FROM ${t}
        WHERE temperature > (SELECT avg(temperature) + 2 * stddev(temperature) FROM ${t})`,
    json: null,
    agreement: 'multiset',
  },
]

/** One month of rows that are sorted by time. */
export const MONTH: BenchQuery = {
  key: 'one_month',
  sql: ({ t }) =>
    `SELECT count(*) AS n, count(temperature) AS temperatures FROM ${t} WHERE date_trunc('month', time) = TIMESTAMP '2022-03-01'`,
  json: null,
  agreement: 'ordered',
}
