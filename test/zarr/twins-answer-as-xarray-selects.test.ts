import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'zarr-twins')

/** Null is what xarray has as NaN. */
type Cell = number | null

interface Selections {
  readonly rows: readonly {
    readonly name: string
    readonly where: string
    readonly rows: readonly Cell[][]
  }[]
  readonly numbers: readonly {
    readonly name: string
    readonly sql: string
    readonly rows: readonly Cell[][]
  }[]
}

const selections: Selections = JSON.parse(readFileSync(join(FIXTURES, 'selections.json'), 'utf8'))

const TWINS = { 'v2.zarr': 'zarr', 'v3.zarr': 'zarr', 'sharded.zarr': 'zarr', 'netcdf.nc': 'netcdf' }

const COLUMNS = ['time', 'lat', 'lon', 'sst', 'wind']

const service = await startTestService(t)
cpSync(FIXTURES, service.datasets, { recursive: true })

/** Rows as numbers; times in nanoseconds since 1970. */
async function rowsOf(body: object): Promise<Cell[][]> {
  const table = await service.rows(body)
  const columns = table.schema.fields.map((_, at) => [...(table.getChildAt(at) ?? [])])
  return Array.from({ length: table.numRows }, (_, row) =>
    columns.map((column, at) => {
      const value = column[row]
      if (value === null || value === undefined) return null
      // apache-arrow gives times in milliseconds.
      return COLUMNS[at] === 'time' && table.schema.fields[at]?.name === 'time'
        ? Number(value) * 1e6
        : Number(value)
    }),
  )
}

const inOrder = (rows: readonly Cell[][]): Cell[][] =>
  rows.toSorted(
    (a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]) || Number(a[2]) - Number(b[2]),
  )

/** Sums and means depend on the order in which numbers are added. */
const isClose = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a === b || (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= 1e-12 * Math.abs(b))

const sqlOf = (path: string, where: string): string =>
  `SELECT ${COLUMNS.join()} FROM read_${TWINS[path as keyof typeof TWINS]}('${path}') WHERE ${where}`

for (const { name, where, rows } of selections.rows)
  t.test(`rows: ${name}`, async (t) => {
    const ofTwins: Cell[][][] = []
    for (const path of Object.keys(TWINS)) {
      const found = await rowsOf({ sql: sqlOf(path, where) })
      t.strictSame(inOrder(found), inOrder(rows), path)
      const byDuckdb = await rowsOf({ sql: `${sqlOf(path, where)} AND random() >= 0` })
      t.strictSame(inOrder(byDuckdb), inOrder(rows), `${path} by DuckDB`)
      ofTwins.push(found)
    }
    for (const each of ofTwins) t.strictSame(each, ofTwins[0], 'in the same order')
  })

for (const { name, sql, rows } of selections.numbers)
  t.test(`numbers: ${name}`, async (t) => {
    for (const [path, format] of Object.entries(TWINS)) {
      const found = await rowsOf({ sql: sql.replace('{}', `read_${format}('${path}')`) })
      t.equal(found.length, rows.length)
      for (const [row, cells] of rows.entries())
        for (const [at, cell] of cells.entries())
          t.ok(isClose(found[row]?.[at], cell), `${path}: row ${row}, ${found[row]?.[at]} is ${cell}`)
    }
  })

t.test('JSON queries give the same', async (t) => {
  const filters = {
    'a box': [
      { column: 'time', gt_eq: '2001-01-11T00:00:00', lt_eq: '2001-01-31T00:00:00' },
      { column: 'lat', gt_eq: -30, lt_eq: 10 },
      { column: 'lon', gt_eq: -100, lt_eq: 20 },
    ],
    'across the dateline': [
      {
        or: [
          { column: 'lon', gt_eq: 150 },
          { column: 'lon', lt_eq: -150 },
        ],
      },
      { column: 'lat', gt: 30 },
    ],
  }
  for (const [name, each] of Object.entries(filters)) {
    const wanted = selections.rows.find((selection) => selection.name === name)?.rows ?? []
    for (const [path, format] of Object.entries(TWINS)) {
      const from = { [format]: { paths: [path] } }
      t.strictSame(
        inOrder(await rowsOf({ from, select: COLUMNS, filters: each })),
        inOrder(wanted),
        `${name}, ${path}`,
      )
    }
  }
})
