import t from 'tap'
import { lock, run } from '../../src/wasm/duckdb/database.ts'
import { registerTableFunction } from '../../src/wasm/duckdb/functions/table-function.ts'
import { selfTest } from '../../src/wasm/duckdb/self-test.ts'
import { openDuck } from './duck.ts'

const database = await openDuck()
const { duck, connections } = database
const [first = 0, second = 0] = connections

t.test('an instance passes its own test', async (t) => {
  selfTest(database)
  t.ok(duck.memory.memory.buffer.byteLength < 64 << 20, 'it takes little memory')
})

t.test('what a table function is asked for ends, whichever way', async (t) => {
  const open = { bound: 0, scans: 0 }
  const asked: (readonly (number | null)[])[] = []
  registerTableFunction<null, { calls: number }>(duck, first, {
    name: 'rows_of',
    parameters: [{ kind: 'any' }],
    bind([value]) {
      if (value === 'bind') throw new Error('not bound')
      open.bound++
      return { columns: [{ name: 'a', type: { kind: 'integer' } }], rows: 10, bound: null }
    },
    init(_, columns) {
      asked.push(columns)
      open.scans++
      return { calls: 0 }
    },
    next(scan) {
      scan.calls++
      if (scan.calls === 3) throw new Error('no third chunk')
      return 5
    },
    endBound: () => open.bound--,
    endScan: () => open.scans--,
  })
  run(duck, first, "SELECT count(*) FROM (FROM rows_of('x') LIMIT 3)")
  run(duck, first, "SELECT a FROM rows_of('x') LIMIT 3")
  t.throws(() => run(duck, first, "FROM rows_of('bind')"), /not bound/)
  t.throws(() => run(duck, first, "SELECT count(a) FROM rows_of('x')"), /no third chunk/)
  run(duck, first, 'SELECT 1')
  t.same(asked, [[null], [0], [0]])
  t.same(open, { bound: 0, scans: 0 })
})

t.test('settings are fixed, files and extensions are out of reach', async (t) => {
  lock(database)
  for (const sql of [
    'SET lock_configuration = false',
    'SET enable_external_access = true',
    "SET temp_directory = '/tmp'",
    "PRAGMA memory_limit = '3GB'",
  ])
    t.throws(() => run(duck, second, sql), /locked/, sql)
  for (const sql of [
    "FROM read_csv('/etc/passwd')",
    "FROM read_text('/dev/stdin')",
    "FROM '/etc/passwd.csv'",
    "FROM glob('/*')",
    "COPY (SELECT 1) TO '/tmp/x.csv'",
    "ATTACH '/tmp/x.db'",
  ])
    t.throws(() => run(duck, second, sql), /disabled|Permission/, sql)
  for (const sql of ["SELECT '{}'::JSON", 'LOAD icu', "FROM read_parquet('x')"])
    t.throws(() => run(duck, second, sql), /extension|disabled/i, sql)
})
