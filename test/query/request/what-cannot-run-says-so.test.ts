import t from 'tap'
import { isScan, requireSupported } from '../../../src/main/query/request/supported.ts'
import { FORMATS } from '../../../src/plan/formats.ts'
import { errorOf, parseQuery } from '../bound.ts'

const refused = (request: object): string =>
  errorOf(() => requireSupported(parseQuery(JSON.stringify({ select: ['a'], ...request })), FORMATS))

t.match(refused({ from: { odv: { paths: ['a.txt'] } } }), /^not_supported: from.odv: reading ODV files /)
t.equal(refused({ from: { parquet: { paths: ['a.parquet'] } }, output: { format: 'netcdf' } }), 'no error')
t.equal(refused({ from: 'default', sort_by: [] }), 'no error')

// DuckDB runs what the core declines.
const runsInCore = (request: object): boolean =>
  isScan(requireSupported(parseQuery(JSON.stringify({ select: ['a'], ...request })), FORMATS))

t.ok(runsInCore({ filter: { column: 'a', eq: 1 }, sort_by: [], offset: 1, limit: 1 }))
t.notOk(runsInCore({ select: ['a', { function: 'abs', args: [] }] }))
t.ok(runsInCore({ sort_by: [{ Asc: 'a' }] }))
t.ok(runsInCore({ distinct: { on: ['a'], select: ['a'] } }))
t.notOk(runsInCore({ distinct: { on: [{ function: 'abs', args: ['a'] }], select: ['a'] } }))
