import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { startTestService, type TestService } from '../e2e/service.ts'
import { SUPER_USER } from '../http/test-server.ts'
import { untilSettled } from '../support/settled.ts'
import { writeProfile } from './profiles.ts'

/** So many that nothing is told of the values along the axes of their grids. */
const FILES = 70
const ALL = "read_netcdf('p/*.nc')"
/** NetCDF-4, whose metadata a library parses. */
const NETCDF4 = join(import.meta.dirname, '..', '..', 'src', 'sample', 'sst.nc')
const LIBRARY = "read_netcdf('library/*.nc')"
const ANSWERED = [
  `SELECT count(*) AS n FROM ${ALL}`,
  `SELECT count(*) AS n, max(temp) AS warmest FROM ${ALL} WHERE lat > 24`,
  `SELECT temp, lat FROM ${ALL} WHERE lat BETWEEN 3 AND 5`,
  `SELECT temp + 1 AS warmer FROM ${ALL} WHERE lat = 7`,
  'SELECT count(*) AS n, min(lat) AS south FROM profiles WHERE lat BETWEEN 10 AND 11',
  `SELECT count(*) AS n FROM ${LIBRARY}`,
  `SELECT 'cell' AS what FROM ${LIBRARY} LIMIT 3`,
  `SELECT max(lat) AS north FROM ${LIBRARY}`,
]

const dataDir = t.testdir({})

/** Starts a service on the folder, and stops it after the work. */
async function withService(test: Test, work: (service: TestService) => Promise<void>): Promise<void> {
  const service = await startTestService(test, { dataDir, workers: 1 })
  await work(service)
  await service.close()
}

/** Bytes that a query reads of files. */
async function bytesRead({ url }: TestService, sql: string): Promise<number> {
  const response = await fetch(`${url}/api/explain-analyze-query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
  })
  const [{ Plan }] = (await response.json()) as [{ Plan: { Extras: { bytes_read: number } } }]
  return Plan.Extras.bytes_read
}

let answers: readonly unknown[] = []

t.test('a first service learns', async (t) => {
  await withService(t, async (service) => {
    const folder = join(service.datasets, 'p')
    for (let nth = 0; nth < FILES; nth++)
      writeProfile(folder, `p${nth}.nc`, { lat: nth, lon: 0, day: nth, temp: [nth, nth + 1, nth + 2] })
    const library = join(service.datasets, 'library')
    mkdirSync(library)
    for (const name of ['a.nc', 'b.nc']) copyFileSync(NETCDF4, join(library, name))
    await untilSettled(service.datasets)
    const { rowsOf } = answersOf(service)
    const sql = "CREATE EXTERNAL TABLE profiles STORED AS NETCDF LOCATION 'p/'"
    const headers = { 'content-type': 'application/json', ...SUPER_USER }
    t.equal((await service.query({ sql }, { headers })).status, 200)
    answers = await Promise.all(ANSWERED.map((sql) => rowsOf({ sql })))
    t.same(answers[0], [{ n: 3 * FILES }])
  })
})

t.test('another one opens only files that may match, and none to count rows', async (t) => {
  await withService(t, async (service) => {
    t.equal(await bytesRead(service, `SELECT count(*) AS n FROM ${ALL}`), 0, 'rows are counted')
    t.equal(await bytesRead(service, `SELECT count(*) AS n FROM ${LIBRARY}`), 0, 'and those of NetCDF-4')
    const few = await bytesRead(service, `SELECT temp FROM ${ALL} WHERE lat = 5`)
    const all = await bytesRead(service, `SELECT temp FROM ${ALL} WHERE lat > -1`)
    t.ok(few > 0 && few * (FILES / 4) < all, `${few} bytes of one file, ${all} of all`)
    const { rowsOf } = answersOf(service)
    t.same(await Promise.all(ANSWERED.map((sql) => rowsOf({ sql }))), answers)
  })
})

t.test('files that were changed meanwhile are read again', async (t) => {
  const folder = join(dataDir, 'datasets', 'p')
  writeProfile(folder, 'p3.nc', { lat: 100, lon: 0, day: 3, temp: [1] })
  rmSync(join(folder, 'p4.nc'))
  await untilSettled(folder)
  await withService(t, async (service) => {
    const { rowsOf, scalarOf, failure } = answersOf(service)
    t.same(await rowsOf({ sql: `SELECT temp FROM ${ALL} WHERE lat = 100` }), [{ temp: 1 }])
    t.equal(await scalarOf(`SELECT count(*) FROM ${ALL}`), 3 * (FILES - 2) + 1)
    writeFileSync(join(folder, 'p5.nc'), 'no such format')
    t.match(await failure({ sql: `SELECT temp FROM ${ALL} WHERE lat = 100` }), /p5\.nc/)
  })
})

t.test('a database that is lost or damaged costs time alone', async (t) => {
  const folder = join(dataDir, 'datasets', 'p')
  writeProfile(folder, 'p5.nc', { lat: 5, lon: 0, day: 5, temp: [5, 6, 7] })
  const path = join(dataDir, 'tables', 'learned.db')
  for (const content of [null, 'no database at all', Buffer.alloc(8192, 1)]) {
    if (content === null) rmSync(path)
    else writeFileSync(path, content)
    await withService(t, async (service) => {
      const { scalarOf } = answersOf(service)
      t.equal(await scalarOf(`SELECT count(*) FROM ${ALL}`), 3 * (FILES - 2) + 1)
      t.equal(await scalarOf(`SELECT max(temp) FROM ${ALL} WHERE lat = 20`), 22)
    })
  }
})
