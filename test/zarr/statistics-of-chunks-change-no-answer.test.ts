import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { fc } from '../support/generate.ts'
import { untilSettled } from '../support/settled.ts'
import { type ArrayToWrite, chunkObjects, type Layout, writeZarr } from './write-zarr.ts'

const service = await startTestService(t)
const STORE = join(service.datasets, 'x.zarr')

/** Null: a value that is masked. */
const VALUE = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -20, max: 20 }) },
  { weight: 2, arbitrary: fc.constantFrom(Number.NaN, -999, -999, -0, Number.NEGATIVE_INFINITY) },
)

/** Values of each type: of floats all, of integers those without NaN and infinities. */
const TYPES = {
  float32: (all: readonly number[]) => Float32Array.from(all),
  float64: (all: readonly number[]) => Float64Array.from(all),
  int16: (_: readonly number[], whole: readonly number[]) => Int16Array.from(whole),
  int64: (_: readonly number[], whole: readonly number[]) => BigInt64Array.from(whole, BigInt),
}

const LAYOUTS: readonly Layout[] = [
  { version: 3, isCompressed: true },
  { version: 3, isCompressed: false },
  { version: 3, isCompressed: true, chunksOfShard: 2 },
]

const STORES = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 })), {
    minLength: 1,
    maxLength: 3,
  })
  .chain((axes) => {
    const shape = axes.map(([size]) => size)
    const cells = shape.reduce((product, each) => product * each, 1)
    return fc.record({
      shape: fc.constant(shape),
      chunk: fc.constant(axes.map(([size, chunk]) => Math.min(size, chunk))),
      chunkOfW: fc.constantFrom(
        shape,
        axes.map(() => 1),
        axes.map(([, chunk]) => chunk),
      ),
      // The values of neighbours are alike, so that chunks differ.
      values: fc.array(VALUE, { minLength: cells, maxLength: cells }),
      isSorted: fc.boolean(),
      type: fc.constantFrom('float32', 'float64', 'int16', 'int64'),
      layout: fc.constantFrom(...LAYOUTS),
      hasFill: fc.boolean(),
      absent: fc.option(fc.nat({ max: 5 }), { nil: null }),
    })
  })

const FILTERS = fc.array(
  fc
    .tuple(
      fc.constantFrom(
        'v > $a',
        'v <= $a',
        'v = $a',
        'v <> $a',
        'v BETWEEN $a AND $b',
        'NOT (v > $a)',
        'v IN ($a, $b)',
        'v IS NULL',
        'v IS NOT NULL AND v < $a',
        'v > $a OR v < $b',
        'v > $a AND w < $b',
        'v > $a OR w = $b',
        'd0 > 1 AND v > $a',
      ),
      fc.integer({ min: -21, max: 21 }),
      fc.integer({ min: -21, max: 21 }),
    )
    .map(([form, a, b]) => form.replaceAll('$a', String(a)).replaceAll('$b', String(Math.max(a, b)))),
  { minLength: 3, maxLength: 3 },
)

type Made = typeof STORES extends fc.Arbitrary<infer T> ? T : never

function arraysOf({ shape, chunk, chunkOfW, values, isSorted, type, hasFill, absent }: Made): ArrayToWrite[] {
  const ordered = isSorted ? values.toSorted((a, b) => a - b) : values
  const whole = ordered.map((each) => (Number.isFinite(each) ? each : 0))
  const stored = TYPES[type](ordered, whole)
  const dimensions = shape.map((_, axis) => `d${axis}`)
  return [
    {
      name: 'v',
      dimensions,
      shape,
      chunk,
      values: stored,
      fill: -999,
      attributes: { units: 'm', ...(hasFill && { _FillValue: -999 }) },
      ...(absent !== null && { absent: new Set([absent]) }),
    },
    { name: 'w', dimensions, shape, chunk: chunkOfW, values: Int32Array.from(whole, (each) => -each) },
    ...shape.map((size, axis) => ({
      name: `d${axis}`,
      dimensions: [`d${axis}`],
      shape: [size],
      chunk: [size],
      values: Int32Array.from({ length: size }, (_, index) => index),
    })),
  ]
}

/** The bytes of an answer. Without caching, a query uses no statistics. */
async function answer(sql: string, isCached: boolean): Promise<string> {
  const headers = { 'content-type': 'application/json', ...(!isCached && { 'cache-control': 'no-store' }) }
  const response = await service.query({ sql, output: { format: 'csv' } }, { headers })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
  return text
}

let asked = 0

