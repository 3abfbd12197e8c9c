/** A dimension that only the last places of arrays of characters have is that of the letters of texts, whatever it is called. */
import t from 'tap'
import { runPython, skipWithout } from '../../support/python.ts'
import { answersOf } from '../answers.ts'
import { startTestService } from '../service.ts'

const skip = skipWithout('netCDF4')

const WRITE = `
import sys, netCDF4, numpy
for format in ['NETCDF3_CLASSIC', 'NETCDF4']:
    with netCDF4.Dataset(f'{sys.argv[1]}/{format}.nc', 'w', format=format) as data:
        for name, size in {'DATE_TIME': 14, 'N_PROF': 2, 'N_LEVELS': 3, 'N_PARAM': 2, 'ID': 4, 'letter': 3, 'width': 2, 'STRING4': 4}.items():
            data.createDimension(name, size)
        def letters(name, dimensions, texts):
            made = data.createVariable(name, 'S1', dimensions)
            made[:] = numpy.array([list(each) for each in texts], 'S1').reshape(made.shape)
        letters('LAUNCH_DATE', ('DATE_TIME',), ['20190102030405'])
        letters('END_DATE', ('N_PROF', 'DATE_TIME'), ['20200102030405', '2021          '])
        letters('TEMP_QC', ('N_PROF', 'N_LEVELS'), ['11 ', '141'])
        data.createVariable('TEMP', 'f4', ('N_PROF', 'N_LEVELS'))[:] = numpy.arange(6).reshape(2, 3)
        letters('MODE', ('N_PROF', 'N_PARAM'), ['RD', 'AD'])
        letters('PARAM', ('N_PARAM', 'STRING4'), ['PRES', 'TEMP'])
        letters('NAME', ('N_PROF', 'ID'), ['ab  ', 'c   '])
        letters('letter', ('letter', 'width'), ['a ', 'b ', 'cc'])
        letters('LABEL', ('N_PROF', 'letter'), ['xyz', 'uvw'])
`

t.test('texts and flags', { skip }, async (t) => {
  const service = await startTestService(t)
  const { rowsOf } = answersOf(service)
  await runPython(WRITE, [service.datasets])
  for (const call of [
    "read_netcdf('NETCDF3_CLASSIC.nc'",
    "read_netcdf('NETCDF4.nc'",
    "read_hdf5('NETCDF4.nc'",
  ]) {
    const ask = async (sql: string, dimensions = ''): Promise<unknown> =>
      (await rowsOf({ sql: `SELECT ${sql} FROM ${call}${dimensions})` })).map((row) =>
        Object.values(row).join('|'),
      )
    t.same(await ask('"LAUNCH_DATE"'), ['20190102030405'], call)
    t.same(await ask('"END_DATE", "NAME"'), ['20200102030405|ab', '2021|c'])
    t.same(await ask('"TEMP_QC", "TEMP", "LAUNCH_DATE"'), [
      '1|0|20190102030405',
      '1|1|20190102030405',
      ' |2|20190102030405',
      '1|3|20190102030405',
      '4|4|20190102030405',
      '1|5|20190102030405',
    ])
    t.same(
      await ask('"TEMP_QC"', ", ['N_PROF', 'N_LEVELS']"),
      ['1', '1', ' ', '1', '4', '1'],
      'blanks are values',
    )
    t.same(
      await ask('"MODE"', ", ['N_PROF', 'N_PARAM']"),
      ['R', 'D', 'A', 'D'],
      'another array has it elsewhere',
    )
    t.same(
      await ask('"LABEL"', ", ['N_PROF', 'letter']"),
      ['x', 'y', 'z', 'u', 'v', 'w'],
      'it has a coordinate',
    )
    t.same(
      await rowsOf({ sql: `SELECT "TEMP" FROM ${call}) WHERE "END_DATE" = '2021' AND "TEMP_QC" = '4'` }),
      [{ TEMP: 4 }],
    )
  }
})
