import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { type Asked, compareEngines, tablesOf } from '../../sql/select/compare-engines.ts'
import { EXPRESSION_COLUMNS, oddTimes } from '../../sql/select/sql-expressions.ts'
import { fc } from '../../support/generate.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const ROWS = 60_000
const service = await startTestService(t, { workers: 2 })
const columns = tableFromArrays({
  n: Int32Array.from({ length: ROWS }, (_, row) => (row * 7919) % 10_007),
  x: Float64Array.from({ length: ROWS }, (_, row) => ((row * 104_729) % 1009) / 8),
  big: BigInt64Array.from({ length: ROWS }, (_, row) => BigInt(row)),
  day: Int16Array.from({ length: ROWS }, (_, row) => row % 366),
  station: Array.from({ length: ROWS }, (_, row) => `station ${(row * 31) % 113}`),
})
writeParquetFile(join(service.datasets, 'a.parquet'), columns, 7_000)

const FROM = "FROM read_parquet('a.parquet')"
const DAILY = `(SELECT station, day, sum(n) AS s, count(*) AS c, max(x) AS high, avg(n) AS mean ${FROM} GROUP BY station, day)`
const FIRSTS = `(SELECT DISTINCT ON (station) station, day, x ${FROM} ORDER BY station, x DESC, n, day)`

const CORE = [
  `SELECT avg(s), max(high), sum(c), count(*), min(station) FROM ${DAILY}`,
  `SELECT station, avg(high) AS m, max(s), min(c) FROM ${DAILY} GROUP BY station ORDER BY station`,
  `SELECT day // 31 AS month, avg(mean), median(high) FROM ${DAILY} WHERE c > 1 AND high < 120 GROUP BY month HAVING count(*) > 10 ORDER BY month DESC`,
  `SELECT station, day, high - mean / c AS v FROM ${DAILY} WHERE s > 8000 ORDER BY v DESC, station, day LIMIT 20 OFFSET 3`,
  `SELECT station, s FROM (SELECT station, sum(n) AS s ${FROM} GROUP BY station ORDER BY s DESC, station LIMIT 10 OFFSET 2) WHERE s > 0 ORDER BY station`,
  `SELECT max(m) - min(m) AS spread FROM (SELECT station, avg(high) AS m FROM ${DAILY} GROUP BY station)`,
  `SELECT count(*) FROM (SELECT station FROM (SELECT station, max(high) AS h FROM ${DAILY} GROUP BY station) WHERE h > 126)`,
  `SELECT count(*), avg(s), max(station) FROM (SELECT station, sum(n) AS s ${FROM} WHERE n < 0 GROUP BY station)`,
  `SELECT station FROM (SELECT station, sum(n) AS s ${FROM} WHERE n < 0 GROUP BY station) WHERE s > 1 ORDER BY station`,
  `SELECT 2 * v AS w FROM (SELECT max(x) AS v ${FROM}) WHERE v > 1e9`,
  `SELECT 2 * v AS w FROM (SELECT max(x) AS v ${FROM})`,
  `SELECT DISTINCT c FROM ${DAILY} ORDER BY c`,
  `SELECT DISTINCT ON (station) station, day, high FROM ${DAILY} ORDER BY station, high DESC, day`,
  `SELECT station, day FROM ${DAILY} QUALIFY row_number() OVER (PARTITION BY station ORDER BY high DESC, day) <= 2 ORDER BY station, day`,
  `SELECT avg(x), count(*), count(DISTINCT day) FROM ${FIRSTS}`,
  `SELECT day, max(x) AS m FROM ${FIRSTS} WHERE station <> 'station 7' GROUP BY day ORDER BY m DESC, day LIMIT 5`,
  `SELECT station, arg_max(day, high + day) FROM ${DAILY} GROUP BY ALL ORDER BY station`,
  `SELECT day % 7 AS d, avg(x), max(station) FROM (SELECT *, row_number() OVER (PARTITION BY station ORDER BY x DESC, n) AS r ${FROM}) WHERE r <= 3 GROUP BY d ORDER BY d`,
  `SELECT max(r), count(DISTINCT station) FROM (SELECT *, row_number() OVER (PARTITION BY station ORDER BY x DESC, n) AS r ${FROM}) WHERE r <= 3 HAVING count(*) > 4`,
  `SELECT avg(s), max(s), count(*) FROM (SELECT station, sum(big) AS s ${FROM} GROUP BY station) WHERE s > 5`,
  `SELECT station, sum(big) AS s ${FROM} GROUP BY station HAVING s > 5 ORDER BY s DESC, station LIMIT 7`,
  `SELECT station ${FROM} WHERE n > (SELECT avg(h) FROM (SELECT station, max(n) AS h ${FROM} GROUP BY station)) GROUP BY station ORDER BY station`,
]

/** What is left to DuckDB. */
const LEFT = [
  `SELECT max(s + 1) FROM (SELECT station, sum(n) AS s ${FROM} GROUP BY station)`,
  `SELECT median(s) FROM (SELECT station, sum(n) AS s ${FROM} GROUP BY station)`,
  `SELECT avg(n) FROM (SELECT n ${FROM} ORDER BY n LIMIT 10)`,
  `SELECT station, row_number() OVER () AS r FROM (SELECT station, count(*) AS c ${FROM} GROUP BY station ORDER BY c, station) ORDER BY r LIMIT 3`,
]

