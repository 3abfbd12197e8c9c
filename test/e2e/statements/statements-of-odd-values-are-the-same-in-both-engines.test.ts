import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  Binary,
  Dictionary,
  Field,
  Float16,
  Float64,
  Int16,
  Int32,
  Null,
  Schema,
  Table,
  TimeSecond,
  TimestampSecond,
  tableToIPC,
  Uint64,
  Utf8,
  vectorFromArray,
} from 'apache-arrow'
import t from 'tap'
import { askBoth, sameAnswers, show } from '../../sql/select/both-engines.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const ROWS = 60
const every = <T>(values: readonly T[]): T[] =>
  Array.from({ length: ROWS }, (_, row) => values[row % values.length] as T)

/** A few values of every type, including the odd ones, repeated in different orders. */
function oddTable(): Table {
  const columns = {
    id: vectorFromArray(
      Array.from({ length: ROWS }, (_, row) => row),
      new Int32(),
    ),
    f: vectorFromArray(
      every([0, -0, null, Number.NaN, 1.5, Number.POSITIVE_INFINITY, -1.5, Number.NEGATIVE_INFINITY, 1e-300]),
      new Float64(),
    ),
    h: vectorFromArray(every([1.5, null, -2, 0.25, Number.NaN, 65504, -0]), new Float16()),
    d: vectorFromArray(every(['b', 'a', null, '', 'é', 'a', 'zz']), new Dictionary(new Utf8(), new Int16())),
    b: vectorFromArray(
      every([Buffer.from('a'), null, Buffer.from(''), Buffer.from([255, 0]), Buffer.from('a\0')]),
      new Binary(),
    ),
    u: vectorFromArray(every([0n, 2n ** 53n + 1n, null, 2n ** 53n, 2n ** 63n - 1n]), new Uint64()),
    z: vectorFromArray(every([0, null, -1000, 1_600_000_000_000]), new TimestampSecond('Europe/Paris')),
    c: vectorFromArray(every([0, 86_399, null, 3_600]), new TimeSecond()),
    n: vectorFromArray(every([null]), new Null()),
  }
  const schema = new Schema(Object.entries(columns).map(([name, { type }]) => new Field(name, type, true)))
  return new Table(schema, columns)
}

const COLUMNS = ['f', 'h', 'd', 'b', 'u', 'z', 'c', 'n']
const NUMBERS = ['f', 'h', 'u', 'n']

