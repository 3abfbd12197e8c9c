import t from 'tap'
import { isScan } from '../../../src/main/query/request/scan-json.ts'
import { parseQuery } from '../bound.ts'

const runsInCore = (request: object): boolean =>
  isScan(parseQuery(JSON.stringify({ select: ['a'], ...request })))

t.ok(runsInCore({ filter: { column: 'a', eq: 1 }, sort_by: [], offset: 1, limit: 1 }))
t.notOk(runsInCore({ select: ['a', { function: 'abs', args: [] }] }))
t.ok(runsInCore({ sort_by: [{ Asc: 'a' }] }))
t.ok(runsInCore({ distinct: { on: ['a'], select: ['a'] } }))
t.notOk(runsInCore({ distinct: { on: [{ function: 'abs', args: ['a'] }], select: ['a'] } }))
