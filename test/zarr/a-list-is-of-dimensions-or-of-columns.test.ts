import { join } from 'node:path'
import t from 'tap'
import { startTestService } from '../e2e/service.ts'
import { writeGroup } from './write-store.ts'

const service = await startTestService(t, { workers: 1 })
const profile = { shape: [3], chunk: [2], dimensions: ['time'], values: Int32Array.of(1, 2, 3) }
const grid = {
  shape: [3, 2],
  chunk: [2, 2],
  dimensions: ['time', 'z'],
  values: Int32Array.of(1, 2, 3, 4, 5, 6),
}
writeGroup(join(service.datasets, 'a.zarr'), { time: profile, depth: profile, temp: grid })
writeGroup(join(service.datasets, 'b.zarr'), { time: profile, salt: grid, temp: grid })

const ZARR = (paths: readonly string[], options: object) => ({ from: { zarr: { paths, ...options } } })
const count = async (body: object) => Number((await service.rows(body)).getChild('n')?.get(0))
const counted = (list: string, paths = "'a.zarr'") =>
  count({ sql: `SELECT count(*) AS n FROM read_zarr(${paths}, ${list})` })
const message = async (body: object) => {
  const answer = await service.query(body)
  return `${answer.status} ${await answer.text()}`
}

t.test('of dimensions, if the store has dimensions of all names', async (t) => {
  t.equal(await counted("['time']"), 3)
  t.equal(await counted("statistics_columns = ['time']"), 3)
  t.equal(await counted("['time', 'z', 'time']"), 6)
  t.equal(await counted("dimensions = ['time']"), 3)
  const { length } = (
    await service.rows({ ...ZARR(['a.zarr'], { statistics_columns: ['time'] }), select: ['time'] })
  ).toArray()
  t.equal(length, 3)
})

t.test('else of columns, which change no row', async (t) => {
  for (const list of ["['temp']", "['time', 'temp']", '[]', 'NULL', "statistics_columns = ['depth']"])
    t.equal(await counted(list), 6, list)
  t.equal(await counted("['time'], dimensions = ['time', 'z']"), 6, 'dimensions are given already')
  for (const options of [
    { statistics_columns: ['temp'] },
    { statistics_columns: null, dimensions: null },
    { statistics_columns: [], dimensions: [] },
  ])
    t.equal((await service.rows({ ...ZARR(['a.zarr'], options), select: ['temp'] })).numRows, 6)
})

t.test('a name that is neither is 400, unless one of the stores has it', async (t) => {
  const unknown = /^400 .*statistics_columns: \\?"tmep\\?" is no column, did you mean \\?"temp\\?"\?/
  const sql = "SELECT count(*) FROM read_zarr('a.zarr', ['tmep'])"
  t.match(await message({ sql }), unknown)
  t.match(await message({ sql: sql.replace('count(*)', 'count(*) + 0 * random()') }), unknown)
  t.match(
    await message({ ...ZARR(['a.zarr'], { statistics_columns: ['time', 'tmep'] }), select: ['temp'] }),
    unknown,
  )
  t.match(
    await message({ sql: sql.replace("'tmep'", "'z', 'temp'") }),
    /^400 .*"z.*is no column/,
    'a dimension',
  )
  t.equal(await counted("['salt']", "['a.zarr', 'b.zarr']"), 12)
  t.equal(await counted("['depth']", "['a.zarr', 'b.zarr']"), 12)
  t.match(await message({ sql: "SELECT count(*) FROM read_zarr('*.zarr', ['oxygen'])" }), /^400 .*oxygen/)
  t.match(
    await message({ sql: "SELECT 1 FROM read_zarr('a.zarr', dimensions = ['temp'])" }),
    /^400 .*dimension 'temp' not found/,
  )
})

t.test('anything but a list of names is 400', async (t) => {
  for (const given of ['temp', 1, { a: 1 }, [1], [null]])
    t.match(
      await message({ ...ZARR(['a.zarr'], { statistics_columns: given }), select: ['temp'] }),
      /^400 .*statistics_columns must be a list of columns/,
    )
  t.match(
    await message({ sql: "SELECT 1 FROM read_zarr('a.zarr', 'temp')" }),
    /^400 .*must be a list of columns/,
  )
})
