import assert from 'node:assert/strict'
import t from 'tap'
import { type CutGrid, cutGrid, unitsBetween } from '../../src/main/query/plan/grid/cut-grid.ts'
import type { GridLimits } from '../../src/main/query/plan/grid/grid-steps.ts'
import { cutInSteps } from '../../src/main/query/plan/units.ts'
import type { Grid } from '../../src/plan/source/grid.ts'
import { boxAt, rowsBefore } from '../../src/plan/source/grid-units.ts'
import type { FileSummary } from '../../src/plan/source/segments.ts'
import type { BoxUnit } from '../../src/plan/source/unit.ts'
import { unitAt } from '../../src/plan/source/unit-space.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { fc } from '../support/generate.ts'
import { planOf } from './bound.ts'
import { cellsOfBox, cellsOfGrid } from './cells-of-boxes.ts'

const ROW_BYTES = 8
const INT: DataType = { kind: 'int', bits: 64, signed: true }

const axis = fc.record({ size: fc.integer({ min: 1, max: 9 }), chunk: fc.integer({ min: 1, max: 10 }) })

const grids = fc.tuple(fc.array(axis, { maxLength: 4 }), fc.boolean()).map(
  ([axes, isAtomic]): Grid => ({
    kind: 'grid',
    shape: axes.map(({ size }) => size),
    chunk: axes.map(({ chunk }) => chunk),
    axes: axes.map((_, dimension) => ({ dimension, column: null, block: 1, statistics: [] })),
    isAtomic,
    decodedBytes: [ROW_BYTES],
  }),
)

const limits = fc.record({
  rows: fc.integer({ min: 1, max: 200 }),
  bytes: fc.constantFrom(8, 40, 100, 10_000),
  chunks: fc.integer({ min: 1, max: 20 }),
  fewRows: fc.integer({ min: 1, max: 50 }),
  joinedRows: fc.integer({ min: 1, max: 100 }),
})

function cut(grid: Grid, bounds: GridLimits, limit?: number): CutGrid {
  return runToEnd(cutGrid(grid, null, new Map(), () => ROW_BYTES, limit, bounds))
}

function boxes({ axes, units, chunk }: CutGrid): readonly BoxUnit[] {
  const grid = {
    kind: 'grid',
    first: 0,
    count: units,
    skipped: 0,
    file: 0,
    axes,
    rowBytes: ROW_BYTES,
    tileBytes: null,
    chunk,
  } as const
  return Array.from({ length: units }, (_, index) => boxAt(grid, index))
}

t.test(
  'as many compressed chunks are put together as take some milliseconds, and few that the annex decodes',
  async (t) => {
    const grid: Grid = {
      kind: 'grid',
      shape: [1 << 20],
      chunk: [1 << 14],
      axes: [{ dimension: 0, column: null, block: 1, statistics: [] }],
      isAtomic: true,
      decodedBytes: [ROW_BYTES],
    }
    const bounds = { rows: 1 << 20, bytes: 1 << 24, chunks: 1024, fewRows: 1 << 16, joinedRows: 1 << 16 }
    t.equal(cut({ ...grid, isAtomic: false }, bounds).units, 1, 'chunks that are read in part')
    t.equal(cut({ ...grid, shape: [1 << 21] }, { ...bounds, rows: 1 << 21 }).units, 2)
    const annex = [{ name: 'v', filters: ['szip (4)'] }]
    t.equal(cut({ ...grid, annex }, bounds).units, 8)
    t.equal(cut({ ...grid, annex, chunk: [1 << 20] }, bounds).units, 1, 'a chunk is not cut for that')
  },
)

