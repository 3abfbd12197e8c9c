import t from 'tap'
import { requireSupported, requireSupportedOutput } from '../../src/main/query/supported.ts'
import { errorOf, parseQuery } from './bound.ts'

const refused = (request: object): string =>
  errorOf(() => requireSupported(parseQuery(JSON.stringify({ select: ['a'], ...request }))))

t.match(
  refused({ select: ['a', { function: 'abs', args: [] }] }),
  /^not_supported: select\[1\]: the function "abs" /,
)
t.match(refused({ sort_by: [{ Asc: 'a' }] }), /^not_supported: sort_by: /)
t.match(refused({ distinct: { on: ['a'], select: ['a'] } }), /^not_supported: distinct: /)
t.match(refused({ from: { zarr: { paths: ['a.zarr'] } } }), /^not_supported: from.zarr: reading zarr files /)
t.equal(refused({ from: { parquet: { paths: ['a.parquet'] } }, output: { format: 'netcdf' } }), 'no error')
t.equal(refused({ from: 'default', sort_by: [] }), 'no error')

t.equal(requireSupportedOutput(null), 'stream')
t.equal(requireSupportedOutput({ format: 'csv' }), 'csv')
t.equal(requireSupportedOutput({ format: 'ipc' }), 'ipc')
t.match(
  errorOf(() => requireSupportedOutput({ format: 'nd_netcdf', dimensionColumns: [] })),
  /^not_supported: output.format: nd_netcdf /,
)
