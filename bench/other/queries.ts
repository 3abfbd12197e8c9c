import type { BenchQuery } from '../queries/queries.ts'
import type { Kind } from './data.ts'
import { filter, ordered } from './query.ts'
import { TYPES } from './type-queries.ts'

const SKEWED: readonly BenchQuery[] = [
  ordered(
    'heavy_keys',
    ({ t }) => `SELECT key, count(*) AS n, avg(value) AS mean, count(runs) AS r FROM ${t}
      GROUP BY key ORDER BY n DESC, key LIMIT 20`,
  ),
  ordered(
    'heavy_names',
    ({ t }) =>
      `SELECT name, count(*) AS n, sum(code) AS c FROM ${t} GROUP BY name ORDER BY n DESC, name LIMIT 20`,
  ),
  ordered(
    'all_groups',
    ({ t }) => `SELECT key, count(*) AS n, max(day) AS d FROM ${t} GROUP BY key ORDER BY key`,
  ),
  ordered(
    'count_distinct',
    ({ t }) =>
      `SELECT count(DISTINCT key) AS a, count(DISTINCT name) AS b, count(DISTINCT code) AS c FROM ${t}`,
  ),
  ordered(
    'distinct_by_day',
    ({ t }) =>
      `SELECT day, count(DISTINCT name) AS users FROM ${t} GROUP BY day ORDER BY users DESC, day LIMIT 30`,
  ),
  ordered(
    'having',
    ({ t }) =>
      `SELECT name, code, count(*) AS n FROM ${t} GROUP BY name, code HAVING count(*) >= 60 ORDER BY n DESC, name, code`,
  ),
  filter(
    'one_name',
    "name = 'user-77'",
    [{ column: 'name', eq: 'user-77' }],
    ['id', 'name', 'session', 'value'],
  ),
  filter('one_session', "session = md5('777777')", undefined, ['id', 'session']),
  filter(
    'runs',
    'runs IS NOT NULL AND runs < 1000',
    [{ is_not_null: { column: 'runs' } }, { column: 'runs', lt: 1000 }],
    ['id', 'runs', 'day'],
  ),
  ordered(
    'runs_by_day',
    ({ t }) =>
      `SELECT day, count(runs) AS n, min(runs) AS lo, avg(runs) AS mean FROM ${t} GROUP BY day ORDER BY day`,
  ),
  ordered(
    'top_runs',
    ({ t }) => `SELECT id, runs, name FROM ${t} ORDER BY runs DESC NULLS LAST, id LIMIT 100`,
    { select: ['id', 'runs', 'name'], sort_by: [{ Desc: 'runs' }, { Asc: 'id' }], limit: 100 },
  ),
  ordered(
    'top_nulls',
    ({ t }) => `SELECT id, runs FROM ${t} ORDER BY runs NULLS FIRST, id DESC LIMIT 100 OFFSET 5`,
  ),
  ordered('distinct_names', ({ t }) => `SELECT DISTINCT name FROM ${t} ORDER BY name LIMIT 1000 OFFSET 100`),
  ordered('top_session', ({ t }) => `SELECT session, id FROM ${t} ORDER BY session LIMIT 50`, {
    select: ['session', 'id'],
    sort_by: [{ Asc: 'session' }],
    limit: 50,
  }),
]

const WIDE: readonly BenchQuery[] = [
  { key: 'all_columns', sql: ({ t }) => `SELECT * FROM ${t}`, json: null, agreement: 'multiset' },
  filter(
    'wide_filter',
    'c002 > 120 AND c101 < 2000',
    [
      { column: 'c002', gt: 120 },
      { column: 'c101', lt: 2000 },
    ],
    ['id', 'c000', 'c003', 'c099', 'c104', 'c198'],
  ),
  ordered('wide_aggregates', ({ t }) => {
    const names = Array.from({ length: 200 }, (_, c) => c).filter((c) => c % 5 !== 3)
    const list = names.map((c) => `c${String(c).padStart(3, '0')}`)
    return `SELECT ${list.map((name) => `avg(${name}) AS ${name}`)} FROM ${t}`
  }),
  ordered(
    'wide_groups',
    ({ t }) => `SELECT c003, c008, count(*) AS n, sum(c004) AS s, max(c001) AS hi FROM ${t}
      GROUP BY c003, c008 ORDER BY n DESC, c003 NULLS LAST, c008 NULLS LAST LIMIT 50`,
  ),
  ordered('wide_top', ({ t }) => `SELECT * FROM ${t} ORDER BY c006 DESC NULLS LAST, id LIMIT 20`),
]

const MANY: readonly BenchQuery[] = [
  ordered(
    'many_count',
    ({ t }) => `SELECT count(*) AS n, min(time) AS lo, max(time) AS hi, count(flag) AS f FROM ${t}`,
  ),
  filter(
    'many_window',
    "time BETWEEN TIMESTAMP '2020-03-01' AND TIMESTAMP '2020-03-03'",
    [{ column: 'time', min: '2020-03-01T00:00:00', max: '2020-03-03T00:00:00' }],
    ['id', 'time', 'buoy', 'temperature', 'flag'],
  ),
  ordered(
    'many_groups',
    ({ t }) =>
      `SELECT buoy, count(*) AS n, avg(temperature) AS mean, max(time) AS last FROM ${t} GROUP BY buoy ORDER BY buoy`,
  ),
  ordered('many_top', ({ t }) => `SELECT time, buoy, temperature FROM ${t} ORDER BY time DESC LIMIT 100`, {
    select: ['time', 'buoy', 'temperature'],
    sort_by: [{ Desc: 'time' }],
    limit: 100,
  }),
  ordered('many_distinct', ({ t }) => `SELECT DISTINCT flag, buoy FROM ${t} ORDER BY flag NULLS FIRST, buoy`),
  ordered(
    'many_first',
    ({ t }) => `SELECT count(*) AS n FROM (SELECT id FROM ${t} WHERE temperature > 29.9) sub`,
  ),
]

export const OTHER: Readonly<Record<Kind, readonly BenchQuery[]>> = {
  types: TYPES,
  skew: SKEWED,
  wide: WIDE,
  many: MANY,
}
