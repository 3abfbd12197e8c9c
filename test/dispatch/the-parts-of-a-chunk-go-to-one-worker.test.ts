import assert from 'node:assert/strict'
import t from 'tap'
import { partPlacement } from '../../src/main/query/run/rows/part-placement.ts'
import type { BoxUnit } from '../../src/plan/source/unit.ts'
import { fc } from '../support/generate.ts'

const WORKERS = 4
const DIMENSIONS = [0, 1]

/** Boxes of `part` rows each, in chunks of `chunk` rows and 100 columns, of which the file has `across` beside each other. */
function unitsOf(chunks: number, chunk: number, part: number, across: number): readonly BoxUnit[] {
  return Array.from({ length: chunks }, (_, number) =>
    Array.from({ length: Math.ceil(chunk / part) }, (_, at): BoxUnit => {
      const [row, column] = [Math.floor(number / across) * chunk, (number % across) * 100]
      const extent = [Math.min(part, chunk - at * part), 100]
      return {
        kind: 'box',
        file: 0,
        dimensions: DIMENSIONS,
        origin: [row + at * part, column],
        extent,
        decodedBytes: 8 * (extent[0] ?? 0) * 100,
        chunk: [chunk, 100],
      }
    }),
  ).flat()
}

function placed(units: readonly BoxUnit[]): ReturnType<typeof partPlacement>[] {
  const sequence = {
    count: units.length,
    at: (index: number) => units[index] ?? assert.fail(`unit ${index} of ${units.length}`),
  }
  return units.map((_, index) => partPlacement(sequence, index, WORKERS))
}

t.test('all parts of a chunk prefer the same worker, and chunks that follow each other others', async (t) => {
  const cases = fc.record({
    chunks: fc.integer({ min: 1, max: 8 }),
    chunk: fc.integer({ min: 2, max: 1000 }),
    parts: fc.integer({ min: 2, max: 5 }),
  })
  const property = fc.property(cases, ({ chunks, chunk, parts }) => {
    const part = Math.max(1, Math.floor(chunk / parts))
    const each = Math.ceil(chunk / part)
    const preferred = placed(unitsOf(chunks, chunk, part, chunks)).map((placement) =>
      placement !== undefined && 'prefer' in placement
        ? placement.prefer
        : assert.fail('no worker is preferred'),
    )
    assert.deepEqual(
      preferred,
      preferred.map((_, unit) => [Math.floor(unit / each) % WORKERS]),
    )
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('a part waits as long as it takes to decode the chunk, but not for ever', async (t) => {
  // 4000 rows of 100 columns with 8 bytes each are 3.2 MB.
  t.same(placed(unitsOf(1, 4000, 1000, 1))[0], { prefer: [0], patienceMs: 8 })
  t.same(placed(unitsOf(1, 40_000_000, 10_000_000, 1))[0], { prefer: [0], patienceMs: 2000 })
})

t.test('a unit that has its chunk for itself goes to any worker', async (t) => {
  t.same(placed(unitsOf(3, 100, 100, 2)), [undefined, undefined, undefined])
  const [unit] = unitsOf(1, 100, 50, 1)
  t.same(placed(unit === undefined ? [] : [unit]), [undefined], 'the filter has left one part')
})
