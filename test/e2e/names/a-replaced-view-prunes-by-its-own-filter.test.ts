import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { startTables } from '../../external/tables.ts'
import { writeParquetFile } from '../parquet-file.ts'

/** Conditions of a view over the numbers from 0 to 999, with how many of them pass. */
const CONDITIONS = [
  ['n < 100', 100],
  ['n >= 900', 100],
  ['n BETWEEN 450 AND 549', 100],
  ['n < 0', 0],
  ['true', 1000],
  ['n < 100', 100],
] as const

t.test('the same statement over the same files, whose view is another each time', async (t) => {
  const { at, command, ask, analyze, settle } = await startTables(t)
  const n = Int32Array.from({ length: 1000 }, (_, number) => number)
  writeParquetFile(at('numbers.parquet'), tableFromArrays({ n }), 50)
  await settle()
  t.equal(await command("CREATE EXTERNAL TABLE numbers STORED AS PARQUET LOCATION 'numbers.parquet'"), '')
  t.equal(await command('CREATE VIEW low AS SELECT n FROM numbers'), '')
  t.equal(await command('CREATE VIEW high AS SELECT n AS m FROM low'), '')
  const asked = {
    core: 'SELECT count(m) AS c FROM high',
    DuckDB: 'SELECT count(m) AS c FROM (SELECT m, row_number() OVER () AS r FROM high)',
    'DuckDB, in a common table':
      'WITH a AS (SELECT m FROM high) SELECT count(a.m) AS c FROM a, (SELECT 1) AS one',
    'DuckDB, with a condition of its own':
      'SELECT count(*) AS c FROM (SELECT m + 0 AS m FROM high WHERE m >= 0) AS t WHERE t.m < 5000',
  }
  for (const view of ['low', 'high']) {
    t.equal(await command('CREATE OR REPLACE VIEW low AS SELECT n FROM numbers'), '')
    for (const [condition, count] of CONDITIONS) {
      const query =
        view === 'low'
          ? `SELECT n FROM numbers WHERE ${condition}`
          : `SELECT n AS m FROM low WHERE ${condition}`
      t.equal(await command(`CREATE OR REPLACE VIEW ${view} AS ${query}`), '')
      for (const [way, sql] of Object.entries(asked)) {
        t.same(await ask(sql), ['c', String(count)], `${view} where ${condition}: ${way}`)
        if (count !== 100) continue
        const pruned = [...(await analyze(sql)).matchAll(/"units_pruned":\s*(\d+)/g)]
        t.ok(
          pruned.some(([, units]) => Number(units) > 10),
          `${view} where ${condition}: ${way}: units are left out`,
        )
      }
    }
  }
})
