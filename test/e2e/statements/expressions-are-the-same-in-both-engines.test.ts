import t from 'tap'
import { type Asked, compareEngines, tablesOf } from '../../sql/select/compare-engines.ts'
import {
  EXPRESSION_COLUMNS,
  oddTimes,
  sqlConditions,
  sqlExpressions,
  sqlNumbers,
} from '../../sql/select/sql-expressions.ts'
import { fc } from '../../support/generate.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 2 })

const SHARES = ['0', '1', '0.5', '0.25', '0.3', '0.55', '0.999', '0.07', '1.0']

const rows = fc.tuple(sqlExpressions, fc.option(sqlConditions, { nil: null })).map(
  ([item, where]): Asked => ({
    list: `"row id", ${item} AS x`,
    tail: `${where === null ? '' : ` WHERE ${where}`} ORDER BY "row id"`,
    isExact: true,
  }),
)
const filtered = sqlConditions.map(
  (where): Asked => ({ list: '"row id"', tail: ` WHERE ${where} ORDER BY "row id"`, isExact: true }),
)
const grouped = fc.tuple(sqlExpressions, sqlNumbers).map(
  ([key, value]): Asked => ({
    list: `${key} AS k, count(*) AS n, min(${value}) AS least, max(${value}) AS most, count(DISTINCT ${value}) AS d`,
    tail: ' GROUP BY k ORDER BY min("row id")',
    isExact: true,
  }),
)
const summed = fc.tuple(sqlNumbers, sqlConditions).map(
  ([value, where]): Asked => ({
    list: `sum(TRY_CAST(${value} AS REAL)) AS s, round(avg(i8), 2) AS a, max(i32) / 3 AS m, count(*) * 2 AS n, count(*) FILTER (WHERE ${where}) AS f, min(day) FILTER (WHERE i16 > 1), max(${value}) FILTER (WHERE ${where}) AS g`,
    tail: ` WHERE ${where} GROUP BY flag HAVING count(*) + 1 > 2 ORDER BY min("row id") + 1`,
    isExact: false,
  }),
)
const valued = fc.tuple(sqlExpressions, sqlNumbers, sqlConditions, fc.constantFrom(...SHARES)).map(
  ([key, value, where, share]): Asked => ({
    list: `median(${value}) AS m, quantile_cont(${value}, ${share}) AS c, quantile_disc(DISTINCT ${value}, ${share}) AS q, median(price) AS p, quantile_cont(time, ${share}) AS t, quantile_cont(day, ${share}) AS d, median(time_ns) AS n, quantile_disc(flag, ${share}) AS f, arg_max(name, ${key}) AS x, arg_min(${key}, "row id" % 4) FILTER (WHERE ${where}) AS y`,
    tail: ` GROUP BY "row id" % 3 ORDER BY min("row id")`,
    isExact: true,
  }),
)
const ordered = sqlExpressions.map(
  (key): Asked => ({ list: '"row id"', tail: ` ORDER BY ${key}, "row id" LIMIT 7`, isExact: true }),
)

const asked = fc.oneof(
  { arbitrary: rows, weight: 4 },
  { arbitrary: filtered, weight: 3 },
  grouped,
  summed,
  { arbitrary: valued, weight: 2 },
  ordered,
)

t.test('what the core computes is what DuckDB computes', async (t) => {
  await compareEngines(t, service, tablesOf(EXPRESSION_COLUMNS, oddTimes), asked)
})
