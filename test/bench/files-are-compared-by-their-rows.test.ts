import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { nativeFiles } from '../../bench/figures/files/native-files.ts'
import { observations } from '../../bench/input/data.ts'
import { PYTHON, runPython, skipWithout } from '../support/python.ts'

const COMPARE = join(import.meta.dirname, '../../bench/input/files/compare_files.py')

t.test('rows in another order and another format are the same, and another value is not', async (t) => {
  const folder = t.testdir()
  const native = await nativeFiles(folder)
  t.teardown(native.close)
  const at = (name: string) => join(folder, name)
  await native.copy(observations(1000), at('rows.parquet'), 'FORMAT parquet')
  const rows = `FROM '${at('rows.parquet')}'`
  await native.copy(`${rows} ORDER BY latitude`, at('ordered.csv'), 'FORMAT csv, HEADER')
  const greatest = `(SELECT max(latitude) ${rows})`
  const other = `SELECT * REPLACE (if(latitude = ${greatest}, latitude - 1, latitude) AS latitude)`
  await native.copy(`${other} ${rows}`, at('other.parquet'), 'FORMAT parquet')
  await native.copy(`${rows} ORDER BY latitude`, at('ordered.parquet'), 'FORMAT parquet')
  await native.compare(at('rows.parquet'), at('ordered.csv'))
  await native.requireOrdered(at('ordered.parquet'))
  await t.rejects(native.compare(at('other.parquet'), at('rows.parquet')), { message: /has other rows/ })
  await t.rejects(native.requireOrdered(at('rows.parquet')), { message: /rows are not in order/ })
})

const WRITE = `
import sys, netCDF4, numpy, zipfile
def write(name, unit, values, fill=None):
    with netCDF4.Dataset(sys.argv[1] + name, "w") as file:
        file.createDimension("obs", None)
        time = file.createVariable("time", "i8", ("obs",))
        time.units = unit + " since 1970-01-01"
        time[:] = numpy.array([0, 1, 2]) * (86400 if unit == "seconds" else 1)
        sst = file.createVariable("sst", "f4", ("obs",), fill_value=fill)
        sst[:] = values
write("/one.nc", "days", [1.5, numpy.nan, 2.5])
write("/same.nc", "seconds", [1.5, -9, 2.5], -9)
write("/other.nc", "days", [1.5, 3, 2.5])
def pack(name, *rows):
    with zipfile.ZipFile(sys.argv[1] + name, "w") as archive:
        for entry, lines in rows: archive.writestr(entry, "\\n".join(lines) + "\\n")
pack("/one.zip", ("profile.txt", ["//<a>", "Cruise\\ttemperature [degC]", "a\\t1.5", "a\\t2"]), ("errors.txt", ["//"]))
pack("/same.zip", ("profile.txt", ["x\\ttemperature", "\\t2.0", "\\t1.5"]))
pack("/other.zip", ("profile.txt", ["x\\ttemperature", "\\t2.0", "\\t1.25"]))
`

t.test('NetCDF and ODV are the same by their values', { skip: skipWithout('netCDF4') }, async (t) => {
  const folder = t.testdir()
  await runPython(WRITE, [folder])
  const compare = (kind: string, ours: string, theirs: string) =>
    promisify(execFile)(PYTHON, [COMPARE, kind, join(folder, ours), join(folder, theirs)])
  await compare('netcdf', 'same.nc', 'one.nc')
  await t.rejects(compare('netcdf', 'other.nc', 'one.nc'), { message: /sst has other values/ })
  await compare('odv', 'one.zip', 'same.zip')
  await t.rejects(compare('odv', 'other.zip', 'same.zip'), { message: /2 rows of the sum/ })
})
