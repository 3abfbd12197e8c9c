import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import {
  Field,
  Int64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow'
import t from 'tap'
import { conformance, type Sample } from '../conformance.ts'
import type { GridDocument } from './document.ts'
import { grid } from './grid.ts'
import { type CellValue, cellsIn, writeGrid } from './write.ts'

const dimension = (name: string, size: number, chunk: number, start = 0, step = 1) => ({
  name,
  size,
  chunk,
  start,
  step,
})

/** A folder with a grid, and its rows in C order. */
function sample(name: string, document: GridDocument, value: CellValue): Sample {
  const folder = join(t.testdirName, name)
  mkdirSync(folder, { recursive: true })
  writeGrid(folder, document, value)
  const { dimensions, variables } = document
  const cells = cellsIn(dimensions.map(({ size }) => size))
  const columns = [
    ...dimensions.map(({ name, start, step }, place) => ({
      field: new Field(name, new Int64(), false),
      values: cells.map((cell) => BigInt(start + step * (cell[place] ?? 0))),
    })),
    ...variables.map((variable) => ({
      field: new Field(variable.name, new Int64(), true),
      values: cells.map((cell) =>
        value(
          variable.name,
          variable.dimensions.map((place) => cell[place] ?? 0),
        ),
      ),
    })),
  ]
  const children = columns.map(
    ({ values }) => vectorFromArray(values, new Int64()).data[0] ?? makeData({ type: new Int64() }),
  )
  const schema = new Schema(columns.map(({ field }) => field))
  const data = makeData({ type: new Struct(schema.fields), length: cells.length, children })
  const expected = join(t.testdirName, `${name}.expected.arrow.gz`)
  writeFileSync(expected, gzipSync(tableToIPC(new Table(schema, [new RecordBatch(schema, data)]), 'stream')))
  return { name, location: folder, expected }
}

const DIMENSIONS = [dimension('time', 7, 3, 100, 10), dimension('lat', 5, 2, 40, -3), dimension('lon', 4, 4)]

/** Chunks on the diagonal do not exist. */
const value: CellValue = (variable, indices) =>
  new Set(indices.map((each, place) => Math.floor(each / (DIMENSIONS[place]?.chunk ?? 1)))).size === 1 &&
  variable === 'v'
    ? null
    : BigInt(indices.reduce((sum, each, place) => sum + each * 10 ** place, variable.length))

t.testdir({})
t.test('arrays of several shapes', (t) =>
  conformance(t, {
    provider: grid,
    samples: [
      sample(
        'deflated',
        {
          dimensions: DIMENSIONS,
          variables: [
            { name: 'v', dimensions: [0, 1, 2] },
            { name: 'mask', dimensions: [1, 2] },
            { name: 'level', dimensions: [] },
          ],
          isDeflated: true,
        },
        value,
      ),
      sample(
        'plain',
        { dimensions: DIMENSIONS, variables: [{ name: 'v', dimensions: [0, 1, 2] }], isDeflated: false },
        value,
      ),
      sample(
        'one dimension',
        {
          dimensions: [dimension('x', 100, 7, -5, 2)],
          variables: [{ name: 'w', dimensions: [0] }],
          isDeflated: true,
        },
        (_, [x]) => BigInt(x ?? 0) % 13n,
      ),
      sample(
        'none',
        { dimensions: [dimension('x', 0, 4)], variables: [{ name: 'w', dimensions: [0] }], isDeflated: true },
        () => 1n,
      ),
    ],
    damages: 96,
  }),
)
