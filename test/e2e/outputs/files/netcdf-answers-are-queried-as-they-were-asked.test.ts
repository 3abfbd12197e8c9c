import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { until } from '../../../support/until.ts'
import { answersOf } from '../../answers.ts'
import { numberedRows, writeParquetFile } from '../../parquet-file.ts'
import { startTestService } from '../../service.ts'

const service = await startTestService(t, { workers: 2 })
const { query, datasets, dataDir } = service
const { rowsOf, failure } = answersOf(service)
writeParquetFile(join(datasets, 'a.parquet'), numberedRows(150_000), 20_000)

async function file(body: object, format = 'netcdf'): Promise<{ response: Response; bytes: Buffer }> {
  const response = await query({ ...body, output: { format } })
  const bytes = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200) throw new Error(bytes.toString())
  return { response, bytes }
}

const SELECT = "SELECT id, noise, name FROM read_parquet('a.parquet')"

t.test('the core, DuckDB and JSON give the same bytes, under all names of the format', async (t) => {
  const { response, bytes } = await file({ sql: SELECT })
  t.equal(response.headers.get('content-type'), 'application/x-netcdf')
  t.equal(response.headers.get('content-disposition'), 'attachment; filename="output.nc"')
  t.equal(response.headers.get('content-length'), String(bytes.length))
  const others = [
    await file({ sql: SELECT }, 'hdf5'),
    await file({ from: { parquet: { paths: ['a.parquet'] } }, select: ['id', 'noise', 'name'] }, 'h5'),
    await file({
      sql: `SELECT id, noise, name FROM (SELECT *, abs(id) AS n FROM read_parquet('a.parquet'))`,
    }),
  ]
  for (const [index, other] of others.entries()) t.ok(other.bytes.equals(bytes), String(index))
  writeFileSync(join(datasets, 'a.nc'), bytes)
  t.same(
    await rowsOf({
      sql: "SELECT count(*) AS n, sum(id) AS id, max(noise) AS noise FROM read_netcdf('a.nc')",
    }),
    await rowsOf({ sql: `SELECT count(*) AS n, sum(id) AS id, max(noise) AS noise FROM (${SELECT})` }),
  )
  const filtered = 'WHERE id BETWEEN 131000 AND 131100 ORDER BY id'
  t.same(
    await rowsOf({ sql: `SELECT id, noise, name FROM read_netcdf('a.nc') ${filtered}` }),
    await rowsOf({ sql: `${SELECT} ${filtered}` }),
  )
})

t.test('nulls, no row and one row', async (t) => {
  const values =
    "SELECT * FROM (VALUES (1, 'a', 1.5::DOUBLE), (NULL, NULL, NULL), (3, 'c', NULL)) AS v(i, s, f)"
  for (const [name, sql] of [
    ['three', values],
    ['one', `${values} LIMIT 1`],
    ['none', `${values} LIMIT 0`],
  ] as const) {
    const { bytes } = await file({ sql })
    writeFileSync(join(datasets, `${name}.nc`), bytes)
    t.same(
      await rowsOf({ sql: `SELECT i, s, f FROM read_netcdf('${name}.nc')` }),
      await rowsOf({ sql }),
      name,
    )
  }
})

t.test('what is refused is a 400 before a row is read, and leaves no file', async (t) => {
  const netcdf = { output: { format: 'netcdf' } }
  t.match(
    await failure({ sql: 'SELECT true AS ok', ...netcdf }),
    /"ok" has the type Boolean.*CAST\("ok" AS UTINYINT\)/,
  )
  t.match(await failure({ sql: 'SELECT 1 AS "a/b"', ...netcdf }), /"a\/b" .*alias/)
  t.match(
    await failure({ sql: 'SELECT * FROM (VALUES (127::TINYINT), (NULL)) AS v(i)', ...netcdf }),
    /"i" has nulls and also the value 127/,
  )
  await until('no temporary file is left', async () => readdirSync(join(dataDir, 'tmp')).length === 0)
})

t.test('a client that leaves ends its file', async (t) => {
  const leaving = new AbortController()
  const sql = 'SELECT range AS i, range / 3 AS f FROM range(100000000)'
  const answer = query({ sql, output: { format: 'netcdf' } }, { signal: leaving.signal })
  setImmediate(() => leaving.abort())
  await t.rejects(answer)
  await file({ sql: 'SELECT 1 AS a' })
})