const STATEMENTS = [
  'SELECT * FROM t',
  'SELECT * FROM t ORDER BY f DESC, h, id LIMIT 20 OFFSET 7',
  ...COLUMNS.flatMap((name) => [
    `SELECT id, ${name} FROM t ORDER BY ${name}, id`,
    `SELECT id, ${name} FROM t ORDER BY ${name} DESC, id DESC LIMIT 11`,
    `SELECT ${name}, id FROM t ORDER BY ${name} NULLS FIRST, id OFFSET 3`,
    `SELECT DISTINCT ${name} FROM t`,
    `SELECT DISTINCT ${name} FROM t WHERE id > 1000`,
    `SELECT ${name}, count(*), count(${name}), count(DISTINCT ${name}), min(id), max(id) FROM t GROUP BY ${name}`,
    `SELECT count(*), count(${name}), count(DISTINCT ${name}) FROM t WHERE ${name} IS NULL`,
    `SELECT count(${name}), count(DISTINCT ${name}) FROM t`,
    `SELECT count(*) FROM (SELECT DISTINCT ${name} FROM t ORDER BY ${name} LIMIT 3)`,
    `SELECT id FROM t WHERE NOT ${name} IS NULL LIMIT 5`,
  ]),
  ...COLUMNS.filter((name) => name !== 'b').flatMap((name) => [
    `SELECT min(${name}), max(${name}) FROM t`,
    `SELECT d, min(${name}), max(${name}) FROM t GROUP BY ALL ORDER BY d`,
    `SELECT min(${name}), max(${name}) FROM t WHERE id < 0`,
  ]),
  ...NUMBERS.flatMap((name) => [
    `SELECT sum(${name}), avg(${name}) FROM t WHERE id IN (1, 2, 10, 11)`,
    `SELECT sum(${name}), avg(${name}), stddev(${name}), variance(${name}) FROM t WHERE id < 0`,
    `SELECT avg(${name}), stddev(${name}), stddev_pop(${name}), var_pop(${name}) FROM t WHERE id = 4`,
  ]),
  'SELECT count(*) FROM t HAVING count(*) > 1000',
  'SELECT count(*) FROM t HAVING FALSE',
  'SELECT d FROM t GROUP BY d HAVING FALSE',
  "SELECT d, count(*) AS k FROM t GROUP BY d HAVING k >= 9 AND d > '' ORDER BY k DESC, d LIMIT 0",
  'SELECT d, count(*) FROM t GROUP BY d ORDER BY d OFFSET 100',
  'SELECT count(*) FROM (SELECT id FROM t LIMIT 0)',
  'SELECT count(*) FROM (SELECT id FROM t ORDER BY f LIMIT 7 OFFSET 55)',
  'SELECT count(*) FROM (SELECT d, f FROM t GROUP BY d, f)',
  'SELECT count(*) FROM (SELECT id FROM t WHERE f > 1 UNION ALL SELECT id FROM t WHERE f > 1)',
  'SELECT f, id FROM t UNION ALL SELECT f, id FROM t ORDER BY 2, 1 LIMIT 9',
  'SELECT d, sum(v) AS s FROM (SELECT d, id AS v FROM t WHERE id > 3) GROUP BY d ORDER BY s',
  'SELECT * FROM (SELECT d, count(*) AS n FROM t GROUP BY d ORDER BY d) LIMIT 3 OFFSET 1',
  'SELECT id FROM t WHERE f = 0 OR f >= 1.5 OR h = -2 OR u = 9007199254740993',
  "SELECT id FROM t WHERE d BETWEEN '' AND 'b' AND z >= '1970-01-01' AND c < '12:00:00'",
  'SELECT id FROM t WHERE n = 3 OR NOT (n = 3)',
  'SELECT id FROM t WHERE FALSE',
  'SELECT max(id) FROM t WHERE 1=1 AND id < 50',
  'SELECT avg(id) FROM t LIMIT 0',
]

/** Aliases that are the names of other columns. */
const ALIASES = [
  'SELECT id AS f, f AS id FROM t ORDER BY f, id',
  'SELECT id AS f FROM t ORDER BY t.f, t.id',
  'SELECT id AS f, max(f) FROM t GROUP BY id',
  'SELECT id AS u FROM t WHERE u > 5 ORDER BY u',
  'SELECT sum(id) AS f FROM t WHERE f > 1',
  'SELECT d, max(u) AS u FROM t GROUP BY d ORDER BY u, d',
  'SELECT D AS "É", ID FROM t ORDER BY "É", Id LIMIT 12',
  'SELECT DISTINCT d AS f FROM t ORDER BY f',
  'SELECT c AS d, d AS c, count(*) FROM t GROUP BY c, d ORDER BY c, d',
  'SELECT x.id AS f, x.f AS h FROM (SELECT id, h AS f FROM t WHERE f > 0) AS x WHERE f < 2 ORDER BY x.id',
]

const service = await startTestService(t, { workers: 2 })
const table = oddTable()
writeFileSync(join(service.datasets, 't.arrow'), tableToIPC(table, 'file'))
writeParquetFile(join(service.datasets, 't.parquet'), table, 7)

for (const source of ["read_arrow('t.arrow')", "read_parquet('t.parquet')"])
  t.test(`${source}: the core = DuckDB`, async (t) => {
    for (const statement of [...STATEMENTS, ...ALIASES]) {
      const sql = statement.replaceAll(/\bFROM t\b/g, `FROM ${source} AS t`)
      const { engine, core, duck } = await askBoth(service, sql)
      t.equal(engine, 'core', statement)
      const isOrdered = !/GROUP BY|DISTINCT/.test(sql) || /ORDER BY/.test(sql)
      t.ok(sameAnswers(core, duck, isOrdered), `${statement}\n${show(core)}\n${show(duck)}`)
    }
  })
