import t from 'tap'
import { packSummaries } from '../../src/main/query/source/summaries/rows/packed-summaries.ts'
import { collectGarbage } from '../../src/plan/collect-garbage.ts'
import { type FileSummary, list } from '../../src/plan/source/segments.ts'
import { packWhole } from '../../src/plan/source/whole.ts'
import { runToEnd } from '../../src/plan/steps.ts'
import { field } from '../../src/plan/types/schema.ts'
import { generator } from '../support/generate.ts'

const below = generator('packed summaries')
const SCHEMAS = ['temp', 'salinity'].map((name) => ({
  fields: [field(name, { kind: 'float', bits: 64 })],
  metadata: {},
}))
const STATISTICS = [{}, { temp: [{ nulls: 3 }] }]

/** Bounds of several files lie in one buffer. */
const ENTRIES = packWhole(
  Array.from({ length: 20 }, (_, nth) => ({ field: nth, values: nth, statistics: { nulls: nth } })),
)

function summary(): FileSummary {
  const [schema, statistics] = [SCHEMAS[below(2)], STATISTICS[below(2)]]
  if (schema === undefined || statistics === undefined) throw new RangeError('no schema')
  const rows = below(3) === 0 ? null : below(1000)
  const decodedBytes = [below(2) === 0 ? 1e12 : below(5000)]
  const segments = Array.from({ length: 1 + Math.max(0, below(4) - 2) }, () => ({
    rows,
    decodedBytes,
    storedBytes: [below(2000)],
    ...(below(9) === 0 && { entries: { from: 1, to: 3 } }),
  }))
  const first = below(20)
  const whole = ENTRIES.subarray(40 * first, 40 * (first + below(3)))
  return {
    schema,
    statistics,
    segments: list(segments),
    ...(below(5) === 0 && { notices: ['a notice'] }),
    ...(whole.length > 0 && { whole }),
  }
}

t.test('packed summaries are the same list while somebody has it, and an equal one later', async (t) => {
  for (let round = 0; round < 20; round++) {
    const expected = Array.from({ length: below(300) }, summary)
    const packed = runToEnd(packSummaries([...expected]))
    collectGarbage()
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    const again = await packed.summaries()
    t.strictSame(again, expected)
    t.equal(await packed.summaries(), again)
  }
})
