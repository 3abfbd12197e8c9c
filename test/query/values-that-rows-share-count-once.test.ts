import t from 'tap'
import { bytesOfGridRow } from '../../src/main/query/plan/row-bytes.ts'
import { columnsIn } from '../../src/main/query/source/column-in-file.ts'
import type { FileSummary } from '../../src/plan/source/segments.ts'
import { type DataType, field } from '../../src/plan/types/schema.ts'

const FLOAT: DataType = { kind: 'float', bits: 32 }
const DOUBLE: DataType = { kind: 'float', bits: 64 }
const TEXT: DataType = { kind: 'utf8' }

const COLUMNS = [
  { name: '.title', type: TEXT, bytes: 54, shared: 3 },
  { name: 'lat', type: DOUBLE, bytes: 8, shared: 1 },
  { name: 'lon', type: DOUBLE, bytes: 8, shared: 0 },
  { name: 'time', type: DOUBLE, bytes: 8, shared: 2 },
  { name: 'v', type: FLOAT, bytes: 4, shared: 0 },
] as const

const GRID = {
  kind: 'grid',
  shape: [365, 360, 720],
  chunk: [1, 180, 90],
  axes: [],
  isAtomic: true,
  decodedBytes: COLUMNS.map(({ bytes }) => bytes),
  sharedAxes: COLUMNS.map(({ shared }) => shared),
} as const

const SUMMARY: FileSummary = {
  schema: { fields: COLUMNS.map(({ name, type }) => field(name, type)), metadata: {} },
  segments: GRID,
  statistics: {},
}

const WHOLE = GRID.shape.map((to: number) => [{ from: 0, to }])

function bytesOf(names: readonly string[], left = WHOLE): number {
  const known: readonly { readonly name: string; readonly type: DataType }[] = COLUMNS
  const columns = names.map((name) => ({
    name,
    type: known.find((each) => each.name === name)?.type ?? TEXT,
  }))
  return bytesOfGridRow(GRID, columnsIn(SUMMARY, { columns }), left)
}

t.test('a value counts once for the rows of a chunk that share it', async (t) => {
  t.equal(bytesOf(['v']), 4)
  t.equal(bytesOf(['lon']), 8, 'each row has its own')
  t.equal(bytesOf(['lat']), 8 / 90)
  t.equal(bytesOf(['time']), 8 / (180 * 90))
})

t.test('a value of all rows, or of a column that the file lacks, counts for nothing', async (t) => {
  t.equal(bytesOf(['.title', 'v']), 4)
  t.equal(bytesOf(['absent', 'v']), 4)
})

t.test('where a filter leaves few rows of a chunk, few share a value', async (t) => {
  const left = WHOLE.with(2, [{ from: 100, to: 102 }])
  t.equal(bytesOf(['lat'], left), 8 / 2)
  t.equal(bytesOf(['time'], left), 8 / (180 * 2))
})
