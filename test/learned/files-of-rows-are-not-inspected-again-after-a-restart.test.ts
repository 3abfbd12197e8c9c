import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Float64, Int32, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow'
import t, { type Test } from 'tap'
import { answersOf } from '../e2e/answers.ts'
import { writeParquetFile } from '../e2e/parquet-file.ts'
import { startTestService, type TestService } from '../e2e/service.ts'
import { untilSettled } from '../support/settled.ts'

/** More than count as few. */
const FILES = 70
const dataDir = t.testdir({})

function tableOf(nth: number): Table {
  return new Table({
    id: vectorFromArray([3 * nth, 3 * nth + 1, 3 * nth + 2], new Int32()),
    temp: vectorFromArray([nth, null, nth / 2], new Float64()),
    name: vectorFromArray(['a', `b${nth}`, 'c'], new Utf8()),
  })
}

function writeFiles(folder: string, nth: number): void {
  const table = tableOf(nth)
  writeParquetFile(join(folder, `p${nth}.parquet`), table, 10)
  writeParquetFile(join(folder, `groups${nth}.parquet`), table, 2)
  writeFileSync(join(folder, `a${nth}.arrow`), tableToIPC(table, 'file'))
  const lines = [0, 1, 2].map((row) => `${3 * nth + row},${nth},b${row}`)
  writeFileSync(join(folder, `c${nth}.csv`), ['id,temp,name', ...lines, ''].join('\n'))
}

const SOURCES = ["read_parquet('r/p*.parquet')", "read_arrow('r/a*.arrow')", "read_csv('r/c*.csv')"]
const GROUPS = "read_parquet('r/groups*.parquet')"
const ASKED = [...SOURCES, GROUPS].flatMap((source) => [
  `SELECT count(*) AS n, sum(id) AS ids FROM ${source}`,
  `SELECT id, temp, name FROM ${source} WHERE id >= 200 ORDER BY id`,
  `SELECT count(*) AS n FROM ${source} WHERE name = 'b1' AND temp IS NOT NULL`,
  `SELECT min(name) AS first, max(temp) AS warmest, count(temp) AS n FROM ${source}`,
])

async function withService(test: Test, work: (service: TestService) => Promise<void>): Promise<void> {
  const service = await startTestService(test, { dataDir, workers: 1 })
  await work(service)
  await service.close()
}

async function bytesInspected({ url }: TestService, sql: string): Promise<number> {
  const response = await fetch(`${url}/api/explain-analyze-query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
  })
  const [{ Plan }] = (await response.json()) as [{ Plan: { Extras: { inspect_bytes_read: number } } }]
  return Plan.Extras.inspect_bytes_read
}

let answers: readonly unknown[] = []

t.test('a first service inspects them', async (t) => {
  await withService(t, async (service) => {
    const folder = join(service.datasets, 'r')
    mkdirSync(folder)
    for (let nth = 0; nth < FILES; nth++) writeFiles(folder, nth)
    await untilSettled(folder)
    for (const source of SOURCES)
      t.ok((await bytesInspected(service, `SELECT sum(id) FROM ${source}`)) > 0, source)
    const { rowsOf } = answersOf(service)
    answers = await Promise.all(ASKED.map((sql) => rowsOf({ sql })))
    t.match(answers[0], [{ n: 3 * FILES }])
  })
})

t.test('another one inspects none, and has the same answers', async (t) => {
  await withService(t, async (service) => {
    for (const source of SOURCES) {
      t.equal(await bytesInspected(service, `SELECT sum(id) FROM ${source}`), 0, source)
      t.equal(await bytesInspected(service, `SELECT temp FROM ${source} WHERE id < 9`), 0, source)
    }
    const { rowsOf } = answersOf(service)
    t.same(await Promise.all(ASKED.map((sql) => rowsOf({ sql }))), answers)
  })
})

t.test('those that were changed meanwhile are inspected', async (t) => {
  const folder = join(dataDir, 'datasets', 'r')
  writeParquetFile(join(folder, 'p3.parquet'), tableOf(1000), 10)
  writeFileSync(join(folder, 'c3.csv'), 'id,temp,name\n3000,1,x\n')
  rmSync(join(folder, 'a3.arrow'))
  await untilSettled(folder)
  await withService(t, async (service) => {
    const { rowsOf, failure } = answersOf(service)
    const [parquet = '', arrow = '', csv = ''] = SOURCES
    const sums = `count(*) AS n, sum(id) AS ids`
    const all = (3 * FILES * (3 * FILES - 1)) / 2
    const ofThird = 9 + 10 + 11
    t.same(await rowsOf({ sql: `SELECT ${sums} FROM ${parquet}` }), [
      { n: 3 * FILES, ids: all - ofThird + 9003 },
    ])
    t.same(await rowsOf({ sql: `SELECT ${sums} FROM ${arrow}` }), [{ n: 3 * FILES - 3, ids: all - ofThird }])
    t.same(await rowsOf({ sql: `SELECT ${sums} FROM ${csv}` }), [
      { n: 3 * FILES - 2, ids: all - ofThird + 3000 },
    ])
    writeFileSync(join(folder, 'p5.parquet'), 'no such format')
    t.match(await failure({ sql: `SELECT ${sums} FROM ${parquet}` }), /p5\.parquet/)
  })
})
