import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Table, tableFromIPC, Utf8, vectorFromArray } from 'apache-arrow'
import t from 'tap'
import { fixture } from '../../formats/fixtures.ts'
import { writeParquetFile } from '../parquet-file.ts'
import { startTestService } from '../service.ts'

type Cell = string | number | null

/** The cells of some columns, row by row. */
function cells(table: Table): Cell[][] {
  const columns = table.schema.fields.map((_, i) => [...(table.getChildAt(i) ?? [])])
  return Array.from({ length: table.numRows }, (_, row) => columns.map((column) => plain(column[row])))
}

function plain(value: unknown): Cell {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return typeof value === 'bigint' ? Number(value) : (value as Cell)
}

function expected(name: string): Table {
  const file = fixture('parquet', name).replace('.parquet', '.expected.arrow.gz')
  return tableFromIPC(gunzipSync(readFileSync(file)))
}

/** The number of times that each value occurs, in the order of the values, null last. */
function counts(values: readonly Cell[]): Cell[][] {
  const found = new Map<Cell, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  const order = (value: Cell): Buffer => Buffer.from(String(value))
  return [...found].toSorted(([a], [b]) =>
    a === null ? 1 : b === null ? -1 : Buffer.compare(order(a), order(b)),
  )
}

t.test('values are the same however they are stored', async (t) => {
  for (const [workers, names] of [
    [1, ['texts-v1', 'duckdb-texts-v1']],
    [3, ['texts-v2', 'duckdb-texts-v2']],
  ] as const) {
    const service = await startTestService(t, { workers })
    for (const name of names) {
      const path = `${name}.parquet`
      copyFileSync(fixture('parquet', name), join(service.datasets, path))
      const table = expected(name)
      const rows = cells(table)
      const place = (column: string) => table.schema.fields.findIndex((field) => field.name === column)
      const from = { parquet: { paths: [path] } }
      const sql = async (text: string) =>
        cells(await service.rows({ sql: text.replace('$t', `read_parquet('${path}')`) }))

      t.strictSame(await sql('SELECT * FROM $t'), rows, `${name}: rows in SQL`)
      const select = table.schema.fields.map((field) => field.name)
      t.strictSame(cells(await service.rows({ select, from })), rows, `${name}: rows in JSON`)
      for (const column of ['few', 'one', 'runs', 'grows', 'all', 'bytes', 'none']) {
        const values = rows.map((row) => row[place(column)] ?? null)
        const groups = await sql(`SELECT "${column}", count(*) AS n FROM $t GROUP BY 1 ORDER BY 1 NULLS LAST`)
        t.strictSame(groups, counts(values), `${name}: groups of ${column}`)
        const distinct = await sql(`SELECT DISTINCT "${column}" FROM $t ORDER BY 1 NULLS LAST`)
        t.strictSame(
          distinct,
          counts(values).map(([value]) => [value]),
          `${name}: distinct ${column}`,
        )
        const isBytes = column === 'bytes'
        const lengthOf = isBytes ? 'octet_length' : 'strlen'
        const lengths = await sql(`SELECT sum(${lengthOf}("${column}"))::BIGINT AS n FROM $t`)
        const length = (value: Cell) => Buffer.byteLength(String(value), isBytes ? 'hex' : 'utf8')
        const known = values.filter((value) => value !== null)
        t.strictSame(lengths, [
          [known.length === 0 ? null : known.reduce((sum: number, value) => sum + length(value), 0)],
        ])
        if (isBytes) continue
        const text = (value: Cell) => String(value)
        const filters: readonly [object, string, (value: Cell) => boolean][] = [
          [{ column, eq: 'argo' }, `"${column}" = 'argo'`, (value) => value === 'argo'],
          [{ column, eq: '' }, `"${column}" = ''`, (value) => value === ''],
          [{ column, min: 'b' }, `"${column}" >= 'b'`, (value) => value !== null && text(value) >= 'b'],
          [{ is_null: { column } }, `"${column}" IS NULL`, (value) => value === null],
        ]
        for (const [filter, where, holds] of filters) {
          const passing = rows
            .filter((_, row) => holds(values[row] ?? null))
            .map((row) => [row[place('all')]])
          t.strictSame(await sql(`SELECT "all" FROM $t WHERE ${where}`), passing, `${name}: ${where}`)
          const json = await service.rows({ select: ['all'], filters: [filter], from })
          t.strictSame(cells(json), passing, `${name}: ${JSON.stringify(filter)}`)
        }
      }
    }
  }
})

t.test('what fails for a value fails only where the value is', async (t) => {
  const service = await startTestService(t)
  const values = Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? null : String(1 + (i % 7))))
  const digits = vectorFromArray(values, new Utf8())
  writeParquetFile(join(service.datasets, 'digits.parquet'), new Table({ digits }), 2000)
  const sum = values.reduce((sum, value) => sum + Number(value), 0)
  for (const number of ['digits::INTEGER', "day(strptime('2020-01-0' || digits, '%Y-%m-%d'))"]) {
    const sql = `SELECT sum(${number})::BIGINT AS n FROM read_parquet('digits.parquet')`
    t.same(cells(await service.rows({ sql })), [[sum]], number)
  }
})
