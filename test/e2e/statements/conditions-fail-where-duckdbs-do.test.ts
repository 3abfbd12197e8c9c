import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t from 'tap'
import { askBoth, show } from '../../sql/select/both-engines.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const service = await startTestService(t, { workers: 1 })
const columns = tableFromArrays({
  id: Int32Array.of(0, 1, 2),
  u: Uint16Array.of(3, 65534, 1),
  i: Int16Array.of(3, 32767, 1),
})
writeParquetFile(join(service.datasets, 'a.parquet'), columns, 10)

/** Conditions of which the constant is moved to the other side, so that nothing is computed. */
const MOVED = ['u * 2 != 1', 'u * 2 > 2', 'u + 9 > 20', 'CAST(u AS INTEGER) > 2']

/** What is computed of each row, one of which does not fit. */
const COMPUTED = [
  ...['CAST(u * 2 AS INTEGER) != 1', 'TRY_CAST(u * 2 AS INTEGER) != 1', 'CAST(u * 2 AS INTEGER) > 2'],
  ...['CAST(u + 9 AS BIGINT) > 20', 'CAST(CAST(u + 9 AS INTEGER) AS BIGINT) = 12'],
  // No integer is such a number, but it is computed before it is compared.
  ...['u * 2 = 2.5', 'NOT u * 2 <> 2.5', 'u * 2 IN (2.5, 3.5)', 'u * 2 = 2.5 AND id >= 0'],
]

/** A part of a time that no time has: no row passes, so that nothing is computed. */
const OF_NO_TIME = ['dayofweek(to_timestamp(i * 1e300)) >= 7', 'month(to_timestamp(u * 1e300)) = 13']

/** Of a range with one constant end, the other end is computed only of rows that the constant leaves. None does. */
const LEFT_OUT = ['id BETWEEN CAST(u * 2 AS INTEGER) AND -1', 'id BETWEEN 3 AND CAST(u * 2 AS INTEGER)']

/** Integers that are rounded are themselves, but they are computed first. */
const ROUNDED = ['trunc(i + 9) > 20', 'round(i * 2, 0) <> 1', 'TRY_CAST(trunc(i - -5) AS BIGINT) > 0']

t.test('rounding an integer fails where the integer does', async (t) => {
  for (const condition of ROUNDED) {
    const { core, duck } = await askBoth(
      service,
      `SELECT id FROM read_parquet('a.parquet') WHERE ${condition}`,
    )
    t.equal(typeof core, 'string', condition)
    t.equal(typeof duck, 'string', condition)
  }
})

t.test('a condition fails in both engines, or in none', async (t) => {
  for (const condition of [...MOVED, ...COMPUTED, ...LEFT_OUT, ...OF_NO_TIME]) {
    const sql = `SELECT id FROM read_parquet('a.parquet') WHERE ${condition} ORDER BY id`
    const { engine, core, duck } = await askBoth(service, sql)
    t.equal(engine, 'core', sql)
    t.equal(typeof core === 'string', COMPUTED.includes(condition), show(core))
    t.equal(typeof duck === 'string', COMPUTED.includes(condition), show(duck))
    if (typeof core !== 'string') t.equal(show(core), show(duck), sql)
  }
})
