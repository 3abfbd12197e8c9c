import t from 'tap'
import { type DataType, field, type IntType, type Schema, typeName } from '../../../src/plan/types/schema.ts'
import { openBothColumns } from './columns-of-both.ts'

const int = (bits: 8 | 16 | 32 | 64, signed = true): IntType => ({ kind: 'int', bits, signed })
const decimal = (precision: number, scale: number): DataType => ({
  kind: 'decimal',
  bits: 128,
  precision,
  scale,
})

const SCHEMA: Schema = {
  metadata: {},
  fields: [
    field('id', int(32)),
    field('Temp', { kind: 'float', bits: 32 }),
    field('odd "name"', { kind: 'float', bits: 64 }),
    field('ID', int(64, false)),
    field('half', { kind: 'float', bits: 16 }),
    field('price', decimal(9, 2)),
    field('name', { kind: 'dictionary', index: int(32), value: { kind: 'utf8' }, ordered: false }),
    field('flag', { kind: 'bool' }),
    field('time', { kind: 'timestamp', unit: 'millisecond', zone: 'Europe/Paris' }),
    field('ns', { kind: 'timestamp', unit: 'nanosecond', zone: null }),
    field('zoned ns', { kind: 'timestamp', unit: 'nanosecond', zone: 'UTC' }),
    field('clock', { kind: 'time', unit: 'second' }),
    field('day', { kind: 'date', unit: 'day' }),
    field('blob', { kind: 'binary' }),
    field('uuid', { kind: 'fixed_binary', width: 16 }),
    field('nothing', { kind: 'null' }),
    field('', int(8)),
    field('select', int(16)),
    field('list', { kind: 'list', item: field('item', int(32)) }),
  ],
}

/** Statements that the core runs, over `t`, which stands for a file. */
const CORE = [
  'SELECT id FROM t',
  'SELECT ID, Id, id_1, "ID_1", iD AS x, temp X2, "select", "SELECT" FROM t',
  'SELECT T.id, t."Temp" FROM t AS T',
  'SELECT half, price, name, flag, time, ns, "zoned ns", clock, day, blob, nothing, C16 FROM t WHERE "odd ""name""" > .5',
  'SELECT count(*), COUNT(), count(1), count(Id), count(distinct "NAME"), count(x.id) FROM t x',
  'SELECT SUM(id), sum(id_1), sum(temp), sum(half), sum("odd ""name"""), sum(price), sum("select"), sum(C16) FROM t',
  'SELECT min(id), max(id_1), min(TEMP), max(half), min(price), max(name), min(flag), max(time), min(ns), max("zoned ns"), max(day) FROM t',
  'SELECT avg(id), Mean(Temp), avg(price), stddev(id), stddev_samp(price), stddev_pop(half), variance(id), Var(id), var_samp(id), var_pop(id) FROM t',
  'SELECT name, count(*) AS n FROM t GROUP BY name HAVING n > 3 AND avg(temp) BETWEEN 1 AND 2.5 ORDER BY n DESC, 1 LIMIT 3',
  'SELECT name, flag, max(id) FROM t GROUP BY ALL ORDER BY max(price), count(*) NULLS FIRST',
  'SELECT name AS k, sum(id) FROM t GROUP BY k',
  "SELECT name, sum(id) FROM t GROUP BY 1 HAVING name > 'a'",
  'SELECT name FROM t GROUP BY name, flag',
  'SELECT DISTINCT name, flag FROM t ORDER BY 2 DESC NULLS LAST, name LIMIT 5 OFFSET 2',
  'SELECT DISTINCT name, count(*) FROM t GROUP BY name',
  'SELECT DISTINCT count(*) FROM t',
  'SELECT count(*) FROM t HAVING count(*) > 0',
  'SELECT id, id, Temp FROM t ORDER BY price DESC, temp ASC NULLS FIRST OFFSET 3',
  'SELECT id AS price, price AS id FROM t ORDER BY price',
  'SELECT count(*) FROM (SELECT id, id FROM t WHERE flag LIMIT 5)',
  'SELECT count(*) AS "n" FROM (SELECT DISTINCT name FROM t ORDER BY name) x',
  'SELECT x.b, A AS c, * FROM (SELECT id AS a, temp AS b FROM t ORDER BY price LIMIT 9) AS x LIMIT 4 OFFSET 1',
  'SELECT * FROM (SELECT name, count(*) AS n FROM t GROUP BY name) LIMIT 0',
  "SELECT k, sum(x.v), count(*) FROM (SELECT name AS k, price AS v FROM t WHERE flag) x WHERE k > 'a' GROUP BY k",
  'SELECT a FROM (SELECT id AS a FROM (SELECT id, temp FROM t WHERE price > 1) WHERE temp < 3) ORDER BY a',
  'SELECT id, Temp FROM t WHERE flag UNION ALL SELECT id, Temp FROM t WHERE flag ORDER BY 1 LIMIT 3',
  'SELECT count(*) FROM (SELECT id FROM t UNION ALL SELECT id FROM t)',
  "SELECT id FROM t WHERE 1=1 AND NOT (id >= 3 OR flag) AND 5<id AND price<>-1.5 AND name NOT IN ('a','b')",
  "SELECT id FROM t WHERE time >= '2020-01-01T00:00:00Z' AND ns < TIMESTAMP '2020-01-01' AND day = '2020-01-01'::DATE AND clock > '12:00:00'",
  `SELECT id FROM t WHERE "zoned ns" > '2020-01-01 00:00:00.123456789' OR "zoned ns" < TIMESTAMP '2020-01-01'`,
  'SELECT id AS x FROM t WHERE x = 3',
  'SELECT id + 1, -id, abs(id), CASE WHEN flag THEN 1 END, temp * 1.8 + 32, 7 FROM t ORDER BY id + 1',
  'SELECT id FROM t WHERE id = temp AND (id) = 3 AND (id > 1) = true',
  "SELECT extract(month FROM ns), extract(DOW FROM ns), date_part('Month', ns), year(day), date_trunc('hour', ns) FROM t",
  "SELECT name LIKE 'a%', name NOT LIKE '%a_', NOT name LIKE 'a', name ^@ 'a', length(name), contains(name, 'x') FROM t",
  "SELECT sum(id) FILTER (WHERE flag), count(*) FILTER (WHERE id > 3), max(name) FILTER (name LIKE 'a%') AS m FROM t",
  "SELECT DATE '2024-01-01', TIMESTAMP '2024-01-01 10:00:00', day = '2024-01-01'::DATE, temp > 0.7::DOUBLE FROM t",
  'SELECT floor("odd ""name""") AS cell, count(*), avg(temp * 1.8 + 32) FROM t GROUP BY cell',
]

