// In a process of its own: it measures the memory.
/** A hundred attributes of 50 bytes beside 2.3 M rows: copied for each row they would be 12 GB. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { cutInSteps } from '../../../src/main/query/plan/units.ts'
import { UNIT_ROWS } from '../../../src/plan/limits.ts'
import { rowsIn } from '../../../src/plan/source/range.ts'
import { runToEnd } from '../../../src/plan/steps.ts'
import { createCore } from '../../../src/wasm/core/create-core.ts'
import { createArrayProvider } from '../../../src/workers/formats/arrays/array-provider.ts'
import { netcdf3 } from '../../../src/workers/formats/netcdf3/netcdf3.ts'
import { readContext } from '../../formats/context.ts'
import { memorySource } from '../../formats/source.ts'
import { type ClassicAttribute, writeClassic } from '../../netcdf/write-classic.ts'
import { planOf } from '../../query/bound.ts'
import { unitsOf } from '../../query/rows-of-units.ts'
import { startTestService } from '../service.ts'

const ROWS = 2_300_000
const CHAR = 2
const DOUBLE = 6

const attributes = Array.from({ length: 100 }, (_, number): ClassicAttribute => {
  const text = `attribute ${number} `.padEnd(50, '.')
  return { name: `a${number}`, type: CHAR, bytes: Buffer.from(text) }
})
const values = Float64Array.from({ length: ROWS }, (_, row) => (row * 7919) % ROWS)
const file = writeClassic({
  version: 2,
  records: 0,
  dimensions: [{ name: 'obs', size: ROWS }],
  attributes,
  variables: [
    { name: 'v', dimensions: [0], type: DOUBLE, attributes: [], bytes: Buffer.from(values.buffer).swap64() },
  ],
})
const NAMES = attributes.map(({ name }) => `.${name}`)
const SELECT = ['v', ...NAMES]

t.test('units have as many rows as they can, and take little more than the variable', async (t) => {
  const core = createCore({ maximumBytes: 64 << 20 })
  const context = readContext(core)
  const store = memorySource(file, 'many.nc')
  const { schema, segments, read } = createArrayProvider(netcdf3, { dimensions: null }).open(store, context)
  const plan = planOf(
    { select: SELECT },
    Object.fromEntries(schema.fields.map((each) => [each.name, each.type])),
  )
  const grid = segments(SELECT, store, context)
  if (!('kind' in grid)) throw new Error('no grid')
  const { units } = runToEnd(
    cutInSteps(plan, [{ schema, segments: grid, statistics: {} }], {
      isStreamed: false,
      isCounted: false,
    }),
  )
  t.equal(units.count, Math.ceil(ROWS / UNIT_ROWS))
  for (const unit of unitsOf(units)) {
    const made = read(store, unit, schema.fields, context)
    t.equal(made.rows, rowsIn(unit))
    t.ok(core.usedBytes() < made.rows * 8 + (1 << 20), `${core.usedBytes()} bytes`)
    made.columns.forEach(core.free)
  }
})

t.test('queries of all attributes need a fraction of what the rows would take', async (t) => {
  const service = await startTestService(t, { settings: { SERVICE_CACHE_BYTES: '0' } })
  writeFileSync(join(service.datasets, 'many.nc'), file)
  const from = { netcdf: { paths: ['many.nc'] } }
  // Loads the readers in all workers, and starts DuckDB, which takes some 150 MB itself.
  await service.rows({ sql: `SELECT v FROM read_netcdf('many.nc') ORDER BY v LIMIT 1` })
  await service.rows({ sql: 'SELECT length(i::VARCHAR) AS n FROM range(3) t(i)' })
  const before = process.memoryUsage.rss()
  const some = await service.rows({ select: SELECT, from, filters: [{ column: 'v', lt: ROWS / 100 }] })
  t.equal(some.numRows, ROWS / 100)
  t.equal(some.getChild('.a99')?.get(0), 'attribute 99'.padEnd(13).padEnd(50, '.'))
  const list = (of: (name: string) => string) => NAMES.map((name) => of(`"${name}"`)).join(', ')
  const onCore = await service.rows({
    sql: `SELECT ${list((name) => name)}, count(*) AS n, sum(v) AS v FROM read_netcdf('many.nc') GROUP BY ${list((name) => name)}`,
  })
  t.same([onCore.numRows, Number(onCore.getChild('n')?.get(0))], [1, ROWS])
  const inDuckDb = await service.rows({
    sql: `SELECT ${list((name) => `max(length(${name}))`)}, count(v) AS n FROM read_netcdf('many.nc')`,
  })
  t.same([inDuckDb.getChildAt(0)?.get(0), inDuckDb.getChild('n')?.get(0)].map(Number), [50, ROWS])
  // The rows of a unit take 8 MB in each worker, and the first answer 10 MB.
  const grown = process.resourceUsage().maxRSS * 1024 - before
  t.ok(grown < 400 << 20, `${grown >> 20} MB`)
})
