import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Table, tableFromIPC } from 'apache-arrow'
import t from 'tap'
import { FORMATS } from '../../src/plan/formats.ts'
import { startTestService } from '../e2e/service.ts'
import { samples, samplesOfGroups } from '../formats/fixtures.ts'

const service = await startTestService(t)
const whole = samples('zarr')
const groups = Map.groupBy(samplesOfGroups('zarr'), ({ location }) => basename(location))
for (const location of [...whole, ...samplesOfGroups('zarr')].map((each) => each.location))
  cpSync(location, join(service.datasets, basename(location)), { recursive: true })

const expectedRows = (path: string): Table => tableFromIPC(gunzipSync(readFileSync(path)))
const markerOf = (store: string): string => {
  const names = readdirSync(join(service.datasets, store))
  return FORMATS.markers.find((marker) => names.includes(marker)) ?? ''
}
const countOf = async (paths: string): Promise<number> => {
  const rows = await service.rows({ sql: `SELECT count(*) AS n FROM read_zarr(${paths})` })
  return Number(rows.getChild('n')?.get(0))
}
const json = async (path: string) => (await fetch(`${service.url}${path}`)).json()

t.test('each one is found by its folder and its marker, and has the rows of xarray', async (t) => {
  for (const { location, expected } of whole) {
    const store = basename(location)
    const { numRows, schema } = expectedRows(expected)
    const names = schema.fields.map(({ name }) => name)
    for (const path of [store, `${store}/${markerOf(store)}`]) {
      t.equal(await countOf(`'${path}'`), numRows, path)
      const { fields } = (await json(`/api/dataset-schema?file=${path}`)) as { fields: { name: string }[] }
      t.same(
        fields.map(({ name }) => name),
        names,
        path,
      )
    }
    if (names.length === 0) continue
    const rows = await service.rows({ from: { zarr: { paths: [store] } }, select: names })
    t.equal(rows.numRows, numRows, store)
  }
})

t.test('several leaf groups are one table', async (t) => {
  t.equal(groups.size, 4)
  for (const [store, parts] of groups) {
    const tables = parts.map(({ expected }) => expectedRows(expected))
    const names = new Set(tables.flatMap(({ schema }) => schema.fields.map(({ name }) => name)))
    const rows = await service.rows({ from: { zarr: { paths: [store] } }, select: [...names] })
    for (const name of names)
      t.same(
        [...(rows.getChild(name) ?? [])],
        tables.flatMap((table) => [...(table.getChild(name) ?? Array(table.numRows).fill(null))]),
        `${store}: ${name}`,
      )
    t.equal(await countOf(`'${store}'`), rows.numRows)
    for (const [at, { group }] of parts.entries())
      t.equal(await countOf(`'${store}/${group}'`), tables[at]?.numRows, `${store}/${group} by itself`)
  }
})

t.test('all are listed, once, by their markers', async (t) => {
  const stores = readdirSync(service.datasets).map((store) => `${store}/${markerOf(store)}`)
  const listed = (await json('/api/list-datasets')) as { file_path: string; format: string }[]
  t.same(listed.map(({ file_path }) => file_path).toSorted(), stores.toSorted())
  t.ok(listed.every(({ format }) => format === 'zarr'))
  const { numRows } = await service.rows({ sql: 'SELECT * FROM list_datasets()' })
  t.equal(numRows, stores.length)
})
