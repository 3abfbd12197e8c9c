import { join } from 'node:path'
import t from 'tap'
import { SUPER_USER } from '../../http/test-server.ts'
import { answersOf } from '../answers.ts'
import { numberedRows, writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

const X = "read_parquet('x.parquet')"
const PRODUCT = '9223372036854775807 * id'
const OVERFLOW = 'Out of Range Error: Overflow in multiplication of INT64'

t.test('the message on a row that fails has the place of the expression', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  writeParquetFile(join(service.datasets, 'x.parquet'), numberedRows(200, 1), 100)
  const { failure } = answersOf(service)
  for (const sql of [
    `SELECT id, ${PRODUCT} AS n FROM ${X}`,
    `SELECT max(id + ${PRODUCT}) AS n FROM ${X}`,
    `SELECT id FROM ${X} WHERE ${PRODUCT} > 3`,
    `SELECT count(*) AS n FROM ${X} GROUP BY ${PRODUCT}`,
    `SELECT id FROM ${X} ORDER BY ${PRODUCT} LIMIT 3`,
    `SELECT n FROM (SELECT ${PRODUCT} AS n FROM ${X}) AS inner_rows`,
    `SELECT id FROM ${X} GROUP BY id HAVING ${PRODUCT} > 3`,
    `EXPLAIN ANALYZE SELECT ${PRODUCT} AS n FROM ${X}`,
  ])
    t.ok(
      (await failure({ sql })).startsWith(`"sql, line 1, column ${sql.indexOf(PRODUCT) + 1}: ${OVERFLOW}`),
      sql,
    )
  t.match(
    await failure({ sql: `SELECT id,\n  ${PRODUCT} AS n\nFROM ${X}` }),
    `"sql, line 2, column 3: ${OVERFLOW}`,
  )
})

t.test('of a call in a JSON request it has the path', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  writeParquetFile(join(service.datasets, 'x.parquet'), numberedRows(200, 1), 100)
  const { failure } = answersOf(service)
  const call = { function: 'sqrt', args: [{ function: 'sin', args: ['id'] }], alias: 'root' }
  const from = { parquet: { paths: ['x.parquet'] } }
  t.match(
    await failure({ select: ['id', call], from }),
    '"select[1]: Out of Range Error: cannot take square root of a negative number',
  )
})

t.test('of an expression of a view it names the view, and no place of the statement', async (t) => {
  const service = await startTestService(t, { workers: 1 })
  writeParquetFile(join(service.datasets, 'x.parquet'), numberedRows(200, 1), 100)
  const { failure } = answersOf(service)
  const run = async (sql: string): Promise<void> => {
    t.equal(
      (await service.query({ sql }, { headers: { ...SUPER_USER, 'content-type': 'application/json' } }))
        .status,
      200,
      sql,
    )
  }
  await run(`CREATE VIEW products AS SELECT id, ${PRODUCT} AS n FROM ${X}`)
  await run('CREATE VIEW above AS SELECT id, n + 1 AS m FROM products')
  await run(
    `CREATE VIEW sums AS SELECT id, max(id) * 9223372036854775807 AS n FROM ${X} WHERE id > 1 GROUP BY id`,
  )
  for (const [sql, view] of [
    ['SELECT n FROM products', 'products'],
    ['SELECT id FROM products WHERE n > 3', 'products'],
    ['SELECT m FROM above', 'products'],
    ['SELECT n FROM sums', 'sums'],
  ] as const) {
    const message = await failure({ sql })
    t.match(message, `${OVERFLOW}`, sql)
    t.ok(message.endsWith(`(in the view "${view}")"`), `${sql}: ${message}`)
    t.notMatch(message, /line 1/)
  }
  t.match(
    await failure({ sql: `SELECT ${PRODUCT} AS other FROM above` }),
    `"sql, line 1, column 8: ${OVERFLOW}`,
  )
  t.match(
    await failure({ select: ['n'], from: 'products' }),
    /Overflow in multiplication of INT64.*\(in the view "products"\)/,
  )
})
