/** Enumerations of NetCDF-4 are texts, in each engine, in chunks and in one piece, and along axes that they do not have. */
import t from 'tap'
import { runPython, skipWithout } from '../../support/python.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const skip = skipWithout('netCDF4')

const WRITE = `
import sys, netCDF4, numpy
with netCDF4.Dataset(sys.argv[1] + '/clouds.nc', 'w') as data:
    data.createDimension('time', 5)
    data.createDimension('level', 3)
    cloud = data.createEnumType('u1', 'cloud', {'clear': 0, 'cumulus': 1, 'größer': 7, 'missing': 255})
    wide = data.createEnumType('i8', 'wide_t', {'below': -2**40, 'zero': 0, 'above': 2**62})
    data.createVariable('time', 'i4', ('time',))[:] = numpy.arange(5)
    sky = numpy.array([0, 7, 255, 1, 1], 'u1')
    data.createVariable('sky', cloud, ('time',), fill_value=False)[:] = sky
    chunked = numpy.array([[0, 1, 7], [7, 7, 7], [255, 0, 0], [1, 1, 1], [0, 0, 255]], 'u1')
    data.createVariable('chunked', cloud, ('time', 'level'), zlib=True, chunksizes=(2, 2), fill_value=False)[:] = chunked
    data.createVariable('one', cloud, (), fill_value=False)[...] = numpy.array(7, 'u1')
    data.createVariable('wide', wide, ('level',), fill_value=False)[:] = numpy.array([2**62, -2**40, 0])
`

const SKY = ['clear', 'größer', 'missing', 'cumulus', 'cumulus']
const CHUNKED = ['clear', 'cumulus', 'größer'].concat(
  Array(3).fill('größer'),
  ['missing', 'clear', 'clear'],
  Array(3).fill('cumulus'),
  ['clear', 'clear', 'missing'],
)
const WIDE = ['above', 'below', 'zero']

t.test('they are read, filtered, grouped and sorted as texts', { skip }, async (t) => {
  const service = await startTestService(t)
  const { rowsOf } = answersOf(service)
  await runPython(WRITE, [service.datasets])
  for (const read of ['read_netcdf', 'read_hdf5'])
    for (const more of ['', ', chr(65) AS a']) {
      const ask = async (list: string, rest = ''): Promise<unknown> =>
        (await rowsOf({ sql: `SELECT ${list}${more} FROM ${read}('clouds.nc') ${rest}` })).map((row) => {
          const { a: _, ...others } = row
          return Object.values(others).join('|')
        })
      t.same(await ask('sky'), SKY, `${read}${more}`)
      t.same(
        await ask('time, chunked, sky, wide, one', 'ORDER BY time, chunked, wide'),
        CHUNKED.map((each, index) => {
          const time = Math.floor(index / 3)
          return [time, each, SKY[time], WIDE[index % 3], 'größer'].join('|')
        }).toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))),
      )
      t.same(await ask('time', `WHERE sky = 'cumulus'`), ['3', '4'])
      t.same(await ask('time', `WHERE sky IN ('missing', 'nothing') OR sky LIKE 'gr%'`), ['1', '2'])
      t.same(await ask('count(*) AS n', `WHERE chunked = 'clear' AND wide <> 'above'`), ['3'])
    }
  t.same(
    await rowsOf({
      sql: "SELECT chunked, count(*) AS n FROM read_netcdf('clouds.nc') GROUP BY chunked ORDER BY chunked",
    }),
    [
      { chunked: 'clear', n: 5 },
      { chunked: 'cumulus', n: 4 },
      { chunked: 'größer', n: 4 },
      { chunked: 'missing', n: 2 },
    ],
  )
  const from = { netcdf: { paths: ['clouds.nc'] } }
  const filters = [{ column: 'chunked', eq: 'missing' }]
  t.same((await rowsOf({ select: ['time', 'chunked'], from, filters })).length, 2)
})