t.test(
  'a point through many compressed chunks has units for all workers, and other points are in the same cells',
  async (t) => {
    const shape = [365, 360, 720]
    const names = ['time', 'lat', 'lon']
    const indices = (size: number) =>
      Array.from({ length: size }, (_, index) => {
        const value = { kind: 'int' as const, value: BigInt(index) }
        return { min: value, max: value, nulls: 0 }
      })
    const grid: Grid = {
      kind: 'grid',
      shape,
      chunk: [1, 180, 360],
      axes: names.map((column, at) => ({
        dimension: at,
        column,
        block: 1,
        statistics: indices(shape[at] ?? 0),
      })),
      isAtomic: true,
      decodedBytes: [8, 8, 8, 4],
      sharedAxes: [2, 1, 0, 0],
    }
    const fields = [...names, 'sst'].map((name) => field(name, INT))
    const summary: FileSummary = { schema: { fields, metadata: {} }, segments: grid, statistics: {} }
    const types = Object.fromEntries(fields.map(({ name, type }) => [name, type]))
    const unitsOf = (lat: number, lon: number) => {
      const filters = [
        { column: 'lat', min: lat, max: lat },
        { column: 'lon', min: lon, max: lon },
      ]
      const { units } = runToEnd(cutInSteps(planOf({ select: ['sst'], filters }, types), [summary]))
      return Array.from({ length: units.count }, (_, index) => unitAt(units, index) as BoxUnit)
    }
    const units = unitsOf(200, 500)
    t.ok(units.length >= 16 && units.length <= 128, `${units.length} units`)
    t.equal(
      units.reduce((days, { extent }) => days + (extent[0] ?? 0), 0),
      365,
    )
    t.same(units[1]?.tile?.origin, [units[0]?.extent[0], 180, 360])
    const cells = (boxes: readonly BoxUnit[]) => boxes.map(({ tile: cell }) => cell)
    t.same(cells(unitsOf(300, 700)), cells(units))
  },
)

const cellsIn = (unit: BoxUnit): string[] => cellsOfBox(unit).map((cell) => cell.join())
const wholeOf = (grid: Grid): string[] => cellsOfGrid(grid).map((cell) => cell.join())

t.test('every cell of a grid is in one unit, and units are bounded', async () => {
  const property = fc.property(grids, limits, (grid, bounds) => {
    const units = boxes(cut(grid, bounds))
    const cells = units.flatMap(cellsIn)
    assert.deepEqual(cells.toSorted(), wholeOf(grid).toSorted())
    for (const { extent, origin, decodedBytes, chunk } of units) {
      const rows = extent.reduce((all, each) => all * each, 1)
      assert.ok(rows <= Math.max(1, Math.min(bounds.rows, bounds.bytes / ROW_BYTES)), `${rows} rows`)
      assert.equal(decodedBytes, rows * ROW_BYTES)
      const chunks = extent.reduce((all, each, place) => {
        const [from, size] = [origin[place] ?? 0, grid.chunk[place] ?? 1]
        return all * (Math.floor((from + each - 1) / size) - Math.floor(from / size) + 1)
      }, 1)
      assert.ok(chunks <= bounds.chunks, `${chunks} chunks`)
      assert.ok(chunk === undefined || rows <= bounds.joinedRows, `${rows} rows to be put in order`)
      // A unit has whole chunks, or a part of one.
      for (const [place, each] of extent.entries()) {
        const [from, size, all] = [origin[place] ?? 0, grid.chunk[place] ?? 1, grid.shape[place] ?? 0]
        const isWhole = from % size === 0 && ((from + each) % size === 0 || from + each === all)
        assert.ok(isWhole || Math.floor(from / size) === Math.floor((from + each - 1) / size))
      }
    }
  })
  fc.assert(property, { numRuns: 1000 })
})

t.test('rows come chunk by chunk, whatever the size of units', async () => {
  const property = fc.property(grids, limits, fc.nat(100), (grid, bounds, limit) => {
    const order = wholeOf(grid)
    assert.deepEqual(boxes(cut(grid, { ...bounds, bytes: 1e9, fewRows: 1e9 })).flatMap(cellsIn), order)
    assert.deepEqual(boxes(cut(grid, bounds)).flatMap(cellsIn), order)
    assert.deepEqual(boxes(cut(grid, bounds, limit)).flatMap(cellsIn), order)
  })
  fc.assert(property, { numRuns: 1000 })
})

