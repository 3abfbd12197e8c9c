import t from 'tap'
import type { ColumnStatistics } from '../../src/plan/source/statistics.ts'
import {
  BOUND_BYTES,
  mergeWhole,
  packWhole,
  packWithTexts,
  valuesOf,
  type WholeColumn,
  wholeColumn,
} from '../../src/plan/source/whole.ts'
import type { Scalar } from '../../src/plan/types/scalar.ts'
import { mergeSegments } from '../../src/workers/tasks/bounds/surveyed-columns.ts'
import { fc } from '../support/generate.ts'

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 2 * BOUND_BYTES }),
  fc.uint8Array({ minLength: BOUND_BYTES, maxLength: BOUND_BYTES + 3, min: 254 }),
)
const text = bytes.map((value): Scalar => ({ kind: 'bytes', value }))
const integer = fc
  .bigInt({ min: -(2n ** 70n), max: 2n ** 70n })
  .map((value): Scalar => ({ kind: 'int', value }))

function compare(a: Scalar, b: Scalar): number {
  if (a.kind === 'bytes' && b.kind === 'bytes') return Buffer.compare(a.value, b.value)
  if (a.kind === 'int' && b.kind === 'int') return Number(a.value > b.value) - Number(a.value < b.value)
  throw new TypeError('two kinds')
}

/** The exact statistics of values. */
function statisticsOf(values: readonly Scalar[], nulls: number): ColumnStatistics {
  const [min, ...rest] = values.toSorted(compare)
  if (min === undefined) return { nulls }
  return { min, max: rest.at(-1) ?? min, isMinExact: true, isMaxExact: true, nulls }
}

const column = fc.oneof(fc.array(text, { maxLength: 6 }), fc.array(integer, { maxLength: 6 }))

t.test('bounds that are packed hold all values, and are exact only where they occur', async (t) => {
  const property = fc.property(fc.array(column, { minLength: 1, maxLength: 5 }), (columns) => {
    const known = columns.map(
      (values, index): WholeColumn => ({
        field: 3 * index,
        values: values.length + 1,
        statistics: statisticsOf(values, 1),
      }),
    )
    const packed = packWithTexts(known)
    if (valuesOf(packed) !== known[0]?.values) return false
    return columns.every((values, index) => {
      const entry = wholeColumn(packed, 3 * index)
      if (entry === null || entry.values !== values.length + 1 || entry.statistics.nulls !== 1) return false
      if (wholeColumn(packed, 3 * index + 1) !== null) return false
      const { min, max, isMinExact, isMaxExact } = entry.statistics
      const occurs = (bound: Scalar | undefined) =>
        bound !== undefined && values.some((each) => compare(each, bound) === 0)
      if (isMinExact && !occurs(min)) return false
      if (isMaxExact && !occurs(max)) return false
      return values.every(
        (each) =>
          (min === undefined || compare(min, each) <= 0) && (max === undefined || compare(each, max) <= 0),
      )
    })
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('entries of text are merged whole with others', async (t) => {
  const long: Scalar = { kind: 'bytes', value: Buffer.from('x'.repeat(BOUND_BYTES)) }
  const float: Scalar = { kind: 'float', value: 1.5 }
  const earlier = packWithTexts([
    {
      field: 1,
      values: 2,
      statistics: { min: long, max: long, isMinExact: true, isMaxExact: true, nulls: 0 },
    },
    { field: 4, values: 2, statistics: { nulls: 2 } },
  ])
  const later = packWhole([
    { field: 0, values: 2, statistics: { min: float, max: float, nulls: 0 } },
    { field: 4, values: 2, statistics: { min: float, max: float } },
  ])
  const merged = mergeWhole(earlier, later)
  t.same(wholeColumn(merged, 0), wholeColumn(later, 0))
  t.same(wholeColumn(merged, 1), wholeColumn(earlier, 1))
  t.same(wholeColumn(merged, 4), wholeColumn(earlier, 4))
  t.equal(mergeWhole(merged, earlier), merged)
  t.equal(wholeColumn(earlier.subarray(0, 40), 1)?.statistics.min, undefined, 'bounds that are cut off')
})

t.test('those of segments hold the values of all of them', async (t) => {
  const segment = fc.record({
    values: fc.array(integer, { maxLength: 4 }),
    nulls: fc.nat({ max: 2 }),
    kept: fc.constantFrom('all', 'all', 'all', 'nothing', 'bounds', 'nulls'),
  })
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      const statistics = segments.map(({ values, nulls, kept }) => {
        const { nulls: count, ...bounds } = statisticsOf(values, nulls)
        if (kept === 'nothing') return null
        return kept === 'all' ? { ...bounds, nulls } : kept === 'bounds' ? bounds : { nulls: count ?? 0 }
      })
      const rows = segments.map(({ values, nulls }) => values.length + nulls)
      const merged = mergeSegments(statistics, rows)
      const all = segments.flatMap(({ values }) => values)
      const nulls = segments.reduce((sum, each) => sum + each.nulls, 0)
      if (merged === null) return true
      const { min, max } = merged
      if (merged.nulls !== undefined && merged.nulls !== nulls) return false
      return all.every(
        (each) =>
          (min === undefined || compare(min, each) <= 0) && (max === undefined || compare(each, max) <= 0),
      )
    }),
  )
  const int = (value: bigint): Scalar => ({ kind: 'int', value })
  t.same(mergeSegments([{ min: int(1n), max: int(2n), isMaxExact: true, nulls: 0 }, { nulls: 3 }], [2, 3]), {
    min: int(1n),
    max: int(2n),
    isMaxExact: true,
    nulls: 3,
  })
  t.equal(mergeSegments([{ min: int(1n), max: int(2n) }, null], [2, 3]), null)
  t.same(mergeSegments([{ nulls: 2 }, { nulls: 3 }], [2, 3]), { nulls: 5 })
})
