import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTables } from '../../external/tables.ts'

/** A file as the buoys of NDBC have them (scripts/make-csv-dialects.py). */
const NDBC = readFileSync(join(import.meta.dirname, '../../fixtures/csv-dialects/ndbc.txt'), 'utf8')
const CALL = "read_csv('46042.txt', delimiter = 'whitespace', units = true, na = 'MM')"
const ROWS = [
  [240, 13.1],
  [999, null],
  [90, -0.1],
  [90, -0.1],
]

t.test('the same rows on the core, in DuckDB, in JSON and through a table', async (t) => {
  const { put, command, settle, rows, query } = await startTables(t)
  put('46042.txt', NDBC)
  await settle()
  t.equal(
    await command(
      "CREATE EXTERNAL TABLE buoy STORED AS CSV LOCATION '46042.txt' OPTIONS (delimiter 'whitespace', units 'true', na 'MM')",
    ),
    '',
  )
  const csv = { paths: ['46042.txt'], delimiter: 'whitespace', units: true, na: ['MM'] }
  for (const body of [
    { sql: `SELECT WDIR, WTMP FROM ${CALL}` },
    { sql: `SELECT WDIR + 0 AS WDIR, WTMP FROM ${CALL}` },
    { sql: 'SELECT WDIR, WTMP FROM buoy' },
    { select: ['WDIR', 'WTMP'], from: { csv } },
    { select: ['WDIR', 'WTMP'], from: 'buoy' },
  ])
    t.same(
      (await rows(body)).toArray().map((row) => [Number(row['WDIR']), row['WTMP']]),
      ROWS,
      JSON.stringify(body),
    )
  const plain = await query({ sql: "SELECT * FROM read_csv('46042.txt')" })
  t.match(plain.headers.get('x-service-notice'), "delimiter = 'whitespace' would give 13 columns")
  const regex = await query({ sql: "SELECT * FROM read_csv('46042.txt', delimiter = '\\s+')" })
  t.match(await regex.text(), "'whitespace' is any number of spaces and tabs")
})
