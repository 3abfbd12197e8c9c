import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { GridDocument } from '../../formats/toy-grid/document.ts'
import { FORMATS_WITH_GRID } from '../../formats/toy-grid/formats.ts'
import { type CellValue, cellsIn, writeGrid } from '../../formats/toy-grid/write.ts'
import { untilSettled } from '../../support/settled.ts'
import { startTestService, type TestService } from '../service.ts'

const WORKER = new URL('../../formats/toy-grid/worker.ts', import.meta.url)

const DOCUMENT: GridDocument = {
  dimensions: [
    { name: 'time', size: 12, chunk: 5, start: 0, step: 6 },
    { name: 'lat', size: 9, chunk: 4, start: 80, step: -20 },
    { name: 'lon', size: 7, chunk: 7, start: 10, step: 1 },
  ],
  variables: [
    { name: 'v', dimensions: [0, 1, 2] },
    { name: 'depth', dimensions: [1, 2] },
  ],
  isDeflated: true,
}

/** The chunk in the middle of `v` is absent. */
const value: CellValue = (variable, indices) => {
  const [a = 0, b = 0, c = 0] = indices
  if (variable === 'depth') return BigInt(a * 10 + b)
  return a >= 5 && a < 10 && b >= 4 && b < 8 ? null : BigInt((a * 31 + b * 17 + c * 7) % 101)
}

interface Row {
  readonly time: number
  readonly lat: number
  readonly lon: number
  readonly v: number | null
  readonly depth: number
}

const ROWS: readonly Row[] = cellsIn([12, 9, 7]).map(([i = 0, j = 0, k = 0]) => {
  const v = value('v', [i, j, k])
  return {
    time: 6 * i,
    lat: 80 - 20 * j,
    lon: 10 + k,
    v: v === null ? null : Number(v),
    depth: Number(value('depth', [j, k])),
  }
})

async function startWithGrid(t: Test): Promise<TestService> {
  const service = await startTestService(t, { formats: FORMATS_WITH_GRID, worker: WORKER })
  for (const name of ['a.toygrid', 'more/b.toygrid']) {
    mkdirSync(join(service.datasets, name), { recursive: true })
    writeGrid(join(service.datasets, name), DOCUMENT, value)
  }
  await untilSettled(join(service.datasets, 'a.toygrid', 'grid.json'))
  return service
}

/** The rows of an answer as sorted lines of CSV, without the header. */
async function linesOf(service: TestService, body: object): Promise<string[]> {
  const response = await service.query({ ...body, output: { format: 'csv' } })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text.trimEnd().split('\n').slice(1)
}

const lines = (rows: readonly (readonly unknown[])[]): string[] =>
  rows.map((row) => row.map((each) => each ?? '').join())
const sorted = (rows: readonly string[]): string[] => [...rows].sort()

const FROM = { from: { toygrid: { paths: ['a.toygrid'] } } }
/** A statement that the core runs, and one that DuckDB runs. */
const statements = (select: string, rest = ''): readonly string[] => [
  `SELECT ${select} FROM read_toygrid('a.toygrid') ${rest}`,
  `WITH unused AS (SELECT 1) SELECT ${select} FROM read_toygrid('a.toygrid') ${rest}`,
]

t.test('rows of arrays come out in both engines as they were written', async (t) => {
  const service = await startWithGrid(t)
  const all = lines(ROWS.map(({ time, lat, lon, v, depth }) => [time, lat, lon, v, depth]))
  const columns = ['time', 'lat', 'lon', 'v', 'depth']
  const json = await linesOf(service, { ...FROM, select: columns })
  t.same(sorted(json), sorted(all))
  for (const sql of statements(columns.join()))
    t.same(await linesOf(service, { sql }), json, 'in the same order')

  const WHERES: readonly (readonly [string, (row: Row) => boolean])[] = [
    ['time BETWEEN 12 AND 40 AND lat > 0', ({ time, lat }) => time >= 12 && time <= 40 && lat > 0],
    ['lon = 12', ({ lon }) => lon === 12],
    ['time IN (0, 66) AND v < 50', ({ time, v }) => (time === 0 || time === 66) && v !== null && v < 50],
    ['v IS NULL', ({ v }) => v === null],
    ['lat = 20 OR lon = 16', ({ lat, lon }) => lat === 20 || lon === 16],
    ['time > 1000', () => false],
    ['NOT (lat < 60)', ({ lat }) => lat >= 60],
  ]
  for (const [where, passes] of WHERES) {
    const kept = ROWS.filter(passes)
    const expected = lines(kept.map(({ time, lat, lon, v }) => [time, lat, lon, v]))
    for (const sql of statements('time, lat, lon, v', `WHERE ${where}`))
      t.same(sorted(await linesOf(service, { sql })), sorted(expected), where)
    for (const sql of statements('count(*), sum(v), min(lat), max(time)', `WHERE ${where}`)) {
      const values = kept.flatMap(({ v }) => v ?? [])
      const row = [
        kept.length,
        values.length === 0 ? null : values.reduce((sum, each) => sum + each, 0),
        kept.length === 0 ? null : Math.min(...kept.map(({ lat }) => lat)),
        kept.length === 0 ? null : Math.max(...kept.map(({ time }) => time)),
      ]
      t.same(await linesOf(service, { sql }), lines([row]), `what is made of ${where}`)
    }
  }
})

