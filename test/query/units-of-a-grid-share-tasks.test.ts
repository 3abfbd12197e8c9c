import assert from 'node:assert/strict'
import t from 'tap'
import { gridBatches } from '../../src/main/query/plan/grid/grid-batches.ts'
import { unitAxes } from '../../src/main/query/plan/grid/grid-steps.ts'
import { UNIT_BYTES } from '../../src/plan/limits.ts'
import type { Grid } from '../../src/plan/source/grid.ts'
import { boxAt, countUnits, type GridUnits } from '../../src/plan/source/grid-units.ts'
import type { BoxUnit } from '../../src/plan/source/unit.ts'
import { fc } from '../support/generate.ts'

const MOST_BYTES = 16 << 20
const NS = 4_000_000

/** An axis, and the indices along it that a filter leaves. */
const axis = fc
  .record({ size: fc.integer({ min: 1, max: 12 }), chunk: fc.integer({ min: 1, max: 12 }) })
  .chain((each) =>
    fc.record({ ...constants(each), left: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }) }),
  )

function constants({ size, chunk }: { readonly size: number; readonly chunk: number }) {
  return { size: fc.constant(size), chunk: fc.constant(chunk) }
}

function rangesOf(left: readonly boolean[], size: number): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = []
  for (let at = 0; at < size; at++) {
    const last = ranges.at(-1)
    if (!left[at]) continue
    if (last?.to === at) last.to++
    else ranges.push({ from: at, to: at + 1 })
  }
  return ranges.length === 0 ? [{ from: 0, to: size }] : ranges
}

interface Made {
  readonly grid: Grid
  readonly run: GridUnits
}

/** The units of what is left of a grid, of at most `rows` rows. */
function made(
  axes: readonly { size: number; chunk: number; left: boolean[] }[],
  rows: number,
  rowBytes: number,
): Made {
  const grid: Grid = {
    kind: 'grid',
    shape: axes.map(({ size }) => size),
    chunk: axes.map(({ chunk, size }) => Math.min(chunk, size)),
    axes: axes.map((_, dimension) => ({ dimension, column: null, block: 1, statistics: [] })),
    isAtomic: true,
    decodedBytes: [rowBytes],
  }
  const left = axes.map((each) => rangesOf(each.left, each.size))
  const limits = { rows, bytes: UNIT_BYTES, chunks: 1, fewRows: 1, joinedRows: 1 }
  const cut = unitAxes(grid, left, rows, rows, limits)
  const run = {
    kind: 'grid',
    first: 0,
    count: countUnits(cut.axes),
    skipped: 0,
    file: 0,
    rowBytes,
    tileBytes: null,
    ...cut,
  } as const
  return { grid, run }
}

const unitsOf = (run: GridUnits): BoxUnit[] =>
  Array.from({ length: run.count }, (_, index) => boxAt(run, index))

t.test('the tasks of a grid have all of its units, in their order', async () => {
  const arrays = fc.array(axis, { minLength: 1, maxLength: 4 })
  const bytes = fc.constantFrom(1, 4, 4096, UNIT_BYTES / 4)
  fc.assert(
    fc.property(arrays, fc.integer({ min: 1, max: 200 }), bytes, (axes, rows, rowBytes) => {
      const { grid, run } = made(axes, rows, rowBytes)
      const batches = gridBatches(run, grid, MOST_BYTES, NS)
      const read = Array.from({ length: batches.count }, (_, index) => batches.at(index))
      assert.ok(read.every(({ length }) => length > 0))
      assert.deepEqual(read.flat(), unitsOf(run))
    }),
  )
})

t.test('all parts of a chunk are read by one task', async () => {
  const arrays = fc.array(axis, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(arrays, fc.integer({ min: 1, max: 20 }), (axes, rows) => {
      const { grid, run } = made(axes, rows, 4)
      const isCut = run.axes.some(({ step, part }) => part < step)
      fc.pre(isCut)
      const batches = gridBatches(run, grid, MOST_BYTES, NS)
      const chunks = Array.from({ length: batches.count }, (_, index) => {
        const all = batches.at(index).flatMap((unit) => (unit.kind === 'box' ? [unit.origin] : []))
        return [
          ...new Set(
            all.map((from) => from.map((at, place) => Math.floor(at / (grid.chunk[place] ?? 1))).join()),
          ),
        ]
      })
      for (const each of chunks) assert.equal(each.length, 1)
      assert.equal(new Set(chunks.flat()).size, chunks.length)
    }),
  )
})

/** Days of 4 chunks of 64 800 numbers, which take some 0.54 ms each. */
function madeOfDays(days: number): Made {
  const shape = [days, 360, 720]
  const grid: Grid = {
    kind: 'grid',
    shape,
    chunk: [1, 180, 360],
    axes: shape.map((_, dimension) => ({ dimension, column: null, block: 1, statistics: [] })),
    isAtomic: true,
    decodedBytes: [4],
  }
  const whole = shape.map((to) => [{ from: 0, to }])
  const limits = { rows: 100_000, bytes: UNIT_BYTES, chunks: 1024, fewRows: 1, joinedRows: 1 }
  const { axes, chunk } = unitAxes(grid, whole, 100_000, 100_000, limits)
  const run = {
    kind: 'grid',
    first: 0,
    count: countUnits(axes),
    skipped: 0,
    file: 0,
    rowBytes: 4,
    tileBytes: null,
    axes,
    chunk,
  } as const
  return { grid, run }
}

t.test(
  'a task has as many units as take some milliseconds, and up to twice as many if there are many tasks',
  async (t) => {
    for (const [days, each] of [
      [2, 1],
      [20, 5],
      [80, 7],
      [110, 9],
      [365, 14],
    ] as const) {
      const { grid, run } = madeOfDays(days)
      const { count, at } = gridBatches(run, grid, MOST_BYTES, NS)
      t.equal(run.count, 4 * days)
      t.equal(at(0).length, each, `${days} days`)
      t.equal(count, Math.ceil(run.count / each))
    }
    const { grid, run } = madeOfDays(365)
    const annex = [{ name: 'sst', filters: ['szip (4)'] }]
    t.equal(gridBatches(run, { ...grid, annex }, MOST_BYTES, NS).at(0).length, 1, 'the annex takes longer')
  },
)