t.test(
  'queries over groups and over first rows of groups are run by the core, with the answers of DuckDB',
  async (t) => {
    for (const sql of CORE) {
      const { engine, core, duck } = await askBoth(service, sql)
      t.equal(engine, 'core', sql)
      t.ok(sameAnswers(core, duck, true), `${sql}\n${show(core).slice(0, 500)}\n${show(duck).slice(0, 500)}`)
    }
  },
)

t.test('those that may need more than 64 bits, or are over other queries, are left to DuckDB', async (t) => {
  for (const sql of LEFT) {
    const { engine, core } = await askBoth(service, sql)
    t.equal(engine, 'DuckDB', sql)
    t.type(core, 'object', sql)
  }
})

/** Columns `k`, `a`, `b` and `c` of an inner query, of which `k` is its key, and `b` has numbers. No floats are added up. */
const inner = fc
  .record({
    key: fc.constantFrom('flag', 'name', 'i8 % 3', 'month(time)', 'day', 'u8', 'price', 'zoned'),
    other: fc.constantFrom(null, 'flag', 'i16 > 0'),
    a: fc.constantFrom(
      'max(name)',
      'min(time)',
      'max(i16)',
      'min(f64)',
      'max(price)',
      'min(time_ns)',
      'max(flag)',
    ),
    b: fc.constantFrom(
      'count(*)',
      'count(f32)',
      'max(i32)',
      'count(*) + 1',
      'sum(i8)',
      'sum(i64)',
      'max(i64) + 1',
      'avg(i16)',
      'min(f32)',
      'sum(price)',
    ),
    c: fc.constantFrom(
      'count(DISTINCT i8)',
      'sum(u16)',
      'stddev_pop(i8)',
      'arg_max(name, i16)',
      'max(u64)',
      'max(time)',
    ),
    where: fc.constantFrom('', '', '', '', ' WHERE f64 > 0', ' WHERE i8 > 200', ' WHERE flag'),
    having: fc.constantFrom('', '', ' HAVING count(*) > 1', ' HAVING max(i16) IS NOT NULL'),
    cut: fc.constantFrom('', '', ' ORDER BY 1, 2 LIMIT 4', ' ORDER BY 2 DESC, 1 LIMIT 3 OFFSET 2'),
  })
  .map(({ key, other, a, b, c, where, having, cut }) => {
    const keys = other === null ? key : `${key}, ${other}`
    const list = other === null ? `${key} AS k` : `${key} AS k, ${other} AS o`
    return {
      list: `${list}, ${a} AS a, ${b} AS b, ${c} AS c`,
      tail: `${where} GROUP BY ${keys}${having}${cut}`,
    }
  })

const OUTER_WHERE = [
  '',
  '',
  '',
  '',
  ' WHERE b > 1',
  ' WHERE a IS NOT NULL',
  ' WHERE k IS NOT NULL AND b <= 100',
  ' WHERE c IS NULL OR b > 0',
]

/** Rows of the inner query, in an order that tells them apart. */
const chosen = fc
  .record({
    rows: fc.constantFrom(
      ['k, a, b, c', '1, 2, 3, 4'],
      ['k, b > 1 AS t, a', '1, 2, 3'],
      ['DISTINCT k, a', '1, 2'],
      ['c, k, coalesce(b, 0)', '1, 2, 3'],
    ),
    where: fc.constantFrom(...OUTER_WHERE),
  })
  .map(({ rows: [list = '', order], where }) => ({ list, tail: `${where} ORDER BY ${order} LIMIT 9` }))

const outer = fc.oneof(
  { arbitrary: chosen, weight: 4 },
  fc.record({
    list: fc.constantFrom(
      'count(*), max(a), min(b), max(c)',
      'sum(b), count(k), min(a)',
      'avg(b) AS m, count(DISTINCT b)',
      'max(CASE WHEN b > 1 THEN a END), count(*) FILTER (WHERE b > 0)',
      'max(k), min(k)',
    ),
    tail: fc.constantFrom(...OUTER_WHERE),
  }),
  fc.record({
    list: fc.constantFrom('b, count(*), max(a)', 'b, min(k), max(c)', 'b, count(*) * 2 AS n'),
    tail: fc
      .tuple(fc.constantFrom(...OUTER_WHERE), fc.constantFrom('', ' HAVING count(*) > 1'))
      .map(([where, having]) => `${where} GROUP BY b${having} ORDER BY b`),
  }),
)

const nested = fc.tuple(inner, outer).map(
  ([{ list, tail }, around]): Asked => ({
    list: `${around.list} FROM (SELECT ${list}`,
    tail: `${tail})${around.tail}`,
    isExact: false,
  }),
)

t.test('generated queries over groups have the answers of DuckDB', async (t) => {
  await compareEngines(t, service, tablesOf(EXPRESSION_COLUMNS, oddTimes), nested)
})
