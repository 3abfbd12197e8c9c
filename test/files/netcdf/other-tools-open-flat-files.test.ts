import { join } from 'node:path'
import * as arrow from 'apache-arrow'
import t from 'tap'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { readContext } from '../../formats/context.ts'
import { runPython, skipWithout } from '../../support/python.ts'
import { runTool, skipWithoutTool } from '../../support/tools.ts'
import { writeNetcdf } from './write-netcdf.ts'

const context = readContext(createCore({ maximumBytes: 64 << 20 }))
const folder = t.testdir()
const [full, empty] = [join(folder, 'full.nc'), join(folder, 'empty.nc')]

const table = new arrow.Table({
  i8: arrow.vectorFromArray([-128, null, 126], new arrow.Int8()),
  u64: arrow.vectorFromArray([0n, 1n, 2n ** 64n - 1n], new arrow.Uint64()),
  f32: arrow.vectorFromArray([1.5, Number.NaN, null], new arrow.Float32()),
  time: arrow.vectorFromArray([0, 86_400_500, null], new arrow.TimestampMillisecond()),
  text: arrow.vectorFromArray(['a', null, 'größe'], new arrow.Utf8()),
  bytes: arrow.vectorFromArray(
    [Buffer.from('abc'), null, Buffer.from('d\0\0')],
    new arrow.FixedSizeBinary(3),
  ),
  obs: arrow.vectorFromArray([10, 20, 30], new arrow.Int32()),
})

t.before(async () => {
  await writeNetcdf(full, table, [2], context)
  await writeNetcdf(empty, table.slice(0, 0), [1], context)
})

t.test('ncdump', { skip: skipWithoutTool('ncdump') }, async (t) => {
  t.equal(await runTool('ncdump', [full]), FULL)
  const header = await runTool('ncdump', [empty])
  t.match(header, 'obs = UNLIMITED ; // (0 currently)')
  t.notMatch(header, '_FillValue')
})

t.test('cdo', { skip: skipWithoutTool('cdo') }, async (t) => {
  t.match(await runTool('cdo', ['-s', 'sinfon', full]), /F32 {2}: f32/)
})

t.test('xarray', { skip: skipWithout('xarray') || skipWithout('netCDF4') }, async (t) => {
  t.same(JSON.parse(await runPython(XARRAY, [full, empty])), {
    i8: ['float32', '[-128.0, nan, 126.0]'],
    u64: ['uint64', '[0, 1, 18446744073709551615]'],
    f32: ['float32', '[1.5, nan, nan]'],
    time: ['datetime64[ns]', "['1970-01-01T00:00:00.000', '1970-01-02T00:00:00.500', 'NaT']"],
    text: ['object', "['a', nan, 'größe']"],
    bytes: ['object', "[b'abc', nan, b'd']"],
    obs: ['int32', '[10, 20, 30]'],
    lengths: [3, 0],
    appended: [-128, null, 126, 5],
  })
})

const XARRAY = `
import json, sys, numpy, xarray, netCDF4
found = {}
with xarray.open_dataset(sys.argv[1]) as data:
    for name in data.variables:
        values = data[name].values
        found[name] = [str(values.dtype), str((values.astype('datetime64[ms]').astype(str) if values.dtype.kind == 'M' else values).tolist())]
    length = data.sizes['obs']
with xarray.open_dataset(sys.argv[2]) as data:
    found['lengths'] = [length, data.sizes['obs']]
with netCDF4.Dataset(sys.argv[1], 'a') as data:
    data['i8'][3] = 5
with netCDF4.Dataset(sys.argv[1]) as data:
    found['appended'] = data['i8'][:].tolist()
print(json.dumps(found))
`

const FULL = `netcdf full {
dimensions:
	obs = UNLIMITED ; // (3 currently)
	STRING3 = 3 ;
variables:
	byte i8(obs) ;
		i8:_FillValue = 127b ;
	uint64 u64(obs) ;
	float f32(obs) ;
		f32:_FillValue = 3.402823e+38f ;
	int64 time(obs) ;
		time:calendar = "gregorian" ;
		time:standard_name = "time" ;
		time:units = "milliseconds since 1970-01-01T00:00:00Z" ;
		time:_FillValue = 9223372036854775807LL ;
	string text(obs) ;
		string text:_FillValue = "" ;
	char bytes(obs, STRING3) ;
		bytes:_FillValue = "" ;
	int obs(obs) ;
data:

 i8 = -128, _, 126 ;

 u64 = 0, 1, 18446744073709551615 ;

 f32 = 1.5, NaNf, _ ;

 time = 0, 86400500, _ ;

 text = "a", _, "größe" ;

 bytes =
  "abc",
  "",
  "d" ;

 obs = 10, 20, 30 ;
}
`
