import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Table, tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { fixture } from '../formats/fixtures.ts'
import { columnValues, type Value } from '../formats/values.ts'

const GROUPS = {
  groups: ['a', 'b+c', 'b+d'],
  'groups-consolidated': ['a', 'b+c', 'b+d'],
  'v2-groups': ['a', 'b+c'],
  'v2-groups-consolidated': ['a', 'b+c'],
}

/** Columns of which the last one is in one group alone. */
const COLUMNS = ['.title', 'x', 'v', 'only_here']

const service = await startTestService(t, { workers: 1 })

function column(table: Table, name: string): Value[] {
  const at = table.schema.fields.findIndex((field) => field.name === name)
  return at < 0 ? Array<Value>(table.numRows).fill(null) : (columnValues(table)[at] ?? [])
}

for (const [name, groups] of Object.entries(GROUPS))
  t.test(name, async (t) => {
    const store = fixture('zarr', name)
    cpSync(store, join(service.datasets, `${name}.zarr`), { recursive: true })
    const expected = groups.map((group) =>
      tableFromIPC(gunzipSync(readFileSync(store.replace(/\.zarr$/, `@${group}.expected.arrow.gz`)))),
    )
    const names = COLUMNS.filter((each) =>
      expected.some((table) => column(table, each).some((v) => v !== null)),
    )
    const select = names.map((each) => `"${each}"`).join()
    const wanted = names.map((each) => expected.flatMap((table) => column(table, each)))
    for (const path of [`${name}.zarr`, `${name}.z*`]) {
      const source = `read_zarr('${path}')`
      const inSql = await service.rows({ sql: `SELECT ${select} FROM ${source}` })
      t.strictSame(columnValues(inSql), wanted, path)
      const inJson = await service.rows({ from: { zarr: { paths: [path] } }, select: names })
      t.strictSame(columnValues(inJson), wanted, `${path} in JSON`)
      const counted = await service.rows({ sql: `SELECT count(*) AS n FROM ${source} WHERE x >= 0.5` })
      t.strictSame(
        Number(counted.getChild('n')?.get(0)),
        expected.reduce((sum, table) => sum + table.numRows - 1, 0),
      )
    }
    const beside = await service.query({ sql: `SELECT beside FROM read_zarr('${name}.zarr')` })
    t.equal(beside.status, 400, 'arrays beside groups are no columns')
  })
