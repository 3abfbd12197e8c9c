import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { askBoth, show } from '../../sql/select/both-engines.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 1 })
const columns = tableFromArrays({
  id: Int32Array.of(0, 1, 2),
  // `abs` of the first is an error.
  x: Int32Array.of(-(2 ** 31), 2 ** 31 - 1, 5),
  f: Float64Array.of(1e300, -1.5, 2.5),
})
writeParquetFile(join(service.datasets, 'a.parquet'), columns, 10)

const FROM = "FROM read_parquet('a.parquet')"

/** Null for each row. */
const NULLS = [
  ...['abs(x) * NULL', 'NULL - abs(x)', 'abs(x) // NULL', 'NULL % abs(x)', 'abs(x) * (NULL + x)'],
  ...['abs(x) * CAST(NULL AS DOUBLE)', 'abs(x) * TRY_CAST(NULL + x AS INTEGER)', '-(NULL + x) + abs(x)'],
  ...['abs(x) * (1 % 0)', 'abs(x) * mod(1, 0)', 'abs(x) * (x // 0)', 'abs(x) * (1 / 0)'],
  ...['abs(x) * coalesce(NULL + x, NULL + x)', 'abs(x) * greatest(NULL + x, NULL + x)'],
  ...['abs(x) * CASE WHEN NULL + x > 1 THEN 1 END', 'abs(x) * CASE WHEN FALSE THEN x ELSE NULL + x END'],
  ...['pow(abs(x), CAST(NULL AS DOUBLE))', 'round(f * abs(x), CAST(NULL AS INTEGER))'],
  ...['abs(x) = NULL + x', 'NOT (NULL + x > abs(x))', 'abs(x) BETWEEN NULL + x AND NULL + x'],
]

/** What has a value although a part of it is null. */
const VALUES = [
  ...['coalesce(NULL + x, id)', 'greatest(NULL + x, id)', '(NULL + x) IS NULL', '(NULL + x) IN (id, 2)'],
  ...['id BETWEEN NULL + x AND 1', 'id > 1 AND NULL + x > 1', 'id > 1 OR NULL + x > 1'],
  ...['CASE WHEN NULL + x > 1 THEN abs(x) ELSE id END', 'CASE WHEN TRUE THEN id ELSE abs(x) END'],
  ...['CASE WHEN FALSE THEN abs(x) WHEN id > 1 THEN 7 WHEN TRUE THEN 8 ELSE abs(x) END'],
  ...['id IS DISTINCT FROM (NULL + x)', 'nullif(id, NULL + x)'],
]

/** What is computed all the same. */
const ERRORS = [
  ...['abs(x) * (id % 0)', 'abs(x) IS DISTINCT FROM (NULL + x)', 'abs(x) IN (NULL + x, 3)'],
  ...['abs(x) BETWEEN (NULL + x) AND 5', 'abs(x) > 1 AND NULL + x > 1', 'coalesce(NULL + x, abs(x))'],
  // The value of a subquery is no constant.
  `abs(x) * (SELECT max(id) ${FROM} WHERE FALSE)`,
]

/** Two statements over an expression, of which the first gives it for each row. */
const statementsOf = (expression: string): readonly string[] => [
  `SELECT id, ${expression} AS y ${FROM} ORDER BY id`,
  `SELECT ${expression} AS k, min(${expression}) AS y ${FROM} GROUP BY k ORDER BY min(id)`,
]

t.test('what is null by a constant is null for each row, in both engines', async (t) => {
  for (const sql of NULLS.flatMap(statementsOf)) {
    const { engine, core, duck } = await askBoth(service, sql)
    t.equal(engine, 'core', sql)
    t.equal(show(core), show(duck), sql)
    t.ok(typeof core !== 'string' && core.rows.every(([, value]) => value === null), sql)
  }
})

t.test('what has a value although a part of it is null has the same in both engines', async (t) => {
  for (const sql of VALUES.flatMap(statementsOf)) {
    const { engine, core, duck } = await askBoth(service, sql)
    t.equal(engine, 'core', sql)
    t.equal(show(core), show(duck), sql)
    t.type(core, 'object', sql)
  }
})

t.test('what DuckDB computes all the same is an error in both engines', async (t) => {
  for (const sql of ERRORS.flatMap(statementsOf)) {
    const { engine, core, duck } = await askBoth(service, sql)
    t.equal(engine, 'core', sql)
    t.same([typeof core, typeof duck], ['string', 'string'], sql)
  }
})

t.test('no row is in a range of which an end is null, and nothing is computed for it', async (t) => {
  for (const range of ['NULL AND id', 'NULL AND 5', 'id AND NULL', '5 AND NULL', 'NULL AND NULL']) {
    const { core, duck } = await askBoth(
      service,
      `SELECT id ${FROM} WHERE id < 9 AND abs(x) BETWEEN ${range}`,
    )
    t.same(
      [core, duck].map((answer) => typeof answer !== 'string' && answer.rows),
      [[], []],
      range,
    )
  }
})

t.test('rows in the order of what is null by a constant are in their other order', async (t) => {
  const { engine, core, duck } = await askBoth(
    service,
    `SELECT id ${FROM} ORDER BY (abs(x) * (NULL + (-f / x))), id LIMIT 2`,
  )
  t.equal(engine, 'core')
  t.equal(show(core), show(duck))
})
