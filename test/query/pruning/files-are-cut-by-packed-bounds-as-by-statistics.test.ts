import assert from 'node:assert/strict'
import t from 'tap'
import { type CutOptions, cutInSteps } from '../../../src/main/query/plan/units.ts'
import { type FileSummary, list } from '../../../src/plan/source/segments.ts'
import type { ColumnStatistics } from '../../../src/plan/source/statistics.ts'
import { packWhole } from '../../../src/plan/source/whole.ts'
import { runToEnd } from '../../../src/plan/steps.ts'
import { type DataType, field } from '../../../src/plan/types/schema.ts'
import { fc } from '../../support/generate.ts'
import { planOf } from '../bound.ts'
import { unitsOf } from '../rows-of-units.ts'

const INT: DataType = { kind: 'int', bits: 64, signed: true }

/** A file of one segment: its rows, and what is known of its column `a`. Null: nothing. */
interface SmallFile {
  readonly rows: number
  readonly bounds: Pick<ColumnStatistics, 'min' | 'max' | 'nulls'> | null
}

const smallFiles = fc
  .record({
    rows: fc.integer({ min: 0, max: 3 }),
    least: fc.integer({ min: 0, max: 9 }),
    range: fc.integer({ min: 0, max: 4 }),
    nulls: fc.constantFrom('none', 'some', 'all'),
    isKnown: fc.boolean(),
  })
  .map(({ rows, least, range, nulls, isKnown }): SmallFile => {
    const bound = (value: number) => ({ kind: 'int', value: BigInt(value) }) as const
    const count = { none: 0, some: Math.min(1, rows), all: rows }[nulls]
    const bounds = { min: bound(least), max: bound(least + range), nulls: count }
    return { rows, bounds: isKnown ? bounds : null }
  })

function summaryOf({ rows, bounds }: SmallFile, isPacked: boolean): FileSummary {
  const file = {
    schema: { fields: [field('a', INT), field('b', INT)], metadata: {} },
    segments: list([{ rows, decodedBytes: [8 * rows, 8 * rows], storedBytes: [rows, rows] }]),
  }
  if (!isPacked) return { ...file, statistics: bounds === null ? {} : { a: [bounds] } }
  // What is known of `b` as well, of which nothing is asked.
  const ofB = { field: 1, values: rows, statistics: { nulls: 0 } }
  const ofA = bounds === null ? [] : [{ field: 0, values: rows, statistics: bounds }]
  return { ...file, statistics: {}, whole: packWhole([...ofA, ofB]) }
}

t.test('units, and what is counted and left out, are the same', async () => {
  const property = fc.property(
    fc.array(smallFiles, { maxLength: 200 }),
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 4 }),
    fc.boolean(),
    fc.boolean(),
    (files, min, width, isStreamed, isCounted) => {
      const filters = [{ column: 'a', min, max: min + width }]
      const plan = planOf({ select: ['a', 'b'], filters }, { a: INT, b: INT })
      const options: CutOptions = { isStreamed, isCounted }
      const [packed, plain] = [true, false].map((isPacked) => {
        const summaries = files.map((file) => summaryOf(file, isPacked))
        const { units, ...others } = runToEnd(cutInSteps(plan, summaries, options))
        return { ...others, units: unitsOf(units) }
      })
      assert.deepEqual(packed, plain)
    },
  )
  fc.assert(property, { numRuns: 300 })
})