/** A filter in forms that run in the core, row by row and in groups, and in DuckDB. */
function formsOf(filter: string): readonly string[] {
  // Each is another text, so that no answer is one that was kept.
  const where = `FROM read_zarr('x.zarr', ['v']) WHERE (${filter}) AND w < ${1000 + asked++}`
  return [
    `SELECT * ${where}`,
    `SELECT count(*), min(v), max(w) ${where}`,
    `SELECT v, w + 0 * random() AS w ${where}`,
  ]
}

await t.test('whatever the store, and whichever chunks are known', async (t) => {
  await fc.assert(
    fc.asyncProperty(STORES, FILTERS, fc.nat(), async (made, filters, rewritten) => {
      rmSync(STORE, { recursive: true, force: true })
      writeZarr(STORE, arraysOf(made), made.layout)
      await untilSettled(STORE)
      for (const filter of filters) {
        for (const sql of formsOf(filter)) {
          const plain = await answer(sql, false)
          t.equal(await answer(sql, true), plain, filter)
        }
      }
      // A chunk that is written anew has other statistics.
      const [v] = arraysOf({ ...made, values: made.values.map((each) => -each) })
      const chunks = v === undefined ? [] : [...chunkObjects(v, made.layout)]
      const [key, bytes] = chunks[rewritten % Math.max(1, chunks.length)] ?? []
      if (key === undefined || bytes === undefined) return
      writeFileSync(join(STORE, 'v', key), bytes)
      for (const filter of filters)
        for (const sql of formsOf(filter)) t.equal(await answer(sql, true), await answer(sql, false), filter)
    }),
    { numRuns: 10 },
  )
})

/** A query of the rows of `read_zarr('y.zarr', ['v'])` that pass, and how many chunks were skipped. */
async function skippedBy(
  filter: string,
  isInDuckDB = false,
): Promise<readonly [rows: string, skipped: number]> {
  const value = isInDuckDB ? 'v, random() AS r' : 'v'
  const response = await service.query({
    sql: `SELECT ${value} FROM read_zarr('y.zarr', ['v']) WHERE ${filter}`,
    output: { format: 'csv' },
  })
  const text = await response.text()
  const metrics = await fetch(
    `${service.url}/api/query/metrics/${response.headers.get('x-service-query-id')}`,
  )
  const { node_metrics: nodes } = (await metrics.json()) as {
    readonly node_metrics: { readonly metrics: { readonly chunks_skipped?: number } }
  }
  return [
    text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => Number.parseFloat(line))
      .join(),
    nodes.metrics.chunks_skipped ?? 0,
  ]
}

t.test('chunks are skipped by what earlier queries have decoded, until they are written anew', async (t) => {
  const store = join(service.datasets, 'y.zarr')
  const layout: Layout = { version: 3, isCompressed: true }
  const v = (values: readonly number[]): ArrayToWrite => ({
    name: 'v',
    dimensions: ['x', 'y'],
    shape: [values.length / 2, 2],
    chunk: [1, 2],
    values: Int32Array.from(values),
    absent: new Set([3]),
  })
  const x: ArrayToWrite = { name: 'x', dimensions: ['x'], shape: [5], chunk: [5], values: new Int32Array(5) }
  writeZarr(store, [v([1, 2, 11, 12, 21, 22, 0, 0, 31, 32]), x], layout)
  await untilSettled(store)
  const explained = await service.query({
    sql: "EXPLAIN SELECT v FROM read_zarr('y.zarr', ['v']) WHERE v > 1 OR x = 1",
    output: { format: 'csv' },
  })
  t.match(await explained.text(), /Chunk Statistics"+:"+v"/, 'EXPLAIN tells that they are used')
  t.same(await skippedBy('v >= 31'), ['31,32', 0], 'nothing is known')
  t.same(await skippedBy('v >= 32'), ['32', 4], 'also of the chunk that is absent')
  t.same(await skippedBy('v BETWEEN 12 AND 20', true), ['12', 4], 'in DuckDB')
  t.same(await skippedBy('v < -5'), ['', 5], 'all of them')
  const [first] = chunkObjects(v([41, 42]), layout)
  writeFileSync(join(store, 'v', 'c', '0', '0'), first?.[1] ?? '')
  t.same(await skippedBy('v > 31'), ['41,42,32', 3], 'a chunk that was written anew is read')
  await untilSettled(store)
  t.same(await skippedBy('v > 31.5'), ['41,42,32', 3], 'and is known once it is settled')
  t.same(await skippedBy('v > 42.5'), ['', 5])
  mkdirSync(join(store, 'v', 'c', '3'))
  writeFileSync(join(store, 'v', 'c', '3', '0'), first?.[1] ?? '')
  t.same(await skippedBy('v > 41.5'), ['42,42', 3], 'one that was absent is there')
})
