import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromArrays } from 'apache-arrow'
import t, { type Test } from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { writeParquetFile } from '../e2e/parquet-file.ts'
import { writeProfile } from '../learned/profiles.ts'
import { fc, generator } from '../support/generate.ts'
import { type AnalyzedService, startAnalyzedService } from './analyzed.ts'

const FILES = 90
const ROWS = 12
const PARQUET = "read_parquet('p/*.parquet')"
const PROFILES = "read_netcdf('n/*.nc')"
const NETCDF4 = "read_netcdf('h/*.nc')"
const SAMPLE = join(import.meta.dirname, '..', '..', 'src', 'sample', 'sst.nc')

const below = generator('rows')
const dataDir = t.testdir({})

/** Rows of one file, among them texts that are longer than what is kept of them, nulls and NaN. */
function rowsOfFile(nth: number) {
  const ids = Array.from({ length: ROWS }, (_, row) => nth * ROWS + row)
  return tableFromArrays({
    id: Int32Array.from(ids),
    depth: Float64Array.from(ids, (id) => (id % 31 === 7 ? Number.NaN : id / 2)),
    maybe: ids.map((id) => (nth % 5 === 2 || id % 3 === 1 ? null : id - 100)),
    name: ids.map((id) =>
      id % 17 === 4 ? null : `${nth % 4 === 1 ? 'n'.repeat(70) : 'name'}-${id}-${below(9)}`,
    ),
  })
}

async function withService(t: Test, work: (service: AnalyzedService) => Promise<void>): Promise<void> {
  const service = await startAnalyzedService(t, { dataDir })
  await work(service)
  await service.close()
}

const QUERIES = [
  `SELECT id, depth, maybe, name FROM ${PARQUET} WHERE id BETWEEN 40 AND 45`,
  `SELECT count(*) AS n, min(id) AS first, max(name) AS last FROM ${PARQUET} WHERE name >= 'name-5' AND name < 'name-52'`,
  `SELECT id + 1 AS following FROM ${PARQUET} WHERE maybe = 77`,
  'SELECT count(*) AS n FROM declared WHERE id > 1070',
  `SELECT a.id FROM ${PARQUET} a JOIN declared b ON a.id = b.id WHERE a.id < 3`,
  `SELECT count(*) AS n FROM ${PARQUET}`,
  `SELECT temp FROM ${PROFILES} WHERE lat = 5`,
]

let answers: readonly unknown[] = []

t.test('after a restart, files of which nobody has asked', async (t) => {
  await withService(t, async (service) => {
    for (const folder of ['p', 'n', 'h']) mkdirSync(join(service.datasets, folder))
    for (let nth = 0; nth < FILES; nth++) {
      const name = String(nth).padStart(3, '0')
      writeParquetFile(join(service.datasets, 'p', `${name}.parquet`), rowsOfFile(nth), 5)
      writeProfile(join(service.datasets, 'n'), `${name}.nc`, { lat: nth, lon: 0, day: nth, temp: [nth, 1] })
      if (nth < 70) copyFileSync(SAMPLE, join(service.datasets, 'h', `${name}.nc`))
    }
    const { analyzed, failed } = await service.analyze()
    t.same({ analyzed, failed }, { analyzed: 2 * FILES + 70, failed: 0 })
  })
  await withService(t, async (service) => {
    const few = await service.explained(`SELECT id, name FROM ${PARQUET} WHERE id BETWEEN 40 AND 45`)
    t.match(few.plan, `"Files Pruned":"${FILES - 1} of ${FILES}"`)
    t.match(few.plan, `"file_stats_files_considered":${FILES},"file_stats_files_pruned":${FILES - 1}`)
    const text = await service.explained(
      `SELECT id + 1 AS following FROM ${PARQUET} WHERE name = 'name-500-3'`,
    )
    t.match(text.plan, /"file_stats_files_pruned":[78]\d/)
    const profiles = await service.explained(`SELECT temp FROM ${PROFILES} WHERE lat = 5`)
    t.match(profiles.plan, `"Files Pruned":"${FILES - 1} of ${FILES}"`)
    const none = await service.explained(`SELECT lat FROM ${NETCDF4} WHERE lat > 1000`)
    t.equal(none.bytes, 0)
    t.match(none.plan, '"file_stats_files_pruned":70')
  })
})

t.test('answers are those of a service that knows nothing', async (t) => {
  const declare = "CREATE EXTERNAL TABLE declared STORED AS PARQUET LOCATION 'p/'"
  await withService(t, async (service) => {
    t.same(await service.state(declare), [])
    const { rowsOf } = answersOf(service)
    answers = await Promise.all(QUERIES.map((sql) => rowsOf({ sql })))
    t.same(answers[0], [...(answers[0] as object[])].slice(0, 6))
    const column = fc.constantFrom('id', 'depth', 'maybe')
    const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=')
    const condition = fc.oneof(
      fc.tuple(column, comparison, fc.integer({ min: -120, max: 1100 })).map((words) => words.join(' ')),
      fc
        .tuple(comparison, fc.integer({ min: 0, max: 1100 }))
        .map(([sign, id]) => `name ${sign} 'name-${id}'`),
      fc.integer({ min: 0, max: 99 }).map((id) => `name LIKE '${'n'.repeat(70)}-${id}%'`),
      fc.constantFrom('id', 'depth', 'maybe', 'name').map((name) => `${name} IS NULL`),
    )
    const filter = fc.oneof(
      condition,
      fc.tuple(condition, fc.constantFrom('AND', 'OR'), condition).map((words) => words.join(' ')),
      condition.map((each) => `NOT (${each})`),
    )
    for (const plain of fc.sample(filter, 24)) {
      // Nothing is known of what functions return, so this reads all files.
      const hidden = plain.replaceAll(/\b(id|depth|maybe|name)\b(?!-)/g, 'coalesce($1, NULL)')
      const select = (condition: string) => ({ sql: `SELECT id FROM ${PARQUET} WHERE ${condition}` })
      t.same(await rowsOf(select(plain)), await rowsOf(select(hidden)), plain)
    }
  })
  rmSync(join(dataDir, 'tables', 'learned.db'))
  await withService(t, async (service) => {
    const { rowsOf } = answersOf(service)
    t.same(await Promise.all(QUERIES.map((sql) => rowsOf({ sql }))), answers)
    t.same(await service.states(), {})
    const { discovered, requeued } = await service.analyze()
    t.same({ discovered, requeued }, { discovered: 2 * FILES + 70, requeued: 0 })
    writeParquetFile(join(service.datasets, 'p', '003.parquet'), rowsOfFile(500), 5)
    t.same(await rowsOf({ sql: `SELECT min(id) AS id FROM ${PARQUET} WHERE id > 5000` }), [{ id: 6000 }])
  })
})
