// In a process of its own: it measures the heap.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import type { GridDocument } from '../formats/toy-grid/document.ts'
import { FORMATS_WITH_GRID } from '../formats/toy-grid/formats.ts'
import { MADE, madeValue } from '../formats/toy-grid/made-store.ts'
import { startTestService, type TestService } from './service.ts'

const WORKER = new URL('../formats/toy-grid/worker-with-made-chunks.ts', import.meta.url)
const MIB = 1 << 20

/** What main may hold of a query over a million chunks. Bytes. */
const MAY_GROW = 8 * MIB

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** The bytes of main's heap after garbage has been collected. */
function heapBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

async function startWithMillion(t: Test): Promise<TestService> {
  const service = await startTestService(t, {
    formats: FORMATS_WITH_GRID,
    worker: WORKER,
    workers: 2,
    // Reads are counted, so nothing may be cached.
    settings: { SERVICE_CACHE_BYTES: '0' },
  })
  const folder = join(service.datasets, 'million.toygrid')
  const document: GridDocument = {
    dimensions: ['x', 'y', 'z'].map((name) => ({
      name,
      size: MADE.side,
      chunk: MADE.chunk,
      start: 0,
      step: 1,
    })),
    variables: [{ name: 'v', dimensions: [0, 1, 2] }],
    isDeflated: false,
  }
  mkdirSync(folder)
  writeFileSync(join(folder, 'grid.json'), JSON.stringify(document))
  return service
}

const service = await startWithMillion(t)

/** A box of 100 chunks. */
const BOX = { x: [20, 39], y: [100, 109], z: [6, 9] } as const
const WHERE = Object.entries(BOX)
  .map(([name, [low, high]]) => `${name} BETWEEN ${low} AND ${high}`)
  .join(' AND ')
const IN_BOX = 20 * 10 * 4

function sumOf(box: Readonly<Record<'x' | 'y' | 'z', readonly [number, number]>>): number {
  let sum = 0
  for (let x = box.x[0]; x <= box.x[1]; x++)
    for (let y = box.y[0]; y <= box.y[1]; y++)
      for (let z = box.z[0]; z <= box.z[1]; z++) sum += madeValue(x, y, z)
  return sum
}

const ENGINES: Readonly<Record<string, object>> = {
  JSON: {
    from: { toygrid: { paths: ['million.toygrid'] } },
    select: ['x', 'v'],
    filters: Object.entries(BOX).map(([column, [min, max]]) => ({ column, min, max })),
  },
  'the core': { sql: `SELECT x, v FROM read_toygrid('million.toygrid') WHERE ${WHERE}` },
  DuckDB: { sql: `SELECT x, v + 0 * random() AS v FROM read_toygrid('million.toygrid') WHERE ${WHERE}` },
}

interface Metrics {
  readonly input_bytes: number
  readonly input_rows: number
  readonly node_metrics: { readonly metrics: { readonly units_read: number; readonly units_pruned: number } }
}

async function metricsOf(service: TestService, response: Response): Promise<Metrics> {
  const id = response.headers.get('x-service-query-id')
  return (await fetch(`${service.url}/api/query/metrics/${id}`)).json() as Promise<Metrics>
}

t.test('of a million chunks, a box of a hundred reads a hundred', async (t) => {
  for (const [engine, body] of Object.entries(ENGINES)) {
    const response = await service.query({ ...body, output: { format: 'csv' } })
    const lines = (await response.text()).trim().split('\n').slice(1)
    t.equal(response.status, 200, engine)
    t.equal(lines.length, IN_BOX, `${engine}: its rows`)
    t.equal(
      lines.reduce((sum, line) => sum + Number(line.split(',')[1]), 0),
      sumOf(BOX),
    )
    const { input_bytes, input_rows, node_metrics } = await metricsOf(service, response)
    t.equal(input_bytes / MADE.chunkBytes, 100, `${engine}: objects that were read`)
    t.equal(input_rows, IN_BOX, `${engine}: rows that were decoded`)
    const { units_read, units_pruned } = node_metrics.metrics
    t.ok(
      units_read + units_pruned > 1 && units_read <= 100,
      `${engine}: ${units_read} units of ${units_read + units_pruned}`,
    )
  }
})

t.test('EXPLAIN of a box tells its chunks, and opens none of them', async (t) => {
  const asked = { JSON: ENGINES['JSON'], SQL: ENGINES['the core'], DuckDB: ENGINES['DuckDB'] }
  for (const [engine, body] of Object.entries(asked)) {
    const response = await fetch(`${service.url}/api/explain-query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    t.equal(response.status, 200, text)
    t.match(text, /"100 of 1000000"/, `${engine}: the chunks that are left`)
  }
  const explained = await service.query({ sql: `EXPLAIN SELECT v FROM read_toygrid('**') WHERE ${WHERE}` })
  await explained.arrayBuffer()
  t.equal((await metricsOf(service, explained)).input_bytes, 0, 'no chunk was read')
})

const ALL: Readonly<Record<string, object>> = {
  JSON: { from: { toygrid: { paths: ['million.toygrid'] } }, select: ['v'] },
  DuckDB: { sql: "SELECT sum(v + 0 * x) AS total, count(v) AS n FROM read_toygrid('million.toygrid')" },
}

t.test('reading all of them leaves the heap of main as it was', async (t) => {
  // The first queries make what is made once for a process.
  for (const body of Object.values(ENGINES)) await (await service.query(body)).arrayBuffer()
  for (const [engine, body] of Object.entries(ALL)) {
    const before = heapBytes()
    let most = before
    let bytes = 0
    // Time itself: the heap is measured at intervals while the query runs. Collecting garbage takes longer than all else on this
    // thread, so it is only done where the heap is too large with its garbage.
    const timer = setInterval(() => {
      if (process.memoryUsage().heapUsed > before + MAY_GROW) most = Math.max(most, heapBytes())
    }, 250)
    const response = await service.query(body)
    for await (const chunk of response.body ?? []) bytes += chunk.length
    clearInterval(timer)
    t.equal(response.status, 200, engine)
    const { input_bytes, input_rows } = await metricsOf(service, response)
    const read = input_bytes / MADE.chunkBytes
    const again = `${engine}: ${read - MADE.chunks} chunks were read again`
    if (engine === 'JSON') t.equal(read, MADE.chunks, again)
    // On a busy machine a statement decodes a unit itself if another worker keeps it waiting for a second (`sharedUnits`).
    else t.ok(read >= MADE.chunks && read < 1.05 * MADE.chunks, again)
    t.ok(
      Math.abs(input_rows / MADE.side ** 3 - read / MADE.chunks) < 0.001,
      'the rows of these chunks were decoded',
    )
    if (engine === 'JSON') t.ok(bytes > 8 * MADE.side ** 3, 'all rows came')
    const grown = Math.max(most, heapBytes()) - before
    t.ok(grown < MAY_GROW, `${engine}: main held ${(grown / MIB).toFixed(1)} MiB more`)
  }
})
