import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { writeObjects, zarrObjects } from './write-zarr.ts'

const service = await startTestService(t, { workers: 1 })

/** A store whose dimensions have no names, so that latitudes and longitudes have the same one. */
const objects = zarrObjects(
  [
    { name: 'lat', dimensions: [], shape: [3], chunk: [3], values: Float64Array.of(10, 20, 30) },
    { name: 'lon', dimensions: [], shape: [4], chunk: [4], values: Float64Array.of(1, 2, 3, 4) },
    {
      name: 'v',
      dimensions: [],
      shape: [3, 4],
      chunk: [2, 2],
      values: Int32Array.from({ length: 12 }, (_, index) => index),
    },
  ],
  { version: 3 },
)
for (const name of ['lat', 'lon', 'v']) {
  const document = JSON.parse(Buffer.from(objects.get(`${name}/zarr.json`) ?? []).toString())
  delete document.dimension_names
  objects.set(`${name}/zarr.json`, Buffer.from(JSON.stringify(document)))
}
writeObjects(join(service.datasets, 'x.zarr'), objects)

async function answerTo(sql: string): Promise<string> {
  const response = await service.query({ sql, output: { format: 'csv' } })
  return `${response.status} ${await response.text()}`
}

t.test('and with those that have the same lengths', async (t) => {
  t.equal(await answerTo("SELECT sum(v) AS s FROM read_zarr('x.zarr')"), '200 s\n66\n')
  t.equal(await answerTo("SELECT lon FROM read_zarr('x.zarr') WHERE lon > 2"), '200 lon\n3.0\n4.0\n')
  t.equal(await answerTo("SELECT sum(v) AS s FROM read_zarr('x.zarr') WHERE lat = 20"), '200 s\n22\n')
  t.equal(await answerTo("SELECT count(*) AS n FROM read_zarr('x.zarr')"), '200 n\n12\n')
  const schema = await answerTo("SELECT column_name FROM read_zarr_schema('x.zarr')")
  t.equal(schema, '200 column_name\nlat\nlon\nv\n')
})

t.test('together with one of another length they are an error that says which', async (t) => {
  for (const columns of ['*', 'v, lon', 'lat, lon'])
    t.match(
      await answerTo(`SELECT ${columns} FROM read_zarr('x.zarr')`),
      /^400 .*x\.zarr.*cannot broadcast: dimension 'dim_0' has size [34] in .*ask for one of them alone/,
    )
})
