import { join } from 'node:path'
import t from 'tap'
import { runPython, skipWithout } from '../support/python.ts'
import { runTool, skipWithoutTool } from '../support/tools.ts'

const MODULES = 'duckdb, geopandas, netCDF4, pyarrow.parquet, xarray'

const WRITE_NETCDF = `
import sys, xarray
xarray.Dataset({"t": ("x", [1.5, 2.5])}, {"x": ("x", [10.0, 20.0])}).to_netcdf(sys.argv[1], engine="netcdf4")
`

const WRITE_ZIP = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive: archive.writestr("a.txt", "text\\n")
`

t.test(
  'ncdump and cdo open NetCDF',
  {
    skip: skipWithout(MODULES) || skipWithoutTool('ncdump') || skipWithoutTool('cdo'),
  },
  async (t) => {
    const file = join(t.testdir(), 'a.nc')
    await runPython(WRITE_NETCDF, [file])
    t.match(await runTool('ncdump', ['-v', 't', file]), 't = 1.5, 2.5 ;')
    t.match(await runTool('cdo', ['-s', 'outputf,%g', file]), /1\.5\s+2\.5/)
  },
)

t.test(
  'unzip and bsdtar open ZIP',
  {
    skip: skipWithout('zipfile') || skipWithoutTool('unzip') || skipWithoutTool('bsdtar'),
  },
  async (t) => {
    const file = join(t.testdir(), 'a.zip')
    await runPython(WRITE_ZIP, [file])
    t.equal(await runTool('unzip', ['-p', file, 'a.txt']), 'text\n')
    t.equal(await runTool('bsdtar', ['-xOf', file, 'a.txt']), 'text\n')
  },
)

const BAD_ZIP = 'import sys, zipfile; zipfile.ZipFile(sys.argv[1])'

t.test(
  'what a tool finds wrong is told',
  { skip: skipWithout('zipfile') || skipWithoutTool('bsdtar') },
  async (t) => {
    const file = join(t.testdir({ 'a.zip': 'no archive' }), 'a.zip')
    await t.rejects(runTool('bsdtar', ['-tf', file]), { message: /Unrecognized archive format/ })
    await t.rejects(runPython(BAD_ZIP, [file]), { message: /BadZipFile/ })
  },
)
