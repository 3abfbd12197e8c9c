import { readFileSync } from 'node:fs'
import t from 'tap'
import { any } from '../../src/plan/condition/combine.ts'
import { type Condition, isNull } from '../../src/plan/condition/condition.ts'
import { isServiceError } from '../../src/plan/errors.ts'
import { columnExpression } from '../../src/plan/expression.ts'
import type { RowsRange } from '../../src/plan/source/range.ts'
import type { IndexRange } from '../../src/plan/source/unit.ts'
import type { Field } from '../../src/plan/types/schema.ts'
import type { Column } from '../../src/wasm/core/column.ts'
import { createCore } from '../../src/wasm/core/create-core.ts'
import { createParquet, parquet } from '../../src/workers/formats/parquet/parquet.ts'
import type { OpenFile, Provider } from '../../src/workers/formats/provider.ts'
import { createStopwatch } from '../../src/workers/store/stopwatch.ts'
import type { Store } from '../../src/workers/store/store.ts'
import { readContext } from '../formats/context.ts'
import { fixture, samples } from '../formats/fixtures.ts'
import { segmentsIn } from '../formats/segments.ts'
import { memorySource } from '../formats/source.ts'
import { columnValues, encode, type Value } from '../formats/values.ts'
import { generator } from '../support/generate.ts'

const core = createCore({ maximumBytes: 64 << 20 })
const context = readContext(core)
const byPages = createParquet({ smallChunk: 0, indexedChunk: 0, together: 32 << 20 })

interface Read {
  readonly values: Value[][]
  readonly hasGaps: boolean
}

/** The rows of runs in a range. `isSelected`: the other rows of the range need not be read. */
function readRuns(
  file: OpenFile,
  store: Store,
  range: RowsRange,
  runs: readonly IndexRange[],
  fields: readonly Field[],
  isSelected: boolean,
): Read {
  const mask = core.inRuns(range.to - range.from, runs)
  const columns: Column[] = []
  try {
    const selection = { hasAny: (from: number, to: number) => core.anyTrue(mask, from, to) }
    const read = file.read(store, range, fields, context, isSelected ? selection : undefined)
    columns.push(...read.columns)
    const kept = read.columns.map((column) => core.filter(column, mask))
    columns.push(...kept)
    return {
      values: columnValues(encode(core, kept, fields, core.count(mask))),
      hasGaps: read.hasGaps === true,
    }
  } finally {
    for (const column of columns) core.free(column)
    core.freeMask(mask)
  }
}

for (const [name, provider] of Object.entries<Provider>({ parquet, byPages }))
  for (const sample of samples('parquet'))
    t.test(`${sample.name}, ${name}`, async (t) => {
      const random = generator(sample.name)
      const source = memorySource(readFileSync(sample.location))
      const file = provider.open(source, context)
      const { fields } = file.schema
      for (const [segment, { rows }] of segmentsIn(file).entries())
        for (let round = 0; rows !== null && rows > 0 && fields.length > 0 && round < 12; round++) {
          const from = random(rows)
          const to = from + 1 + random(rows - from)
          const runs: IndexRange[] = []
          for (let at = random(to - from); at < to - from; at += 1 + random(to - from)) {
            const end = Math.min(to - from, at + 1 + random(5))
            runs.push({ from: at, to: end })
            at = end
          }
          const range: RowsRange = { kind: 'rows', segment, from, to }
          t.strictSame(
            readRuns(file, source, range, runs, fields, true).values,
            readRuns(file, source, range, runs, fields, false).values,
            `rows ${from}..${to} of segment ${segment}, of which ${JSON.stringify(runs)}`,
          )
        }
      t.equal(core.usedBytes(), 0, 'leaves nothing in the core')
    })

for (const sample of samples('parquet'))
  t.test(`damaged copies of ${sample.name}`, async (t) => {
    const random = generator(sample.name)
    const bytes = readFileSync(sample.location)
    for (let round = 0; round < 40; round++) {
      const damaged = Uint8Array.from(bytes)
      for (let flips = 1 + random(3); flips > 0; flips--) {
        const at = random(damaged.length)
        damaged[at] = random(256)
      }
      const source = memorySource(damaged)
      try {
        const file = byPages.open(source, context)
        const { fields } = file.schema
        const filter: Condition = any(fields.map(({ name, type }) => isNull(columnExpression(name, type))))
        for (const [segment, { rows }] of segmentsIn(file).entries()) {
          if (rows === null || rows === 0 || rows > 100_000) continue
          const range = { kind: 'rows', segment, from: 0, to: rows } as const
          const runs = file.prune?.(source, range, filter, fields, context) ?? [{ from: rows - 1, to: rows }]
          if (runs.length > 0) readRuns(file, source, range, runs, fields, true)
        }
      } catch (error) {
        t.ok(isServiceError(error) && error.code !== 'internal', String(error))
      }
    }
    t.equal(core.usedBytes(), 0, 'leaves nothing in the core')
  })

t.test('of a few rows of large pages, their pages alone are read', async (t) => {
  const source = memorySource(readFileSync(fixture('parquet', 'pages-of-noise-index')))
  const file = byPages.open(source, context)
  const [rows] = segmentsIn(file).map((segment) => segment.rows ?? 0)
  const range: RowsRange = { kind: 'rows', segment: 0, from: 0, to: rows ?? 0 }
  const fields = file.schema.fields.filter(({ name }) => name === 'm')
  const runs = [
    { from: 10, to: 11 },
    { from: 6000, to: 6010 },
  ]
  readRuns(file, source, range, runs, fields, true)
  source.reads.length = 0
  const read = readRuns(file, source, range, runs, fields, true)
  const bytes = source.reads.reduce((sum, each) => sum + each, 0)
  t.ok(bytes < 20_000, `two pages, ${bytes} of ${segmentsIn(file)[0]?.storedBytes[1]} bytes`)
  t.equal(read.hasGaps, true)
  t.equal(readRuns(file, source, range, [{ from: 0, to: rows ?? 0 }], fields, true).hasGaps, false)
})

t.test('pages that were read anyway are not inflated', async (t) => {
  const source = memorySource(readFileSync(fixture('parquet', 'pages-v1')))
  const file = parquet.open(source, context)
  const stopwatch = createStopwatch()
  const selection = { hasAny: (from: number, to: number) => from <= 3 && 3 < to }
  const rows = segmentsIn(file)[0]?.rows ?? 0
  const fields = file.schema.fields.filter(({ type }) => type.kind === 'int')
  const read = file.read(
    source,
    { kind: 'rows', segment: 0, from: 0, to: rows },
    fields,
    { ...context, stopwatch },
    selection,
  )
  for (const column of read.columns) core.free(column)
  t.ok(stopwatch.metrics().pagesSkipped > 1)
  t.equal(read.hasGaps, true)
})
