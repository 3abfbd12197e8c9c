import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { portionAt } from '../../src/workers/formats/bbf/entries/portions.ts'
import { answersOf } from '../e2e/answers.ts'
import { startTestService } from '../e2e/service.ts'
import { fc } from '../support/generate.ts'
import { CODES, writeBbf } from './writer.ts'

t.test('portions have each row of a run once, in order', async (t) => {
  const grid = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 4 }).map((sizes) => ({
    axes: sizes.map((size, axis) => ({ name: `${axis}`, size })),
    origin: sizes.map(() => 0),
    extent: sizes,
    rows: sizes.reduce((product, size) => product * size, 1),
  }))
  fc.assert(
    fc.property(fc.array(grid, { maxLength: 6 }), fc.integer({ min: 1, max: 60 }), (grids, mostRows) => {
      const expected = grids.flatMap(({ axes, rows }, entry) =>
        Array.from(
          { length: rows },
          (_, row) =>
            `${entry} ${indicesOf(
              axes.map(({ size }) => size),
              row,
            )}`,
        ),
      )
      const read: string[] = []
      for (let isLast = false; !isLast; ) {
        const portion = portionAt(grids, read.length, mostRows)
        t.equal(portion.from, read.length, 'begins where the one before ended')
        t.ok(portion.rows <= mostRows)
        for (const { index, origin, extent, rows } of portion.boxes)
          for (let row = 0; row < rows; row++)
            read.push(`${index} ${indicesOf(extent, row).map((at, axis) => at + (origin[axis] ?? 0))}`)
        isLast = portion.isLast
        if (portion.rows > 1) {
          const inside = portionAt(grids, read.length - 1, mostRows)
          t.strictSame(inside, portion, 'is found by its last row too')
        }
      }
      t.strictSame(read, expected)
    }),
    { numRuns: 60 },
  )
})

function indicesOf(sizes: readonly number[], row: number): number[] {
  const indices: number[] = []
  let rest = row
  for (const size of sizes.toReversed()) {
    indices.unshift(rest % size)
    rest = Math.floor(rest / size)
  }
  return indices
}

/** Of each entry: numbers along x, numbers along y, and a scalar. */
const [WIDTH, HEIGHT] = [1100, 1000]
const ENTRIES = 4

function largeFile(): Buffer {
  const along = (name: string, size: number, first: number) => ({
    code: CODES.indexOf('Float64'),
    dimensions: [{ name, size }],
    length: size,
    values: new Uint8Array(Float64Array.from({ length: size }, (_, index) => first + index).buffer),
  })
  const scalar = (value: number) => ({
    code: CODES.indexOf('Int32'),
    dimensions: [],
    length: 1,
    values: new Uint8Array(Int32Array.of(value).buffer),
  })
  return writeBbf({
    columns: [
      { name: 'x', code: CODES.indexOf('Float64') },
      { name: 'y', code: CODES.indexOf('Float64') },
      { name: 's', code: CODES.indexOf('Int32') },
    ],
    entries: Array.from({ length: ENTRIES }, (_, entry) => ({ name: `${entry}` })),
    array(column, entry) {
      if (column === 2) return scalar(entry)
      return column === 0 ? along('x', WIDTH, 0) : along('y', HEIGHT, 10_000 * entry)
    },
    // Each entry is a run, and so a unit, of its own.
    groups: () => new Array<number>(ENTRIES).fill(1),
    compression: () => 'zstd',
  })
}

t.test('entries of millions of rows are answered', async (t) => {
  const service = await startTestService(t)
  writeFileSync(join(service.datasets, 'large.bbf'), largeFile())
  const { rowsOf, scalarOf } = answersOf(service)
  const file = "read_bbf('large.bbf')"
  const rows = WIDTH * HEIGHT
  t.equal(await scalarOf(`SELECT count(*) FROM ${file}`), ENTRIES * rows)
  const sums = { x: (rows * (WIDTH - 1)) / 2, y: (rows * (HEIGHT - 1)) / 2 }
  const grouped = `SELECT s, count(*) AS n, sum(x) AS x, sum(y) AS y FROM ${file} GROUP BY s ORDER BY s`
  const expected = Array.from({ length: ENTRIES }, (_, entry) => ({
    s: entry,
    n: rows,
    x: sums.x,
    y: sums.y + 10_000 * entry * rows,
  }))
  t.strictSame(await rowsOf({ sql: grouped }), expected)
  // A window function is DuckDB's.
  const byDuckDb = `SELECT s, count(*) AS n, sum(x) AS x, sum(y) AS y FROM (SELECT *, row_number() OVER () AS r FROM ${file}) WHERE r > 0 GROUP BY s ORDER BY s`
  t.strictSame(await rowsOf({ sql: byDuckDb }), expected)
  // The grid has y first: of two columns with one dimension the last leads.
  const at = ENTRIES * rows - 3
  t.strictSame(await rowsOf({ sql: `SELECT x, y, s FROM ${file} LIMIT 2 OFFSET ${at}` }), [
    { x: WIDTH - 3, y: 10_000 * (ENTRIES - 1) + HEIGHT - 1, s: ENTRIES - 1 },
    { x: WIDTH - 2, y: 10_000 * (ENTRIES - 1) + HEIGHT - 1, s: ENTRIES - 1 },
  ])
  t.strictSame(await rowsOf({ sql: `SELECT x, y, s FROM ${file} WHERE x >= 5 AND y = 10001 LIMIT 1` }), [
    { x: 5, y: 10_001, s: 1 },
  ])
  t.equal(await scalarOf(`SELECT max(y) FROM ${file} WHERE x + y > 1900 AND s = 0`), HEIGHT - 1)
  const table = await service.rows({ sql: `SELECT x, y, s FROM ${file}` })
  t.equal(table.numRows, ENTRIES * rows)
  let last = -1
  for (const batch of table.batches) {
    const values = batch.getChildAt(1)?.toArray() as Float64Array
    for (const value of values) {
      if (value < last) t.fail(`${value} after ${last}`)
      last = value
    }
  }
})