t.test('rows before a unit are those of the units before it, and offsets find theirs', async () => {
  const property = fc.property(grids, limits, fc.nat(200), fc.nat(200), (grid, bounds, offset, limit) => {
    const made = cut(grid, bounds)
    const rows = boxes(made).map((unit) => cellsIn(unit).length)
    const before = rows.map((_, unit) => rows.slice(0, unit).reduce((sum, each) => sum + each, 0))
    for (const [unit, expected] of before.entries()) assert.equal(rowsBefore(made.axes, unit), expected)
    assert.equal(rowsBefore(made.axes, made.units), made.rows)
    const { from, to, rowsBefore: skipped } = unitsBetween(made, offset, limit)
    const wanted = boxes(made)
      .flatMap(cellsIn)
      .slice(offset, offset + limit)
    const read = boxes(made).slice(from, to).flatMap(cellsIn)
    assert.deepEqual(read.slice(offset - skipped).slice(0, limit), wanted)
    if (wanted.length > 0) assert.ok(skipped + (rows[from] ?? 0) > offset, 'the first is needed')
    assert.ok(wanted.length > 0 || from === to)
  })
  fc.assert(property, { numRuns: 1000 })
})

t.test('a grid of a million chunks takes no more than one of few', async (t) => {
  const grid: Grid = {
    kind: 'grid',
    shape: [1e5, 1e5, 1e5],
    chunk: [1e3, 1e3, 1e3],
    axes: [0, 1, 2].map((dimension) => ({ dimension, column: null, block: 1, statistics: [] })),
    isAtomic: true,
    decodedBytes: [ROW_BYTES],
  }
  const made = runToEnd(cutGrid(grid, null, new Map(), () => ROW_BYTES))
  t.equal(made.units, 1e9, 'parts of chunks of a million rows')
  t.equal(made.rows, 1e15)
  const space = {
    kind: 'grid',
    first: 0,
    count: made.units,
    skipped: 0,
    file: 0,
    rowBytes: 8,
    tileBytes: null,
    chunk: null,
  } as const
  t.same(boxAt({ ...space, axes: made.axes }, 1001), {
    kind: 'box',
    file: 0,
    dimensions: [0, 1, 2],
    origin: [1, 0, 1000],
    extent: [1, 1000, 1000],
    decodedBytes: 8e6,
  })
  t.ok(JSON.stringify(made).length < 500)
})

t.test(
  'a box of a hundred of a million chunks is found among them, and the others are never asked about',
  async (t) => {
    let asked = 0
    /** The values 0, 1, 2, … along an axis of 200, with statistics for every two of them. */
    const statistics = new Proxy(
      Array.from({ length: 100 }, (_, block) => ({
        min: { kind: 'int' as const, value: BigInt(2 * block) },
        max: { kind: 'int' as const, value: BigInt(2 * block + 1) },
        nulls: 0,
      })),
      {
        get(target, key, receiver) {
          if (typeof key === 'string' && /^\d+$/.test(key)) asked++
          return Reflect.get(target, key, receiver)
        },
      },
    )
    const names = ['x', 'y', 'z']
    const grid: Grid = {
      kind: 'grid',
      shape: [200, 200, 200],
      chunk: [2, 2, 2],
      axes: names.map((column, dimension) => ({ dimension, column, block: 2, statistics })),
      isAtomic: true,
      decodedBytes: [8, 8, 8, 8],
    }
    const fields = [...names, 'v'].map((name) => field(name, INT))
    const summary: FileSummary = { schema: { fields, metadata: {} }, segments: grid, statistics: {} }
    const filters = [
      { column: 'x', min: 20, max: 39 },
      { column: 'y', min: 100, max: 109 },
      { column: 'z', min: 6, max: 9 },
    ]
    const plan = planOf(
      { select: ['v'], filters },
      Object.fromEntries(fields.map(({ name, type }) => [name, type])),
    )
    const began = performance.now()
    const { units } = runToEnd(cutInSteps(plan, [summary]))
    t.comment(`planned in ${(performance.now() - began).toFixed(2)} ms, the first time`)
    t.equal(units.count, 2)
    t.same(unitAt(units, 0), {
      kind: 'box',
      file: 0,
      dimensions: [0, 1, 2],
      origin: [20, 100, 6],
      extent: [10, 10, 4],
      decodedBytes: 400 * 32,
      chunk: [2, 2, 2],
      exclusive: { origin: [20, 66, 0], extent: [10, 66, 10] },
      tile: { origin: [20, 66, 0], bytes: 52_800 },
    })
    t.ok(asked <= 3 * 2 * 100, `${asked} statistics were looked at, twice those of each axis`)
  },
)