t.test('orders, groups, limits and several grids', async (t) => {
  const service = await startWithGrid(t)
  const whole = await linesOf(service, { ...FROM, select: ['time', 'lat', 'lon', 'v'] })
  for (const [offset, limit] of [
    [0, 5],
    [100, 300],
    [750, 100],
    [2000, 10],
  ] as const) {
    const page = await linesOf(service, { ...FROM, select: ['time', 'lat', 'lon', 'v'], offset, limit })
    t.same(page, whole.slice(offset, offset + limit), `rows ${offset} and following`)
  }
  const best = ROWS.toSorted((a, b) => (b.v ?? -1) - (a.v ?? -1)).slice(0, 10)
  for (const sql of statements('v', 'ORDER BY v DESC NULLS LAST LIMIT 10'))
    t.same(await linesOf(service, { sql }), lines(best.map(({ v }) => [v])))
  for (const sql of statements('time, v', 'WHERE v IS NOT NULL ORDER BY time DESC, v LIMIT 3')) {
    const last = ROWS.filter(({ v }) => v !== null).toSorted(
      (a, b) => b.time - a.time || Number(a.v) - Number(b.v),
    )
    t.same(await linesOf(service, { sql }), lines(last.slice(0, 3).map(({ time, v }) => [time, v])))
  }
  const lats = [...Map.groupBy(ROWS, ({ lat }) => lat)].map(([lat, rows]) => [
    lat,
    rows.length,
    rows.filter(({ v }) => v !== null).length,
  ])
  for (const sql of statements('lat, count(time), count(v)', 'GROUP BY lat'))
    t.same(sorted(await linesOf(service, { sql })), sorted(lines(lats)))
  const both = await linesOf(service, {
    sql: "SELECT count(v), count(*) FROM read_toygrid('**/*.toygrid') WHERE time >= 0",
  })
  t.same(both, lines([[2 * ROWS.filter(({ v }) => v !== null).length, 2 * ROWS.length]]))
})

t.test('rows follow the columns that are read', async (t) => {
  const service = await startWithGrid(t)
  const lats = Array.from({ length: 9 }, (_, index) => [80 - 20 * index])
  const depths = cellsIn([9, 7]).map(([j = 0, k = 0]) => [80 - 20 * j, Number(value('depth', [j, k]))])
  t.same(
    await linesOf(service, { ...FROM, select: ['lat'] }),
    lines(lats),
    'a coordinate has the rows of its axis',
  )
  for (const sql of statements('lat')) t.same(await linesOf(service, { sql }), lines(lats))
  for (const sql of statements('lat, depth'))
    t.same(sorted(await linesOf(service, { sql })), sorted(lines(depths)))
  for (const sql of statements('count(*)'))
    t.same(await linesOf(service, { sql }), lines([[ROWS.length]]), 'of all columns')
})

t.test('units that are parts of a chunk inflate it once', async (t) => {
  const service = await startTestService(t, {
    formats: FORMATS_WITH_GRID,
    worker: WORKER,
    workers: 1,
    settings: { SERVICE_CACHE_BYTES: '0' },
  })
  const folder = join(service.datasets, 'one.toygrid')
  mkdirSync(folder)
  const cells = 2_500_000
  const document: GridDocument = {
    dimensions: [{ name: 'x', size: cells, chunk: cells, start: 0, step: 1 }],
    variables: [{ name: 'v', dimensions: [0] }],
    isDeflated: true,
  }
  writeGrid(folder, document, (_, [x]) => BigInt(x ?? 0) % 1000n)
  await untilSettled(join(folder, 'v', '0'))
  for (const sql of [
    "SELECT v FROM read_toygrid('one.toygrid')",
    "SELECT sum(v + 0 * random()) FROM read_toygrid('one.toygrid')",
  ]) {
    const response = await service.query({ sql })
    t.equal(response.status, 200)
    await response.arrayBuffer()
    const id = response.headers.get('x-service-query-id')
    const answer = await fetch(`${service.url}/api/query/metrics/${id}`)
    const metrics = (await answer.json()) as { readonly input_bytes: number }
    t.match(metrics, { input_rows: cells, node_metrics: { metrics: { units_read: 3 } } })
    const documents = 2 * statSync(join(folder, 'grid.json')).size
    const read = metrics.input_bytes - statSync(join(folder, 'v', '0')).size
    t.ok(read >= 0 && read <= 4 * documents, `the chunk was read once, and ${read} bytes besides`)
  }
})