/** Statements that the core declines, and why. */
const LEFT: readonly (readonly [sql: string, reason: string])[] = [
  ['SELECT id FROM t JOIN t AS u USING (id)', 'a join (line 1, column 34)'],
  ['SELECT t.id FROM t, t AS u', 'a join'],
  ['SELECT id FROM t UNION SELECT id FROM t', 'UNION'],
  ['WITH c AS (SELECT id FROM t) SELECT * FROM c', 'WITH'],
  ['FROM t', 'FROM'],
  ['SELECT id || 1 FROM t', '|| of Int32'],
  ['SELECT md5(name) FROM t', 'the function md5'],
  ['SELECT median(id) FROM t', 'the function median'],
  ['SELECT sum(DISTINCT id) FROM t', 'DISTINCT'],
  ['SELECT sum(id) FILTER (WHERE name) FROM t', 'a condition that is no BOOLEAN'],
  ['SELECT count(*) OVER () FROM t', 'a window function'],
  ['SELECT id::VARCHAR FROM t', 'cast of Int32'],
  ["SELECT ns + INTERVAL '1.5' DAY FROM t", 'an interval that is no whole number'],
  ["SELECT strftime(ns, '%c') FROM t", 'strftime of Timestamp(ns), Utf8'],
  ['SELECT id::TIME FROM t', 'a cast'],
  ['SELECT CASE WHEN flag THEN name ELSE 1 END FROM t', 'CASE of Utf8, 1'],
  ['SELECT * EXCLUDE (id) FROM t', '"EXCLUDE"'],
  ['SELECT DISTINCT ON (name) id FROM t', 'DISTINCT ON'],
  ['SELECT id FROM t WHERE id = name', '= of Int32, Utf8'],
  ['SELECT id FROM t WHERE id IN (SELECT id FROM t)', 'SELECT'],
  ["SELECT id FROM t WHERE name SIMILAR TO 'a.*'", 'SIMILAR'],
  ["SELECT id FROM t WHERE name LIKE 'a%' ESCAPE '!'", 'LIKE with ESCAPE'],
  ['SELECT is_null(id) FROM t', 'the function "is_null"'],
  ["SELECT date_part('epoch', ns) FROM t", 'date_part of the part epoch'],
  ['SELECT year(time) FROM t', 'year of Timestamp(us, UTC)'],
  ["SELECT id FROM t WHERE id = '3'", 'the comparison of Int32 with 3'],
  ['SELECT id FROM t WHERE flag = 1', 'the comparison of Boolean with 1'],
  ['SELECT id FROM t WHERE name > 1', 'the comparison of Utf8 with 1'],
  ['SELECT id FROM t WHERE price = 1e0', 'the comparison of Decimal128(9, 2) with 1e0'],
  ["SELECT id FROM t WHERE clock = '12'", 'the comparison of Time64(us) with 12'],
  ["SELECT id FROM t WHERE ns > 'infinity'", 'the comparison of Timestamp(ns) with infinity'],
  ['SELECT id FROM t WHERE id = NULL', 'the literal NULL'],
  ['SELECT id FROM t WHERE id', 'the condition "id"'],
  ['SELECT id FROM t WHERE flag IS TRUE', 'TRUE'],
  ['SELECT id FROM t WHERE id !=-1', 'an expression with !=-'],
  ['SELECT id FROM t WHERE id < = 1', '"="'],
  ['SELECT id FROM t WHERE id > 1 = true', '"="'],
  ['SELECT id FROM t WHERE id = 1_000', 'a number with underscores'],
  ["SELECT id FROM t WHERE name = E'a'", "a string of the form E'"],
  ["SELECT id FROM t WHERE name = 'a' COLLATE NOCASE", 'COLLATE'],
  ['SELECT list FROM t', 'the column "list" of type List<Int32>'],
  ['SELECT * FROM t', 'the column "uuid" of type FixedSizeBinary(16)'],
  ['SELECT uuid FROM t', 'the column "uuid" of type FixedSizeBinary(16)'],
  ['SELECT sum(flag) FROM t', 'sum of Boolean'],
  ['SELECT avg(time) FROM t', 'avg of Timestamp(us, UTC)'],
  ['SELECT name, flag FROM t GROUP BY name', 'a column that is neither grouped by nor in an aggregate'],
  ['SELECT DISTINCT count(*) FROM t GROUP BY name', 'DISTINCT over groups that it does not tell apart'],
  ['SELECT DISTINCT name FROM t ORDER BY id', 'DISTINCT rows in the order of another column'],
  ['SELECT id FROM t ORDER BY 2', 'the place 2 in a list of 1'],
  ['SELECT id FROM t ORDER BY ALL', 'ALL'],
  ['SELECT id FROM t ORDER BY id || 1', '|| of Int32'],
  ['SELECT id AS z, temp AS z FROM t ORDER BY z', 'the name "z", which stands for two columns'],
  ['SELECT avg(temp) AS temp FROM t HAVING temp > 1', 'the name "temp", which is a column and an alias'],
  ['SELECT count(*) AS n FROM t WHERE n > 1', 'an aggregate in place of a column'],
  ['SELECT id FROM t WHERE count(*) > 1', 'the aggregate count_star()'],
  ['SELECT nope FROM t', 'the name "nope", which no column has'],
  ['SELECT other.id FROM t', 'the name "other" before a dot'],
  ['SELECT id FROM t LIMIT 5 PERCENT', '"PERCENT"'],
  ['SELECT id FROM t LIMIT 5%', 'an expression with %'],
  ['SELECT id FROM t LIMIT 1 + 1', 'an expression with +'],
  ["SELECT id FROM t LIMIT '1'", "the literal '1'"],
  ['SELECT id FROM t USING SAMPLE 5', 'USING'],
  ['SELECT id FROM t x(a)', '"("'],
  ['SELECT id year FROM t', '"year"'],
  ['SELECT count(*) FROM (SELECT id FROM t LIMIT 3) WHERE id > 1', 'a query over a query'],
  ['SELECT sum(id) FROM (SELECT DISTINCT id FROM t)', 'an aggregate over a query'],
  ['SELECT count(*) FILTER (WHERE id > 1) FROM (SELECT id FROM t LIMIT 3)', 'an aggregate over a query'],
  ['SELECT id FROM t UNION ALL SELECT temp FROM t', 'UNION ALL of different queries'],
  ['SELECT count(*) FROM t UNION ALL SELECT count(*) FROM t', 'UNION ALL of different queries'],
  ['SELECT id FROM t UNION ALL SELECT id FROM t ORDER BY id', 'ORDER BY of a UNION ALL'],
  ['SELECT id FROM t UNION ALL BY NAME SELECT id FROM t', 'BY'],
  ['SELECT id FROM (SELECT id, id FROM t)', 'a query over one with equal names'],
  ['SELECT id FROM range(3)', 'a function that reads no file'],
]

const { duckColumns, bound } = await openBothColumns(SCHEMA)

t.test('what the core runs has the names and types of what DuckDB would run', async (t) => {
  for (const sql of CORE) {
    const outcome = bound(sql)
    const fields = 'plan' in outcome ? outcome.plan.output.fields : []
    t.same(
      'reason' in outcome ? outcome.reason : fields.map(({ name, type }) => `${name}: ${typeName(type)}`),
      duckColumns(sql),
      sql,
    )
  }
})

t.test('what it does not run is declined, with the reason', async (t) => {
  for (const [sql, reason] of LEFT) {
    const outcome = bound(sql)
    const found = 'reason' in outcome ? outcome.reason : 'none'
    t.equal(found.slice(0, reason.length), reason, `${sql}: ${found}`)
  }
})
