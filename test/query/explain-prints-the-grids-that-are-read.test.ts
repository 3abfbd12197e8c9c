import t from 'tap'
import { explain } from '../../src/main/query/explain/explain.ts'
import { cutInSteps } from '../../src/main/query/plan/units.ts'
import type { Grid } from '../../src/plan/source/grid.ts'
import type { FileSummary } from '../../src/plan/source/segments.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'
import { planOf } from './bound.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }

/** The values 0, 1, 2, … along an axis. */
const axis = (name: string, dimension: number, size: number) => ({
  name,
  dimension,
  column: name,
  block: 1,
  statistics: Array.from({ length: size }, (_, index) => ({
    min: { kind: 'int' as const, value: BigInt(index) },
    max: { kind: 'int' as const, value: BigInt(index) },
    nulls: 0,
  })),
})

const GRID: Grid = {
  kind: 'grid',
  leader: 'v',
  shape: [12, 9, 7],
  chunk: [5, 4, 7],
  axes: [axis('time', 0, 12), axis('lat', 1, 9), axis('lon', 2, 7)],
  isAtomic: true,
  decodedBytes: [8, 8, 8, 8],
}

const FIELDS = ['time', 'lat', 'lon', 'v'].map((name) => field(name, INT))
const TYPES = Object.fromEntries(FIELDS.map(({ name, type }) => [name, type]))

function explained(filters: readonly object[], grid: Grid) {
  const plan = planOf({ select: ['v'], filters }, TYPES)
  const summary: FileSummary = { schema: { fields: FIELDS, metadata: {} }, segments: grid, statistics: {} }
  const { grids, chunksSkipped } = runToEnd(cutInSteps(plan, [summary]))
  return { printed: JSON.stringify(explain({ ...plan, grids })), chunksSkipped }
}

t.test('dimensions, leader, chunks and index ranges', async (t) => {
  const filters = [
    { column: 'time', min: 3, max: 6 },
    {
      or: [
        { column: 'lat', eq: 1 },
        { column: 'lat', eq: 8 },
      ],
    },
  ]
  const { printed, chunksSkipped } = explained(filters, GRID)
  const grid = {
    Dimensions: { time: 12, lat: 9, lon: 7 },
    Leader: 'v',
    Chunk: { time: 5, lat: 4, lon: 7 },
    Ranges: { time: '3..7', lat: '1..2, 8..9', lon: '0..7' },
    Chunks: '4 of 9',
  }
  t.ok(printed.includes(JSON.stringify(grid).slice(1)), printed)
  t.equal(chunksSkipped, 5)
})

t.test('an array without chunks has none', async (t) => {
  const { printed } = explained([], { ...GRID, chunk: GRID.shape, isAtomic: false })
  t.ok(printed.includes('"Ranges":{"time":"0..12","lat":"0..9","lon":"0..7"}'), printed)
  t.notOk(printed.includes('Chunk'))
})
